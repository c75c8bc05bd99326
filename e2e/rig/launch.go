//go:build linux

package rig

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"

	"github.com/lorimer-dev/lorimer/golden/go/certified"
	"github.com/lorimer-dev/lorimer/internal/certify"
	"github.com/lorimer-dev/lorimer/internal/harness"
)

// Root is where Lorimer keeps its own things in this world.
func (r *Rig) Root() string { return filepath.Join(r.Home, ".local", "state", "lorimer") }

// Launch starts the host's certified runtime as `lorimer runtime launch` does, with the arguments of the mode. What the host needs
// to know of the model is put into the runtime's own directories: the host's home is not this world's.
func (r *Rig) Launch(o Options) (*Process, error) {
	if o.Mode == "" {
		o.Mode = r.Host.Modes[0]
	}
	if err := r.furnish(); err != nil {
		return nil, err
	}
	argv := append([]string{filepath.Join(r.bin, "lorimer"), "runtime", "launch", r.Host.ID, "--"}, r.Host.args(o.Mode, o)...)
	env := append(r.env(), r.Host.env(r.Model.URL())...)
	p, err := start(argv, r.Clone, append(env, r.Extra...))
	if err != nil {
		return nil, err
	}
	r.started = append(r.started, p)
	return p, p.CloseInput()
}

// furnish puts the files that the host has in a home of its own where its runtime looks for them.
func (r *Rig) furnish() error {
	if r.Host.prepare == nil {
		return nil
	}
	own := r.path("own")
	if err := r.Host.prepare(own, r.Model.URL()); err != nil {
		return err
	}
	row, paths, err := r.runtime()
	if err != nil {
		return err
	}
	return filepath.WalkDir(own, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		rel, _ := filepath.Rel(own, path) // it lies below
		place := paths.Place(row, "~/"+filepath.ToSlash(rel))
		data, err := os.ReadFile(path)
		data = bytes.ReplaceAll(data, []byte(own), []byte(r.Home)) // it may name the project
		return errors.Join(err, os.MkdirAll(filepath.Dir(place), 0o700), os.WriteFile(place, data, 0o600))
	})
}

// runtime is the row of the host's runtime, and where it is.
func (r *Rig) runtime() (*harness.Certified, certify.Paths, error) {
	for _, row := range certified.All {
		if row.ID == r.Host.ID {
			paths, err := certify.PathsOf(r.Root(), row, row.Version, runtime.GOOS)
			return row, paths, err
		}
	}
	return nil, certify.Paths{}, fmt.Errorf("%s has no runtime", r.Host.ID)
}
