package setup

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/lorimer-dev/lorimer/internal/conform"
	"github.com/lorimer-dev/lorimer/internal/dispatch"
	"github.com/lorimer-dev/lorimer/internal/harness"
	"github.com/lorimer-dev/lorimer/internal/hosttrust"
	"github.com/lorimer-dev/lorimer/internal/materialize"
	"github.com/lorimer-dev/lorimer/internal/off"
	"github.com/lorimer-dev/lorimer/internal/state"
)

// Proof is what came of the probe on one event of one agent.
type Proof struct {
	Harness string        `json:"harness"`
	Name    string        `json:"name"`
	Event   harness.Event `json:"event"`
	Proven  bool          `json:"proven"`
	What    string        `json:"what"` // was seen; or why it is not proven
}

// prove fires the probe through every path that was hooked, and says whether all came through.
func (c *Command) prove(ctx context.Context, s *survey) bool {
	if s.plan == nil {
		return true
	}
	s.Proof = append(s.Proof, c.Probe(ctx, s.Root, s.plan.Harnesses)...)
	for _, h := range s.plan.Harnesses {
		if !h.Itself && len(h.Events) > 0 {
			if h.Trust != "" && !c.trusted(ctx, s.Root, h) {
				s.Next = append(s.Next, h.Trust)
			}
		}
	}
	if !c.JSON {
		s.showProof(c.Stdout)
	}
	return !slices.ContainsFunc(s.Proof, func(p Proof) bool { return !p.Proven })
}

// trusted says whether the agent itself says that it trusts its hooks.
func (c *Command) trusted(ctx context.Context, root string, h materialize.Harness) bool {
	row := c.Table[slices.IndexFunc(c.Table, func(x *harness.Harness) bool { return x.ID == h.ID })]
	_, why, known := hosttrust.Asker{Harness: row, Root: root, Program: c.program(row)}.Distrusts(ctx, h.Commands)
	return known && why == ""
}

// Probe fires the probe through every path to agents of a clone that hooks were put into.
func (c *Command) Probe(ctx context.Context, root string, agents []materialize.Harness) (all []Proof) {
	if c.Carriers == nil {
		c.Carriers = conform.FindCarriers()
	}
	for _, h := range agents {
		if !h.Itself && len(h.Events) > 0 {
			all = append(all, c.fire(ctx, root, h)...)
		}
	}
	return all
}

// fire proves one agent.
func (c *Command) fire(ctx context.Context, root string, h materialize.Harness) []Proof {
	shots, marks, err := c.shoot(ctx, root, h)
	row := c.Table[slices.IndexFunc(c.Table, func(x *harness.Harness) bool { return x.ID == h.ID })]
	var all []Proof
	for _, e := range h.Events {
		if slices.Contains(h.Brought, e) {
			continue // no handler is to be reached, so the probe stands for none
		}
		p := Proof{Harness: h.ID, Name: h.Name, Event: e}
		i := slices.IndexFunc(shots, func(x conform.Shot) bool { return x.Event == e })
		switch {
		case i >= 0:
			b, _ := row.Binding(e)
			p.Proven, p.What = judge(shots[i], b, slices.Contains(marks, h.ID+" "+string(e)))
			if why := c.switchedOff(root); !p.Proven && why != "" {
				p.What = why
			}
		case err != nil:
			p.What = err.Error()
		default:
			p.What = "it was not fired"
		}
		all = append(all, p)
	}
	return all
}

// switchedOff says why nothing was to fire; "" = it was.
func (c *Command) switchedOff(root string) string {
	if os.Getenv("LORIMER_DISABLE") == "1" {
		return "LORIMER_DISABLE is 1 here: an agent that is started from this shell runs no hook"
	}
	if list := off.Read(c.Home, root, time.Now()); len(list) > 0 {
		return list[0].String()
	}
	return ""
}

// shoot imitates the agent over its own file, in an environment in which the dispatcher runs the probe. marks are what the
// probe left behind.
func (c *Command) shoot(ctx context.Context, root string, h materialize.Harness) (shots []conform.Shot, marks []string, err error) {
	dir, err := os.MkdirTemp("", "lorimer-init")
	if err != nil {
		return nil, nil, err
	}
	defer os.RemoveAll(dir)
	mark := filepath.Join(dir, "mark")
	if err := os.WriteFile(mark, nil, 0o600); err != nil {
		return nil, nil, err
	}
	session := probeSession()
	shots, err = conform.Fire(ctx, conform.Config{
		Table: c.Table, Golden: c.Golden, ID: h.ID, Dispatcher: c.Options.Dispatcher(), Carriers: c.Carriers,
	}, conform.Target{
		Clone: root, File: c.place(root, h.File), Home: c.Home, Env: c.environment(mark), Session: session,
	}, h.Events)
	c.forget(session)
	left, _ := os.ReadFile(mark) // none: then the probe was never there
	return shots, strings.Split(string(left), "\n"), err
}

// judge says what a shot proves: that the probe ran, and where the agent can be held up, that it was.
func judge(x conform.Shot, b harness.Binding, marked bool) (proven bool, what string) {
	holds := b.Has(harness.Block) || b.Has(harness.Continue)
	held := slices.ContainsFunc(x.Reasons, func(r string) bool { return strings.Contains(r, dispatch.ProbeReason) })
	switch {
	case x.Err != nil:
		return false, x.Err.Error()
	case !marked && len(x.Report) > 0:
		return false, strings.Join(x.Report, "; ")
	case !marked:
		return false, "the hook did not fire, or no handler was reached"
	case holds && !held:
		return false, "a handler was reached, but its block did not reach the agent"
	case holds && b.Event.Gate():
		return true, "a block was obeyed: the agent would go on, and read why"
	case holds && beforehand(b.Event):
		return true, "a block was obeyed, and its reason handed over"
	case holds:
		return true, "a handler was reached, and its reason handed over"
	}
	return true, "a handler was reached"
}

// environment is that of an agent which is started from here: ours, with LORIMER_DISABLE, which holds there, too, and without
// what else of lorimer's is for other runs. LORIMER_TRUST would let pass what nobody agreed to.
func (c *Command) environment(mark string) []string {
	env := slices.DeleteFunc(os.Environ(), func(v string) bool {
		return strings.HasPrefix(v, "LORIMER_") && !strings.HasPrefix(v, "LORIMER_DISABLE=")
	})
	return append(env, "LORIMER_HOME="+c.Home, "LORIMER_PROBE="+mark)
}

func probeSession() string {
	id := make([]byte, 6)
	rand.Read(id)
	return fmt.Sprintf("lorimer-init-%s-", hex.EncodeToString(id))
}

// forget removes what was kept of the probe's sessions.
func (c *Command) forget(session string) {
	dir := filepath.Dir(state.SessionDir(c.Home, session))
	entries, _ := os.ReadDir(dir) // none: nothing was kept
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), session) {
			_ = os.RemoveAll(filepath.Join(dir, e.Name())) // what stays is swept with other old sessions
		}
	}
}
