//go:build linux

package rig

// Program is the host's own executable, for programs that start hosts themselves. It is empty for a host that another program
// has to run.
func (h *Host) Program(in Install) string {
	if argv := h.exe(in); len(argv) == 1 {
		return argv[0]
	}
	return ""
}

// Environ is the whole environment for a program that starts the host itself.
func (r *Rig) Environ() []string { return append(r.env(), r.Host.env(r.Model.URL())...) }
