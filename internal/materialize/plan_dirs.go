package materialize

import (
	"path"
	"slices"
	"strings"
)

// dirs plans the directories: those that are missing, those of ours that are needed no more, and the record of the rest. It
// also decides what clean keeps: copies of what a user wrote are the user's.
func (p *planner) dirs() {
	backups := len(p.clone.Names(backupDir)) > 0
	for _, c := range p.Changes {
		if c.New != nil {
			p.need(path.Dir(c.real))
		}
		if c.backup != "" {
			p.need(backupDir)
			backups = true
		}
	}
	if backups && len(p.next.Files) == 0 {
		p.keepBackups()
	}
	for _, d := range slices.Concat(p.record.AllDirs(), p.makeDirs) {
		if d == dir {
			continue // ours in any case: gone when it is empty
		}
		if p.used(d) {
			p.next.Dirs = append(p.next.Dirs, d)
		} else if !slices.Contains(p.dropDirs, d) {
			p.dropDirs = append(p.dropDirs, d)
		}
	}
	// The longer path is the inner one, when one is below the other.
	slices.SortFunc(p.dropDirs, func(a, b string) int { return len(b) - len(a) })
}

// need adds a directory and those above it to the ones that have to be made.
func (p *planner) need(d string) {
	if d == "." || slices.Contains(p.makeDirs, d) || p.clone.IsDir(d) {
		return
	}
	p.need(path.Dir(d))
	p.makeDirs = append(p.makeDirs, d)
}

// used says whether a file of ours will stand below the directory.
func (p *planner) used(d string) bool {
	for _, f := range p.next.Files {
		if real, err := p.clone.Resolve(f.Path); err == nil && strings.HasPrefix(real, d+"/") {
			return true
		}
	}
	return d == backupDir && len(p.next.Files) > 0
}

// keepBackups leaves the copies that --force made, and the file that keeps git from seeing them.
func (p *planner) keepBackups() {
	p.Kept = []string{backupDir}
	p.Changes = slices.DeleteFunc(p.Changes, func(c Change) bool { return c.Path == ignorePath })
}
