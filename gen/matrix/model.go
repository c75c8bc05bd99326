package matrix

import "github.com/lorimer-dev/lorimer/internal/harness"

// State is what a harness makes of a thing.
type State string

const (
	Yes     State = "yes"
	Partly  State = "partly"  // sometimes; Why says when not
	No      State = "no"      // not at all
	Unknown State = "unknown" // nobody has looked
)

// Cell is one answer.
type Cell struct {
	State  State  `json:"state"`
	Proven string `json:"proven,omitempty"` // by what it was seen; empty: it is claimed
	Why    string `json:"why,omitempty"`    // of partly and no
}

// Matrix is what all harnesses can.
type Matrix struct {
	AsOf      string    `json:"as_of"` // the label of the versions that were asked for; empty: the newest
	Harnesses []Harness `json:"harnesses"`
}

// Harness is one column.
type Harness struct {
	ID       string   `json:"id"`
	Name     string   `json:"name"`
	Homepage string   `json:"homepage,omitempty"`
	Kind     string   `json:"kind"`               // generative, external, bare
	Joined   string   `json:"joined"`             // where lorimer joins it
	Proof    *Proof   `json:"proof,omitempty"`    // absent: claimed
	Sources  []Source `json:"sources"`            // what is known of it, from where
	Trust    string   `json:"trust,omitempty"`    // what the user has to do first
	Polarity []Fault  `json:"polarity,omitempty"` // external: what it makes of a hook that breaks
	Events   []Event  `json:"events"`             // all of the neutral ones
	Session  *Session `json:"session,omitempty"`  // what the HAL knows
}

// Proof is what a harness was certified on.
type Proof struct {
	Package  string `json:"package"`
	Version  string `json:"version"`
	Date     string `json:"date"`
	Evidence string `json:"evidence,omitempty"`
}

// Source is a dated fact.
type Source struct {
	Date string `json:"date"`
	Text string `json:"text"`
	From string `json:"from,omitempty"`
}

// Fault is what the harness does when a hook does not answer as it should: it lets the agent go on, or it blocks.
type Fault struct {
	Of     string `json:"of"`
	Blocks bool   `json:"blocks"`
}

// Event is what a harness makes of one neutral event.
type Event struct {
	Event   harness.Event `json:"event"`
	Host    string        `json:"host,omitempty"`
	Limit   string        `json:"limit,omitempty"`
	Cell    Cell          `json:"cell"`
	Effects []Effect      `json:"effects"` // those that some harness has at the event
}

// Effect is what an answer to the event can do.
type Effect struct {
	Effect harness.Effect `json:"effect"`
	Cell   Cell           `json:"cell"`
}

// Session is the HAL's row for the versions that were asked for.
type Session struct {
	Until       string `json:"until,omitempty"` // versions below this one
	Hooks       string `json:"hooks"`
	Startup     string `json:"startup"`
	GUPP        string `json:"gupp"`
	Nudge       string `json:"nudge"`
	ContextFork bool   `json:"context_fork"`
	Restart     bool   `json:"restart"`
}
