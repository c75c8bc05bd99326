//go:build !unix

package procgroup

import "os/exec"

// Bind does nothing: there are no process groups, and the program alone is ended.
func Bind(*exec.Cmd) {}
