// Package verdict turns what handlers left behind, exit codes and streams, into the one verdict that a host is told.
//
// It works in three steps, a file each. Read finds the reason of a block in a process's streams; it is written a second time
// in JavaScript for the shims, and runtime-js/testdata/verdicts.json is the table that both must pass. Of reads one handler's
// result by Claude Code's hook protocol. Fold makes one verdict of all of them.
//
// Nothing here starts a process or knows a harness; what an event's answer can do comes in as a harness.Binding.
package verdict
