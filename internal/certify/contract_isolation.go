package certify

import (
	"fmt"
	"slices"
	"strings"
)

// isolation: what moves with the variables is not written below HOME, and what does not is. Anything else that is written
// there was not known.
func (o *observer) isolation() {
	c, home := o.row.Contract, o.plain.Home
	for _, path := range c.Isolated {
		wrote := filesOf(home, path)
		seen := fmt.Sprintf("%d files in the directory that it was given", len(o.plain.Moved))
		if len(wrote) > 0 {
			seen = "it wrote " + some(wrote)
		}
		o.fact(len(wrote) == 0 && len(o.plain.Moved) > 0, seen, "%s is isolated", path)
	}
	for _, path := range c.NotIsolated {
		wrote := filesOf(home, path)
		o.fact(len(wrote) > 0, "it wrote "+some(wrote), "%s is not isolated", path)
	}
	if len(c.Isolated) == 0 {
		return
	}
	others := slices.DeleteFunc(slices.Clone(home), func(file string) bool {
		return slices.ContainsFunc(slices.Concat(c.Isolated, c.NotIsolated), func(path string) bool { return isBelow(file, path) })
	})
	o.fact(len(others) == 0, "it wrote "+some(others), "nothing else is written below HOME")
}

func filesOf(files []string, path string) (all []string) {
	for _, f := range files {
		if isBelow(f, path) {
			all = append(all, f)
		}
	}
	return all
}

func isBelow(file, path string) bool { return file == path || strings.HasPrefix(file, path+"/") }

// some names a few files.
func some(files []string) string {
	switch n := len(files); {
	case n == 0:
		return "nothing there"
	case n > 3:
		return fmt.Sprintf("%s and %d more", strings.Join(files[:3], ", "), n-3)
	}
	return strings.Join(files, ", ")
}
