package materialize

import (
	"bytes"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/lorimer-dev/lorimer/internal/harness"
	"github.com/lorimer-dev/lorimer/internal/materialize/clonefs"
	"github.com/lorimer-dev/lorimer/internal/owned"
)

// addCompanions adds the files that should lie beside the harness's shim. Nothing is written outside of the clone, so those of
// the user's own are named where they are missing.
func (w *want) addCompanions(h *harness.Harness, clone *clonefs.FS, home string) {
	for _, c := range h.Shim.Companions {
		below, users := strings.CutPrefix(c.Path, "~/")
		switch {
		case users && !exists(filepath.Join(home, filepath.FromSlash(below))):
			w.warnings = append(w.warnings, fmt.Sprintf("%s: there is no %s: %s. Lorimer writes nothing there; if that matters to you, write it: %s",
				h.ID, c.Path, c.Why, c.Content))
		case users || superfluous(h.Shim, c, clone):
		default:
			w.companions = append(w.companions, whole{path: path.Clean(c.Path), harness: h.ID, data: append([]byte{}, c.Content...)})
		}
	}
}

// superfluous says whether something is there that makes up for the companion, or that it would be in the way of.
func superfluous(s *harness.Shim, c harness.Companion, clone *clonefs.FS) bool {
	for _, pattern := range c.Unless {
		dir, name := path.Split(pattern)
		for _, found := range clone.Names(path.Clean(dir)) {
			if fits, _ := path.Match(name, found); fits && !beside(s, dir+found) {
				return true
			}
		}
	}
	return false
}

// beside says whether the path is the shim or one of its companions.
func beside(s *harness.Shim, file string) bool {
	return file == s.Project || slices.ContainsFunc(s.Companions, func(c harness.Companion) bool { return c.Path == file })
}

// companion plans a file that is ours only where nobody else wrote it.
func (p *planner) companion(w whole) error {
	real, cur, info, err := p.read(w.path)
	if err != nil {
		return err
	}
	f, known := p.record.Find(w.path, cur)
	if cur != nil && !(known && (f.SHA256 == owned.Hash(cur) || blank(cur))) {
		return nil
	}
	if cur == nil || !bytes.Equal(cur, w.data) {
		p.change(Change{Path: w.path, Old: cur, New: w.data, real: real, mode: mode(info)}, false)
	}
	p.own(owned.File{Path: w.path, Harness: w.harness, How: owned.Companion, SHA256: owned.Hash(w.data)})
	return nil
}

func (o *Options) usersHome() string {
	if o.UserHome != "" {
		return o.UserHome
	}
	home, _ := os.UserHomeDir() // without one no file is found there, and that is said
	return home
}

func exists(file string) bool {
	_, err := os.Stat(file)
	return err == nil
}
