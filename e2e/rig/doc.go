// Package rig runs a real agent once, the way a user runs it, and keeps what can be seen of it.
//
// A Rig is one scratch world: a throwaway home, a project with a lorimer.yaml and a handler in it, a fake model, and a
// small fixed environment with dummy keys. Lorimer is used through its built binaries alone. What came of a run is read
// from four places: the exit status and the streams of the agent (Process), what the handlers were given (Calls), what the
// model has read (Model), and the file system.
//
// A Host (host.go) is all that is known here of one agent: its argv, its keys, its names for two tools. This is test code,
// so it may know them; the product gets the same from descriptors.
//
// Whatever a rig starts is waited for or killed when the rig is closed, found by process group and by a variable that only
// its own processes carry. Nothing else is touched.
package rig
