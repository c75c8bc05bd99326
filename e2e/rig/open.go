//go:build linux

package rig

// Open starts the host's program with these arguments alone, and leaves its standard input open: for what it can be beside an agent
// that is asked one thing.
func (r *Rig) Open(args ...string) (*Process, error) {
	argv := append(r.Host.exe(r.install), args...)
	env := append(r.env(), r.Host.env(r.Model.URL())...)
	p, err := start(argv, r.Clone, append(env, r.Extra...))
	if err != nil {
		return nil, err
	}
	r.started = append(r.started, p)
	return p, nil
}
