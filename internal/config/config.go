package config

import (
	"slices"

	"github.com/lorimer-dev/lorimer/internal/configfile"
	"github.com/lorimer-dev/lorimer/internal/harness"
	"github.com/lorimer-dev/lorimer/internal/manifest"
)

// FileName is where a clone's configuration stands, below its root.
const FileName = "lorimer.yaml"

// What a file says is package configfile's.
type (
	Handler = configfile.Handler
	Event   = configfile.Event
	Matcher = configfile.Matcher
	Bool    = configfile.Bool
)

// Config is a lorimer.yaml without faults.
type Config struct {
	configfile.File // the hooks of it have become Handlers

	file     string
	sources  []source
	env      []manifest.Env // the one that is overruled first
	warnings []string       // of reading
	hooked   []string       // files of inPlace in which hooks stand, as harness.Harness.Reads has them
	inPlace  bool           // made from hooks that stand in a host's own files, not from a lorimer.yaml
}

// source is a file that the configuration was read from.
type source struct {
	path string   // as the manifest names it; "" = as the caller of Manifest does
	keys []string // that count; empty = all of the file
	data []byte   // nil = there is no such file
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

// Subscription is an event of a harness that some handler wants, or the protection of the hooks themselves, or that one of these
// brings.
type Subscription struct {
	harness.Binding
	FailClosed bool // one of the handlers is on_error: block
	Brought    bool // no handler wants it: it is here for an event that brings it
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
	return withBrought(h, all)
}

// withBrought adds the events that the wanted ones bring, each at its place in the harness's own order.
func withBrought(h *harness.Harness, wanted []Subscription) (all []Subscription) {
	for _, b := range h.Events {
		if i := slices.IndexFunc(wanted, func(s Subscription) bool { return s.Event == b.Event }); i >= 0 {
			all = append(all, wanted[i])
		} else if slices.ContainsFunc(wanted, func(s Subscription) bool { return slices.Contains(s.Brings, b.Event) }) {
			all = append(all, Subscription{Binding: b, Brought: true})
		}
	}
	return all
}
