// Package dispatch is the hot path: what happens between a harness's hook event and the verdict that the harness is told.
//
// A process is started for one event, and it ends with one of two exit codes: 2 for a verdict, 0 for everything else. That
// rule is the reason for much of what is here. Go's own exit code for a panic is 2, so every panic is recovered; a fault of
// ours must never block by accident, so faults travel as errors up to one place (fault.go) that knows the failure policy; and
// no fault passes silently, so each leaves a loud line (loud.go).
//
// The way through the package is Run, which reads like a table of contents; each step has its file. Handlers are
// processes: program.go is what they are everywhere, program_unix.go and program_windows.go what differs.
//
// No harness is known here. What one can do comes in as a row of the generated table, so tests bring rows of their own.
package dispatch
