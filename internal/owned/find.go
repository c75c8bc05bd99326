package owned

import "slices"

// both returns the files that are ours and those that a run which was cut short meant to make ours, the latter first.
func (r Record) both() []File {
	if r.Next == nil {
		return r.Files
	}
	return slices.Concat(r.Next.Files, r.Files)
}

// Find returns what is known of a file whose bytes are now current (nil when it is gone), and false when it is not ours.
// After a run that was cut short, the state that the bytes agree with holds; when they agree with neither, someone else
// wrote the file since, and the run's intention holds, which knows more.
func (r Record) Find(path string, current []byte) (File, bool) {
	var known []File
	for _, f := range r.both() {
		if f.Path == path {
			known = append(known, f)
		}
	}
	if len(known) == 0 {
		return File{}, false
	}
	hash := Hash(current)
	if i := slices.IndexFunc(known, func(f File) bool { return f.SHA256 == hash }); i >= 0 {
		return known[i], true
	}
	return known[0], true
}

// Entries returns every entry that we may have written into the file.
func (r Record) Entries(path string) []Entry {
	var all []Entry
	for _, f := range r.both() {
		if f.Path == path {
			all = append(all, f.Entries...)
		}
	}
	return all
}

// Paths returns the paths of all files, each once.
func (r Record) Paths() []string {
	var all []string
	for _, f := range r.both() {
		all = append(all, f.Path)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// AllDirs returns the directories that we made or meant to make.
func (r Record) AllDirs() []string {
	if r.Next == nil {
		return r.Dirs
	}
	all := slices.Concat(r.Dirs, r.Next.Dirs)
	slices.Sort(all)
	return slices.Compact(all)
}
