// Package doctor is `lorimer doctor`: why a hook does not do what it should, and what to do about it.
//
// `lorimer status` says what is in force, from receipts and from the files. A doctor looks further: whether the agent is here at
// all and which version, whether its files are there, current and unedited, whether anybody agreed to the hooks, here and in the
// agent's own trust, whether another file or switch hides them, whether something runs twice, what an older lorimer left behind.
// Then it sends the probe of `lorimer init` through each path, and with Live runs the installed agent itself.
//
// Each finding (finding.go) names what was looked at, what was seen and the remedy. What is looked at of the clone is in clone.go,
// of its files in files.go, of one agent in agent.go and host.go; nothing here writes.
package doctor
