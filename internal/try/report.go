package try

import (
	"encoding/json"
	"io"
	"slices"

	"github.com/lorimer-dev/lorimer/internal/harness"
)

// Report is what came of it.
type Report struct {
	Root   string        `json:"root"`
	Source string        `json:"source"` // manifest: what agents run; compiled: what they would run after materialize
	Event  harness.Event `json:"event"`
	Title  string        `json:"title"` // for people
	DryRun bool          `json:"dry_run"`
	Agents []Agent       `json:"agents"`
	Notes  []string      `json:"notes"` // of the clone as a whole
}

// Agent is what one agent would do.
type Agent struct {
	Harness  string           `json:"harness"`
	Name     string           `json:"name"`
	Itself   bool             `json:"itself"`            // it runs these hooks by itself, without lorimer
	Verdict  string           `json:"verdict,omitempty"` // allowed | blocked | asked; absent when nobody was asked
	Does     string           `json:"does"`              // for people
	By       []string         `json:"by,omitempty"`      // whose doing that is
	Reads    []Reading        `json:"reads"`
	Can      []harness.Effect `json:"can"`      // what an answer to the event can do in it
	Handlers []Handler        `json:"handlers"` // of the event
	Loud     []string         `json:"loud"`     // what it cannot carry, and what failed
	Notes    []string         `json:"notes"`
	Payload  string           `json:"payload,omitempty"` // as its handlers get it
	Answer   *Answer          `json:"answer,omitempty"`  // what the agent's hook prints; absent when that is nothing
	Error    string           `json:"error,omitempty"`   // why it cannot be said

	has  bool // the event at all
	open bool // it runs handlers of the event by rules of its own, so what it does cannot be said
}

// Answer is what lorimer-dispatch would tell the agent.
type Answer struct {
	Exit   int    `json:"exit"`
	Stdout string `json:"stdout"`
	Stderr string `json:"stderr"`
}

// Handler is one handler in one agent.
type Handler struct {
	Name       string   `json:"name"`
	Missed     string   `json:"not_asked,omitempty"` // why
	Verdict    string   `json:"verdict,omitempty"`   // allowed | blocked | asked | failed
	Obeyed     bool     `json:"obeyed"`              // false: block: false
	Reason     string   `json:"reason,omitempty"`
	Context    string   `json:"context,omitempty"`
	Input      string   `json:"input,omitempty"`  // that the tool is to get, JSON
	Result     string   `json:"result,omitempty"` // that the model is to read, JSON
	Notice     string   `json:"notice,omitempty"`
	NotCarried []string `json:"not_carried,omitempty"` // by Claude's names
	Millis     float64  `json:"ms"`
}

func (r *Report) status() int {
	switch {
	case slices.ContainsFunc(r.Agents, func(a Agent) bool { return a.Error != "" }):
		return Failed
	case slices.ContainsFunc(r.Agents, func(a Agent) bool { return a.Verdict == "blocked" || a.Verdict == "asked" }):
		return Held
	case slices.ContainsFunc(r.Agents, func(a Agent) bool { return a.open }):
		return Failed
	}
	return Passes
}

func (r *Report) json(w io.Writer) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	r.Notes = append([]string{}, r.Notes...)
	for i := range r.Agents {
		r.Agents[i].Can = append([]harness.Effect{}, r.Agents[i].Can...)
	}
	return enc.Encode(r)
}
