package materialize

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"

	"github.com/lorimer-dev/lorimer/internal/config"
	"github.com/lorimer-dev/lorimer/internal/manifest"
	"github.com/lorimer-dev/lorimer/internal/materialize/clonefs"
	"github.com/lorimer-dev/lorimer/internal/plainfile"
)

// places are the files that hooks of a native harness may stand in, the one that is overruled first: with User the user's own,
// then the clone's, then what an organization set on this machine.
func (o *Options) places(clone *clonefs.FS) (all []config.Place) {
	project := config.NativeFiles(o.Table)
	for _, f := range config.UserFiles(o.Table) {
		path := o.userPath(f)
		inClone := slices.ContainsFunc(project, func(p string) bool { return filepath.Join(clone.Dir, filepath.FromSlash(p)) == path })
		if path != "" && !inClone && o.readsUsers(clone, path) {
			all = append(all, config.Place{Path: filepath.ToSlash(path), Name: "~/" + f, User: true})
		}
	}
	for _, f := range project {
		all = append(all, config.Place{Path: f, Name: f})
	}
	return append(all, config.ManagedPlaces(o.Table)...)
}

// Outside are those of them that lie outside of the clone: your own, where they count, and what an organization set.
func (o *Options) Outside(clone *clonefs.FS) []config.Place {
	return slices.DeleteFunc(o.places(clone), func(p config.Place) bool { return !p.User && !p.Managed })
}

// userPath is where a file of the user's own lies; "" = unknown.
func (o *Options) userPath(file string) string {
	home := o.usersHome()
	if home == "" {
		return ""
	}
	if real, err := filepath.EvalSymlinks(home); err == nil {
		home = real
	}
	return filepath.Join(home, filepath.FromSlash(file))
}

// readsUsers says whether the user's own file is a source of the clone's. Where nobody says, it is one when it was one: a
// refresh must not take a guard away.
func (o *Options) readsUsers(clone *clonefs.FS, path string) bool {
	if o.User != nil {
		return *o.User
	}
	src, err := readFile(clone, manifestPath)
	if err != nil {
		return false
	}
	view, err := manifest.Parse(src)
	return err == nil && slices.ContainsFunc(view.Sources(), func(s manifest.Source) bool { return s.Path == filepath.ToSlash(path) })
}

// readSource reads a file of the clone, or one of the user's own by its absolute path; nil when there is none.
func readSource(clone *clonefs.FS, path string) ([]byte, error) {
	if !filepath.IsAbs(path) {
		return readFile(clone, path)
	}
	src, err := plainfile.Settings(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("settings outside of the clone cannot be read: %w", err)
	}
	return src, nil
}
