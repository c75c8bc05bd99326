package sense

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/lorimer-dev/lorimer/internal/harness"
)

// The words of startup and GUPP strategies.
const (
	HookInjection   = "hook_injection"
	StartupFallback = "startup_fallback"
	PromptPreamble  = "prompt_preamble"
	Polling         = "polling"
)

// Answers is what can be counted on in a runtime.
type Answers struct {
	Provider string
	Name     string // for people
	Family   string
	Version  string // as it was given; empty = unknown
	Range    harness.Range

	Startup   string // hook_injection, startup_fallback or polling
	GUPP      string // hook_injection, startup_fallback, prompt_preamble or polling
	Hooks     bool
	Nudge     bool
	Restart   bool
	SessionID string // empty = not known, which says nothing about hooks
	Stall     time.Duration
	Interval  time.Duration // between two nudges

	Warnings []string // those of the detection, and overrides that do not hold
}

// nothing is the row of the unknown runtime where the rows have none.
var nothing = harness.Runtime{ID: Unknown, Name: "Unknown runtime", Ranges: []harness.Range{{
	Hooks: "none", Startup: Polling, GUPP: Polling, Stall: 300 * time.Second, Nudge: 120 * time.Second, NudgeSupport: "filesystem",
}}}

func (o Options) answer(row *harness.Runtime, d *Detection) Answers {
	w := &warnings{list: d.Warnings}
	r := rangeOf(row, o.Version, w)
	a := Answers{
		Provider: d.Provider, Name: row.Name, Family: row.Family, Version: o.Version, Range: r,
		Startup: r.Startup, GUPP: o.gupp(r, w),
		Hooks: r.Hooks == "full", Nudge: r.NudgeSupport != "none", Restart: r.Restart,
		SessionID: o.session(row),
		Stall:     o.seconds("GT_STALL_THRESHOLD", r.Stall, w),
		Interval:  o.seconds("GT_NUDGE_INTERVAL", r.Nudge, w),
	}
	a.Warnings = append([]string{}, w.list...)
	return a
}

type warnings struct{ list []string }

func (w *warnings) add(format string, args ...any) {
	w.list = append(w.list, fmt.Sprintf(format, args...))
}

// session returns the id that the runtime, or whoever started the agent, has put into the environment.
func (o Options) session(row *harness.Runtime) string {
	for _, name := range append(slices.Clone(row.SessionEnv), "GT_SESSION_ID") {
		if id := o.Getenv(name); id != "" {
			return id
		}
	}
	return ""
}

// seconds lets a variable overrule a time; one that is no positive whole number does not.
func (o Options) seconds(name string, def time.Duration, w *warnings) time.Duration {
	text := o.Getenv(name)
	if text == "" {
		return def
	}
	n, err := strconv.ParseUint(text, 10, 32) // takes no sign
	if err != nil || n == 0 || len(text) > 9 {
		w.add("%s is %q; expected a positive whole number of seconds, so %s stays", name, text, def)
		return def
	}
	return time.Duration(n) * time.Second
}

// gupp lets GT_GUPP_STRATEGY overrule the default, but nothing injects by hooks where there are none.
func (o Options) gupp(r harness.Range, w *warnings) string {
	text := o.Getenv("GT_GUPP_STRATEGY")
	switch {
	case text == "":
	case !slices.Contains([]string{HookInjection, StartupFallback, PromptPreamble, Polling}, text):
		w.add("GT_GUPP_STRATEGY is %q; expected hook_injection, startup_fallback, prompt_preamble or polling, so %s stays", text, r.GUPP)
	case text == HookInjection && r.Hooks != "full":
		w.add("GT_GUPP_STRATEGY is %s, but this runtime has no hooks to inject by, so %s stays", text, r.GUPP)
	default:
		return text
	}
	return r.GUPP
}

// Commands returns the shell lines that start an agent of the role, and a warning when the role is not known: such a one gets
// what a person's role gets, without the lines that its name would have to be put into.
func (h *HAL) Commands(role string) (lines []string, warning string) {
	known := slices.Contains(harness.Roles, role)
	if !known {
		warning = fmt.Sprintf("%q is no role that is known; expected one of %s", role, strings.Join(harness.Roles, ", "))
	}
	autonomous := slices.Contains(harness.AutonomousRoles, role)
	lines = []string{}
	for _, c := range h.Answers().Range.Commands {
		named := strings.Contains(c.Line, "{role}")
		if c.Autonomous && !autonomous || named && !known {
			continue
		}
		lines = append(lines, strings.ReplaceAll(c.Line, "{role}", role))
	}
	return lines, warning
}
