// Package setup is `lorimer init`: one step from a clone with hooks, or with none, to a block that is proven.
//
// It looks (survey.go, agents.go, sources.go: which agents are here, which hooks, and what of them cannot work), says what every
// handler will do in every agent (table.go) and what would be written, asks, writes with what `lorimer materialize` is made of,
// and then fires a probe through each path that was hooked (prove.go): from the agent's own file in the clone, through the
// dispatcher and the trust record, to a handler and back to what the agent makes of the answer. The user's handlers are not run.
//
// A clone without hooks is offered ready ones (ready.go). They are files of the user's from then on, written where the agent
// whose protocol hooks speak keeps its own, so that a lorimer.yaml is not needed for them.
package setup
