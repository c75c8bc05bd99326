// Package recorded holds what agents that are not run here are known to send to their hooks, and a test of what becomes of it.
//
// testdata/<id>/<name>.txtar is one payload: where it comes from, then the payload under the name of the neutral event, then what
// lorimer makes of it: the payload that handlers read, and what the agent is told for each thing that an answer can do. The first
// two are written by a person, the rest by `go test ./internal/recorded -update`. A new agent is a folder, and no line of code.
package recorded
