package doctor

// Level says how much a finding matters.
type Level string

const (
	OK      Level = "ok"      // as it should be
	Note    Level = "note"    // worth knowing, or not to be known from here
	Problem Level = "problem" // some hook does not do what it should
)

// Check names what was looked at.
type Check string

const (
	Dispatcher Check = "dispatcher" // the program that hooks start
	Trust      Check = "trust"      // ours of the clone, or the agent's own
	Switch     Check = "switch"     // lorimer off, LORIMER_DISABLE
	Directory  Check = "directory"  // which clone an agent would see
	Files      Check = "files"      // there, and what materialize would write
	Edited     Check = "edited"     // by somebody else
	LeftOver   Check = "left over"  // from an older lorimer, or other options
	Handlers   Check = "handlers"   // what they need to run
	Installed  Check = "installed"
	Version    Check = "version"
	Scope      Check = "scope"    // at which level the agent has its hooks
	Shadowed   Check = "shadowed" // something hides the hooks from the agent
	Twice      Check = "twice"    // a hook that the agent runs twice
	Fires      Check = "fires"    // whether events come in real sessions
	Probe      Check = "probe"    // sent through the agent's own file
	Live       Check = "live"     // the installed agent itself
)

// checks are all of them, in the order in which one looks for a fault.
var checks = []Check{
	Directory, Dispatcher, Installed, Version, Trust, Switch, LeftOver, Scope, Edited, Files, Handlers, Shadowed, Twice, Fires, Probe, Live,
}

// Finding is one thing that was looked at.
type Finding struct {
	Harness string `json:"harness,omitempty"` // absent: the clone as a whole
	Check   Check  `json:"check"`
	Level   Level  `json:"level"`
	What    string `json:"what"`         // was seen
	Do      string `json:"do,omitempty"` // the remedy
}

// Report is all that was found in a clone.
type Report struct {
	Root     string    `json:"root"`
	Healthy  bool      `json:"healthy"` // no problem
	Findings []Finding `json:"findings"`

	agents []agent // in the order in which they are shown
}

// agent is how a harness is shown.
type agent struct{ id, title string }

func (r *Report) add(id string, check Check, level Level, what, do string) {
	r.Findings = append(r.Findings, Finding{id, check, level, what, do})
	r.Healthy = r.Healthy && level != Problem
}

// bad says whether something of one agent is a problem already.
func (r *Report) bad(id string, check Check) bool {
	for _, f := range r.Findings {
		if f.Harness == id && f.Check == check && f.Level == Problem {
			return true
		}
	}
	return false
}
