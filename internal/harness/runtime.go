package harness

import "time"

// Runtime is what the Runtime HAL knows of one harness: how a process finds out that it runs inside of it, and what it can
// count on there. Unlike a Harness it says nothing of hooks, so it is there for agents that cannot be hooked, too.
type Runtime struct {
	ID     string // [a-z][a-z0-9-]*
	Name   string // for people
	Family string // id of the harness that it is a fork or a relative of; empty = none

	Markers    []Marker  // signs in the environment; any one that holds is enough
	SessionEnv []string  // variables that hold the session's id, the first that is not empty wins
	Processes  []Process // what an ancestor process looks like
	Files      []string  // slash paths below the workspace's root that show its use there

	Ranges []Range // by version, rising; the last is open
}

// Marker is a test on one variable of the environment. A variable that is empty counts as not there, and what is not there
// is never a sign. One of In, NotIn and Match is set, or none of them: then any value will do.
type Marker struct {
	Key   string
	In    []string
	NotIn []string
	Match string // a regular expression in the syntax that Go and JavaScript share
}

// Process is what an ancestor process looks like: one of the two is set.
type Process struct {
	Exe    string // exact name, without .exe
	Script string // end of the path of the script that an interpreter runs
}

// Range is what holds for a range of versions.
type Range struct {
	Until string // versions below this one; empty in the last range
	AsOf  string // the label under which the matrix can be asked for; empty = none

	Hooks        string // full, partial or none
	Startup      string // hook_injection, startup_fallback or polling
	GUPP         string // hook_injection, startup_fallback, prompt_preamble or polling
	Stall        time.Duration
	Nudge        time.Duration
	NudgeSupport string // filesystem, rendezvous, limited or none
	ContextFork  bool   // a session can be forked with its context
	Restart      bool   // a session can be ended and taken up again with its context
	SessionEnv   []string
	Labels       []Label   // the matrix's own words, where they say more than the values
	Commands     []Command // what starts an agent, in this order; of startup_fallback alone
}

// Label is the matrix's own word for one cell.
type Label struct {
	Cell string // the descriptor's key of the cell, or "name" for the column's head
	Word string
}

// Command is one shell line that starts an agent.
type Command struct {
	Line       string // {role} stands for the role
	Autonomous bool   // for roles that work without a person
}

// Cells are the capabilities that a matrix has a row for, by the descriptor's keys and in the matrix's order.
var Cells = []string{"hooks", "context_fork", "session_id_env", "startup", "gupp", "stall", "nudge", "nudge_support"}

// AutonomousRoles are the roles that work without a person, so that nobody tells them to look for mail.
var AutonomousRoles = []string{"polecat", "witness", "refinery", "deacon", "boot"}

// Roles are all roles of an agent.
var Roles = []string{"mayor", "witness", "refinery", "polecat", "crew", "deacon", "boot"}
