package config

import (
	"slices"

	"github.com/lorimer-dev/lorimer/internal/harness"
	"github.com/lorimer-dev/lorimer/internal/manifest"
	"github.com/lorimer-dev/lorimer/internal/strictyaml"
)

// FileName is where a clone's configuration stands, below its root.
const FileName = "lorimer.yaml"

// Version is the version of the file's format.
const Version = 1

// Config is a lorimer.yaml without faults.
type Config struct {
	Version   strictyaml.Int   `yaml:"version,required"`
	Harnesses []strictyaml.Str `yaml:"harnesses"` // ids; absent = those that are found
	Hooks     Hooks            `yaml:"hooks"`     // in Claude's shape; they become Handlers
	Handlers  []Handler        `yaml:"handlers"`
	StopGate  StopGate         `yaml:"stop_gate"`

	SelfProtect Bool `yaml:"self_protect"` // absent = true

	file     string
	sources  []source
	warnings []string // of reading
	inPlace  bool     // made from hooks that stand in a host's own files, not from a lorimer.yaml
}

// source is a file that the configuration was read from.
type source struct {
	path string // as the manifest names it; "" = as the caller of Manifest does
	data []byte
}

// StopGate is the loop guard around handlers that hold a stop.
type StopGate struct {
	MaxContinuations strictyaml.Int `yaml:"max_continuations"` // 0 = no limit; absent = 8
}

// Handler is one program of the user's.
type Handler struct {
	Pos       strictyaml.Pos      `yaml:"-"`
	File      string              `yaml:"-"` // where its places are; "" = the configuration's own
	Claude    bool                `yaml:"-"` // written in Claude's shape, which knows no on_limit
	Name      strictyaml.Str      `yaml:"name,required"`
	Event     Event               `yaml:"event,required"`
	Matcher   Matcher             `yaml:"matcher"`
	If        strictyaml.Str      `yaml:"if"` // a permission rule, as Claude writes it
	Argv      []strictyaml.Str    `yaml:"argv"`
	Run       strictyaml.Str      `yaml:"run"`
	Timeout   strictyaml.Duration `yaml:"timeout"`
	Order     strictyaml.Int      `yaml:"order"`
	Block     Bool                `yaml:"block"` // absent = true
	OnError   strictyaml.Str      `yaml:"on_error" enum:"allow|block"`
	OnLimit   strictyaml.Str      `yaml:"on_limit" enum:"allow|block"`
	Async     Bool                `yaml:"async"` // started, and not waited for
	Nested    bool                `yaml:"nested"`
	Harnesses []strictyaml.Str    `yaml:"harnesses"` // only in these; absent = in all
	Not       []strictyaml.Str    `yaml:"not"`       // in all but these
	Enabled   *bool               `yaml:"enabled"`   // absent = true
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
		return has(h.Harnesses, id)
	}
	return !has(h.Not, id)
}

// FailsClosed says whether the event must be blocked when the handler cannot answer.
func (h *Handler) FailsClosed() bool { return h.OnError.Text == string(manifest.BlockOnFault) }

func has(list []strictyaml.Str, id string) bool {
	for _, s := range list {
		if s.Text == id {
			return true
		}
	}
	return false
}

// MaxContinuations returns the cap of the stop gate; 0 = none.
func (c *Config) MaxContinuations() int {
	if n := c.StopGate.MaxContinuations; n.Set() {
		return n.N
	}
	return harness.DefaultMaxContinuations
}

// SelfProtects says whether agents are kept from changing the hooks themselves: where a handler may not fail open, it must not
// be taken away either.
func (c *Config) SelfProtects() bool {
	return c.SelfProtect.Or(true) && slices.ContainsFunc(c.Handlers, func(h Handler) bool { return h.On() && h.FailsClosed() })
}

// Subscription is an event of a harness that some handler wants, or the protection of the hooks themselves.
type Subscription struct {
	harness.Binding
	FailClosed bool // one of the handlers is on_error: block
}

// Subscriptions returns the events that are wanted in the harness, in the harness's own order.
func (c *Config) Subscriptions(h *harness.Harness) []Subscription {
	var all []Subscription
	protects := c.SelfProtects() && !c.RunsItself(h)
	for _, b := range h.Events {
		s, wanted := Subscription{Binding: b}, protects && b.Event == harness.PreToolUse && b.Has(harness.Block)
		for i := range c.Handlers {
			if x := &c.Handlers[i]; x.Event.Event == b.Event && x.In(h.ID) {
				wanted = true
				s.FailClosed = s.FailClosed || x.FailsClosed()
			}
		}
		if wanted {
			all = append(all, s)
		}
	}
	return all
}
