package dispatch

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"time"

	"github.com/lorimer-dev/lorimer/internal/harness"
	"github.com/lorimer-dev/lorimer/internal/manifest"
	"github.com/lorimer-dev/lorimer/internal/once"
	"github.com/lorimer-dev/lorimer/internal/rawjson"
	"github.com/lorimer-dev/lorimer/internal/receipt"
	"github.com/lorimer-dev/lorimer/internal/state"
	"github.com/lorimer-dev/lorimer/internal/trust"
	"github.com/lorimer-dev/lorimer/internal/verdict"
)

// Options is what the process was started with. The environment and the working directory are the process's own.
type Options struct {
	Args    []string           // the command line, without the program's name
	Stdin   io.Reader          // the payload; read only when a handler wants it
	Table   []*harness.Harness // the generated rows
	Version string             // for --version
}

// Run serves one event and returns what to print and how to exit. It never panics, and the exit code is 0 or 2.
func Run(ctx context.Context, o Options) harness.Reply {
	if slices.Contains(o.Args, "--version") {
		return harness.Reply{Stdout: fmt.Sprintf("lorimer-dispatch %s, protocol %d\n", o.Version, harness.Protocol)}
	}
	if len(o.Args) == 1 && o.Args[0] == probeFlag {
		return beProbe()
	}
	c := &call{Options: o, began: time.Now()}
	v, err := c.verdict(ctx)
	switch {
	case errors.Is(err, errNothingToDo):
		return harness.Reply{}
	case errors.Is(err, errOff):
		v = harness.Verdict{}
	case errors.Is(err, errDisabled):
		c.say(err.Error())
		v = harness.Verdict{}
	case err != nil:
		v = c.onFault(err)
	}
	reply := c.answer(v)
	c.leaveReceipts(err, reply)
	return reply
}

// call is one event on its way through the steps. Each step fills in what it found out.
type call struct {
	Options
	began time.Time

	// The command line.
	harness    *harness.Harness
	event      harness.Event
	slot       harness.Event // that the command line names; the event may turn out to be another, see tellEvent
	binding    harness.Binding
	rootFlag   string
	user       bool // the hook stands in the user's own files and serves every clone
	failClosed bool

	// The clone.
	root     string // absolute, symlinks resolved
	manifest []byte
	compiled time.Time // when the manifest was written
	view     manifest.View
	handlers []manifest.Handler // of this event and harness; set only once the manifest is known to be trusted

	// The event.
	stdin   []byte         // as the host sent it
	host    rawjson.Object // its top level
	heard   bool           // stdin was read
	unheard error          // what is wrong with it
	claimed *once.Key
	// The harness that the command line names has readers, and the payload is neither its own nor that of one of them.
	stranger bool
	payload  []byte         // as handlers get it: in Claude's shape
	fields   rawjson.Object // its top level

	input   hostInput
	loud    []string
	notices []notice
	trial   *Question // nothing of the call may be remembered, see Try; nil = a host asks

	wanted    []job  // what is run
	asideDone bool   // see aside
	envDir    string // of the handlers' files for variables, see giveEnvFiles; "" = none
	env       string // the variables that they left, as JSON; "" = none

	// For the receipts.
	final      harness.Verdict // that the host was told
	seen       bool            // see noteSeen
	ran        []ran
	ends       handlerEnds
	receipts   map[string]*receipt.File // by handler; this and what follows: see openReceipts
	last       *receipt.List            // nil = it could not be opened
	dispatched receipt.Dispatch         // all but how it ended
	version    string                   // of the host
}

// errNothingToDo ends a call early: exit 0, silently.
var errNothingToDo = errors.New("nothing to do")

// errDisabled ends a call early: exit 0, with a line. The user turned one session off, and must not forget it.
var errDisabled = errors.New("LORIMER_DISABLE is 1, so no hook was run")

// verdict takes the steps. An error is a fault, and what a fault means is decided in one place, onFault.
func (c *call) verdict(ctx context.Context) (v harness.Verdict, err error) {
	defer recovered(&err)
	if err := c.readArgs(); err != nil {
		return v, err
	}
	if err := c.openManifest(); err != nil {
		return v, err
	}
	if err := c.hearSpeaker(); err != nil {
		return v, err
	}
	if err := c.tellEvent(); err != nil {
		return v, err
	}
	if err := c.wantHandlers(); err != nil {
		return v, err
	}
	if err := c.readPayload(); err != nil {
		return v, err
	}
	if err := c.claimEvent(); err != nil {
		return v, err
	}
	if err := c.noteForStopGate(); err != nil {
		return v, err
	}
	parts := c.runAll(ctx, c.selected())
	c.keepClaim()
	v, notes := verdict.Fold(c.binding, parts)
	v.Env = c.env
	c.say(notes...)
	if !v.Blocked { // whose reason has standard error for itself
		c.checkDebug()
	}
	return c.askable(v), nil
}

// wantHandlers refuses a manifest that the user did not agree to, and ends the call when nobody wants the event. It is in
// this order because a manifest can be falsified by leaving a handler out; to know that costs some hundredths of a process.
func (c *call) wantHandlers() error {
	home, err := state.Home()
	if err != nil {
		return fmt.Errorf("the hooks of %s cannot be trusted: %w", c.root, err)
	}
	if err := trust.CheckResolved(home, c.root, c.manifest); err != nil {
		if os.Getenv("LORIMER_TRUST") != "1" {
			return err
		}
		c.note("trust", fmt.Sprintf("the hooks of %s are run because LORIMER_TRUST is 1, whoever wrote them", c.root))
	}
	all, err := c.view.Handlers(c.event, c.harness.ID)
	if err != nil {
		return fmt.Errorf("%s: %w; run `lorimer materialize %s`", manifest.Path(c.root), err, c.root)
	}
	c.handlers = slices.DeleteFunc(all, tooDeep)
	c.handlers = append(c.handlers, c.builtIn()...)
	switch {
	case len(c.handlers) == 0 && !c.broughtAlong():
		return errNothingToDo
	case len(c.handlers) > 0 && os.Getenv("LORIMER_DISABLE") == "1":
		return errDisabled
	}
	if err := c.withoutOff(home); err != nil {
		return err
	}
	return c.takeProbe()
}

// broughtAlong says whether an event that no handler wants is hooked all the same, because one that is wanted needs to know of it.
func (c *call) broughtAlong() bool {
	return slices.ContainsFunc(c.harness.Events, func(b harness.Binding) bool {
		return slices.Contains(b.Brings, c.slot) && c.view.Wants(c.harness.ID, b.Event)
	})
}

// tooDeep says whether the handler must not run because a handler is above us already.
func tooDeep(h manifest.Handler) bool { return depth() > 0 && !h.Nested }

// recovered turns a panic into an error: the exit code of Go's own panic is the one that blocks.
func recovered(err *error) {
	if p := recover(); p != nil {
		*err = fmt.Errorf("lorimer-dispatch itself failed: %v; please report it", p)
	}
}
