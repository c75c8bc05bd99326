//go:build linux

package rig

// Argv is what starts the host: a program, and what comes first behind it.
func (h *Host) Argv(in Install) []string { return h.exe(in) }
