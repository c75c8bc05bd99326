//go:build linux

package rig

import (
	"os"
	"path/filepath"
)

// Root is where Lorimer keeps its own things in this world.
func (r *Rig) Root() string { return filepath.Join(r.Home, ".local", "state", "lorimer") }

// Launch starts the host's certified runtime as `lorimer runtime launch` does, with the arguments of the mode. What the host needs
// to know of the model is put into the runtime's own directory: the host's home is not this world's.
func (r *Rig) Launch(o Options) (*Process, error) {
	if o.Mode == "" {
		o.Mode = r.Host.Modes[0]
	}
	if r.Host.prepare != nil {
		own := r.path("own")
		if err := r.Host.prepare(own, r.Model.URL()); err != nil {
			return nil, err
		}
		files, err := filepath.Glob(filepath.Join(own, ".*", "agent", "*"))
		if err != nil {
			return nil, err
		}
		for _, file := range files {
			data, err := os.ReadFile(file)
			if err != nil {
				return nil, err
			}
			if err := os.WriteFile(filepath.Join(r.Root(), "agent", r.Host.ID, filepath.Base(file)), data, 0o600); err != nil {
				return nil, err
			}
		}
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
