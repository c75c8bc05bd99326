package harness

import (
	"regexp"
	"strings"
)

// Patch says how the text of a patch tells which files it touches, and which of them it makes. It is about calls in Claude's shape,
// as handlers see them, whoever gave them that.
type Patch struct {
	Tool  string `json:"tool"`            // Claude's name of the tool
	From  string `json:"from"`            // its argument that has the text
	Paths string `json:"paths,omitempty"` // RE2, on each line; group 1 is a path. Empty: the call has a list of them
	As    string `json:"as,omitempty"`    // Claude's tool that makes a file; empty: a patch makes none
	Adds  string `json:"adds,omitempty"`  // RE2, on each line; group 1 is the path of a file that the patch makes
	Line  string `json:"line,omitempty"`  // what stands in front of each line of that file, in the lines behind; empty: they are not told
}

// Touch is one file that a patch touches.
type Touch struct {
	Path    string
	Made    bool   // by the patch
	Content string // of a file that is made
}

// Touched takes the text of a patch apart. A path comes once as a file that is made, and once as one that is not.
func (p Patch) Touched(text string) (all []Touch) {
	paths, adds := expression(p.Paths), expression(p.Adds)
	var made *Touch // whose lines are read
	for line := range strings.SplitSeq(text, "\n") {
		if body, is := strings.CutPrefix(line, p.Line); is && made != nil && p.Line != "" {
			made.Content += body + "\n"
			continue
		}
		made = nil
		path, adds := group(adds, line)
		if !adds {
			var names bool
			if path, names = group(paths, line); !names {
				continue
			}
		}
		at := indexOf(all, path, adds)
		if at < 0 {
			all, at = append(all, Touch{Path: path, Made: adds}), len(all)
		}
		if adds {
			made = &all[at]
			made.Content = "" // of a file that is made twice the last counts
		}
	}
	return all
}

// With returns the text of the patch with other content of a file that it makes.
func (p Patch) With(text, path, content string) string {
	adds := expression(p.Adds)
	var out []string
	within := false
	for line := range strings.SplitSeq(text, "\n") {
		if within && strings.HasPrefix(line, p.Line) {
			continue
		}
		out, within = append(out, line), false
		if made, is := group(adds, line); is && made == path {
			within = true
			for body := range strings.Lines(content) {
				out = append(out, p.Line+strings.TrimSuffix(body, "\n"))
			}
		}
	}
	return strings.Join(out, "\n")
}

func indexOf(all []Touch, path string, made bool) int {
	for i, t := range all {
		if t.Path == path && t.Made == made {
			return i
		}
	}
	return -1
}

// expression is nil where there is none. The generator lets none through that does not compile.
func expression(pattern string) *regexp.Regexp {
	re, err := regexp.Compile(pattern)
	if err != nil || pattern == "" {
		return nil
	}
	return re
}

func group(re *regexp.Regexp, line string) (string, bool) {
	if re == nil {
		return "", false
	}
	m := re.FindStringSubmatch(line)
	if m == nil {
		return "", false
	}
	return m[len(m)-1], true
}
