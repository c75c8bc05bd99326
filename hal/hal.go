package hal

import (
	"time"

	"github.com/lorimer-dev/lorimer/golden/go/runtimes"
	"github.com/lorimer-dev/lorimer/internal/ancestry"
	"github.com/lorimer-dev/lorimer/internal/sense"
)

// RuntimeHAL is the interface that consumers program against.
type RuntimeHAL interface {
	// DetectProvider returns the runtime.
	DetectProvider() RuntimeProvider
	// GetStartupStrategy returns how an agent gets its first context here.
	GetStartupStrategy() StartupStrategy
	// GetStartupCommands returns the shell lines that start an agent of the role, in their order: none unless the strategy is
	// StartupFallback, and for a role that is not known those of a person's role.
	GetStartupCommands(role AgentRole) []string
	// SupportsHooks says whether the runtime runs hooks at every moment that the strategies need.
	SupportsHooks() bool
	// SupportsNudge says whether an agent can be nudged.
	SupportsNudge() bool
	// SupportsRestart says whether a session can be ended and taken up again with its context.
	SupportsRestart() bool
	// GetSessionID returns the session's id, and false while it is not known, which says nothing about hooks.
	GetSessionID() (string, bool)
	// GetGUPPStrategy returns how an agent is held to its rules here.
	GetGUPPStrategy() GUPPStrategy
	// GetStallThreshold returns the silence after which an agent counts as stalled.
	GetStallThreshold() time.Duration
	// GetNudgeInterval returns the time between two nudges.
	GetNudgeInterval() time.Duration
}

// Options are what New takes. The zero value is this process's own world.
type Options struct {
	Runtime        string // the runtime's id, as GT_RUNTIME
	RuntimeVersion string // the runtime's version, as it prints it; without one the newest is assumed

	Getenv    func(name string) string   // nil = the environment
	Dir       string                     // empty = the working directory
	Ancestors func() ([]Ancestor, error) // nil = the system's process table; the nearest first
}

// HAL is a RuntimeHAL that can be asked how it knows. It is safe for use by many goroutines.
type HAL struct{ engine *sense.HAL }

var _ RuntimeHAL = (*HAL)(nil)

// New returns a HAL that looks at its first question, and keeps what it saw.
func New(o Options) *HAL {
	s := sense.Options{Rows: runtimes.All, Runtime: o.Runtime, Version: o.RuntimeVersion, Getenv: o.Getenv, Dir: o.Dir}
	if o.Ancestors != nil {
		s.Ancestors = func() (list []ancestry.Process, err error) {
			all, err := o.Ancestors()
			for _, p := range all {
				list = append(list, ancestry.Process(p))
			}
			return list, err
		}
	}
	return &HAL{sense.New(s)}
}

// DetectProvider implements RuntimeHAL.
func (h *HAL) DetectProvider() RuntimeProvider { return RuntimeProvider(h.engine.Answers().Provider) }

// GetStartupStrategy implements RuntimeHAL.
func (h *HAL) GetStartupStrategy() StartupStrategy {
	return StartupStrategy(h.engine.Answers().Startup)
}

// GetStartupCommands implements RuntimeHAL.
func (h *HAL) GetStartupCommands(role AgentRole) []string {
	lines, _ := h.engine.Commands(string(role))
	return lines
}

// SupportsHooks implements RuntimeHAL.
func (h *HAL) SupportsHooks() bool { return h.engine.Answers().Hooks }

// SupportsNudge implements RuntimeHAL.
func (h *HAL) SupportsNudge() bool { return h.engine.Answers().Nudge }

// SupportsRestart implements RuntimeHAL.
func (h *HAL) SupportsRestart() bool { return h.engine.Answers().Restart }

// GetSessionID implements RuntimeHAL.
func (h *HAL) GetSessionID() (string, bool) {
	id := h.engine.Answers().SessionID
	return id, id != ""
}

// GetGUPPStrategy implements RuntimeHAL.
func (h *HAL) GetGUPPStrategy() GUPPStrategy { return GUPPStrategy(h.engine.Answers().GUPP) }

// GetStallThreshold implements RuntimeHAL.
func (h *HAL) GetStallThreshold() time.Duration { return h.engine.Answers().Stall }

// GetNudgeInterval implements RuntimeHAL.
func (h *HAL) GetNudgeInterval() time.Duration { return h.engine.Answers().Interval }

// Explain returns how the runtime was found out.
func (h *HAL) Explain() Detection {
	d := h.engine.Detection()
	out := Detection{Provider: RuntimeProvider(d.Provider), By: d.By, Warnings: append([]string{}, d.Warnings...)}
	for _, s := range d.Steps {
		out.Steps = append(out.Steps, Step{Name: s.Name, Saw: append([]string{}, s.Saw...), Answer: RuntimeProvider(s.Answer), Why: s.Why})
	}
	return out
}

// Warnings returns what was asked for, by variables or options, and could not be done.
func (h *HAL) Warnings() []string { return append([]string{}, h.engine.Answers().Warnings...) }
