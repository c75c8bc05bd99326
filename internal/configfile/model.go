package configfile

import "github.com/lorimer-dev/lorimer/internal/strictyaml"

// Version is the version of the file's format.
const Version = 1

// File is what a lorimer.yaml says: which programs of yours run on which events, in which coding agents.
type File struct {
	Version     strictyaml.Int                 `yaml:"version,required" form:"version"` // of the format; 1
	Harnesses   []strictyaml.Str               `yaml:"harnesses" form:"harness"`        // the coding agents to serve, by id; absent: those that are found
	Hooks       Hooks                          `yaml:"hooks"`                           // hooks exactly as Claude Code's settings.json has them, run in every agent
	Handlers    []Handler                      `yaml:"handlers"`                        // your programs
	StopGate    StopGate                       `yaml:"stop_gate"`                       // the guard against agents that are never allowed to stop
	Env         strictyaml.Map[strictyaml.Str] `yaml:"env" keys:"variable"`             // variables that your programs get in every agent, over the agent's own environment; nothing in them is expanded
	SelfProtect Bool                           `yaml:"self_protect"`                    // keep agents from changing the hooks themselves while one has on_error: block; absent: true
}

// StopGate is the loop guard around handlers that hold a stop.
type StopGate struct {
	MaxContinuations strictyaml.Int `yaml:"max_continuations" form:"count"` // how often in a row a stop may be blocked before it is allowed; 0: no limit; absent: 8
}

// Handler is one program of yours.
type Handler struct {
	Pos    strictyaml.Pos `yaml:"-"`
	File   string         `yaml:"-"` // where its places are; "" = the configuration's own
	Claude bool           `yaml:"-"` // written in Claude's shape, which knows no on_limit

	Managed bool   `yaml:"-"` // an organization set it for the machine
	Group   string `yaml:"-"` // of Claude's shape, in which it stands, as a text

	Name      strictyaml.Str      `yaml:"name,required" form:"name"`   // what messages and `lorimer off` call it; must be the only one of its name
	Event     Event               `yaml:"event,required"`              // when it runs, in Claude Code's words
	Matcher   Matcher             `yaml:"matcher"`                     // which tools: names such as Bash or Write|Edit, or a regular expression; absent: all
	If        strictyaml.Str      `yaml:"if"`                          // only for calls that fit a permission rule, for example Bash(git push *); tool events alone
	Files     []strictyaml.Str    `yaml:"files" form:"nonempty"`       // only for calls that touch a file which fits one of these, written as in a .gitignore, for example *.go or src/**; tool events alone
	Argv      []strictyaml.Str    `yaml:"argv"`                        // the program and its arguments, without a shell; {file_path} stands for each file that the tool touches, with files: for each that fits
	Run       strictyaml.Str      `yaml:"run"`                         // or a shell line
	Timeout   strictyaml.Duration `yaml:"timeout"`                     // how long it may take; absent: as long as the agent waits for hooks
	Order     strictyaml.Int      `yaml:"order"`                       // ascending; handlers of equal order run at the same time; absent: 0
	Block     Bool                `yaml:"block"`                       // false: its verdict is noted, not obeyed; absent: true
	OnError   strictyaml.Str      `yaml:"on_error" enum:"allow|block"` // what holds when it is missing, crashes or takes too long; absent: allow
	OnLimit   strictyaml.Str      `yaml:"on_limit" enum:"allow|block"` // what holds when the agent's own time limit cuts it short; absent: as on_error
	Async     Bool                `yaml:"async"`                       // it is started and not waited for, and so can block nothing
	Redacts   Bool                `yaml:"redacts"`                     // it takes out of a tool's result what the model must not read; refused for agents that cannot be given another result
	Nested    bool                `yaml:"nested"`                      // it also runs for agents that were started by a handler
	Harnesses []strictyaml.Str    `yaml:"harnesses" form:"harness"`    // only in these agents, by id; absent: in all
	Not       []strictyaml.Str    `yaml:"not" form:"harness"`          // in all agents but these
	Enabled   *bool               `yaml:"enabled"`                     // false: it is left out; absent: true
}

// Noun lets faults call it by name.
func (Handler) Noun() string { return "a handler" }

// On says whether the handler is switched on.
func (h *Handler) On() bool { return h.Enabled == nil || *h.Enabled }

// In says whether the handler is meant for the harness.
func (h *Handler) In(id string) bool {
	switch {
	case !h.On():
		return false
	case len(h.Harnesses) > 0:
		return Has(h.Harnesses, id)
	}
	return !Has(h.Not, id)
}

// FailsClosed says whether the event must be blocked when the handler cannot answer.
func (h *Handler) FailsClosed() bool { return h.OnError.Text == "block" }

// Has says whether a list of ids has one.
func Has(list []strictyaml.Str, id string) bool {
	for _, s := range list {
		if s.Text == id {
			return true
		}
	}
	return false
}
