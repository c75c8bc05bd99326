package try

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/lorimer-dev/lorimer/internal/dispatch"
	"github.com/lorimer-dev/lorimer/internal/harness"
	"github.com/lorimer-dev/lorimer/internal/manifest"
	"github.com/lorimer-dev/lorimer/internal/materialize"
	"github.com/lorimer-dev/lorimer/internal/meant"
	"github.com/lorimer-dev/lorimer/internal/off"
)

// Exit statuses that Run returns.
const (
	Passes   = 0 // in every agent
	Held     = 1 // some agent blocks it, or asks the user first
	Failed   = 2 // the command line makes no sense, or handlers cannot be found
	Unagreed = 3 // nothing was run, because nobody agreed to the handlers
)

// Command is one command line.
type Command struct {
	materialize.Options          // Only: the agents to try it in; empty = all of the clone's
	Words               []string // TOOL ARG..., or an event and its words
	Event               string   // empty = PreToolUse, or what Words or Input say
	Input               string   // JSON, @FILE or -: the tool's input, or without Words the payload
	Response            string   // the tool's result, of PostToolUse
	Native              bool     // Input is the payload as the one agent in Only sends it
	Dir                 string   // in the clone
	Fresh               bool     // what the files say now, not the manifest that agents run
	Yes                 bool     // run what was not agreed to, this once
	DryRun              bool     // only say who would be asked
	JSON                bool
	Width               int // columns of the terminal; 0 = no terminal
	Stdin               io.Reader
	Terminal            bool // a person reads and types
	Stdout              io.Writer
	Stderr              io.Writer
}

// Run tries, reports and returns an exit status.
func (c *Command) Run() (status int, err error) {
	if len(c.Words) == 0 && c.Event == "" && c.Input == "" {
		return Failed, errNothing
	}
	s, err := c.source()
	if err != nil {
		return Failed, err
	}
	e, err := c.event(workingDir(c.Dir, s.root))
	if err != nil {
		return Failed, err
	}
	picked, err := c.picked(s)
	if err != nil {
		return Failed, err
	}
	if ok, err := c.agreed(s, e); !ok {
		return Unagreed, err
	}
	return c.report(s, e, picked)
}

// workingDir is where the agent works: where the user does, when that is in the clone.
func workingDir(dir, root string) string {
	abs, err := filepath.Abs(dir)
	if err == nil {
		abs, err = filepath.EvalSymlinks(abs)
	}
	if rel, relErr := filepath.Rel(root, abs); err != nil || relErr != nil || !filepath.IsLocal(rel) {
		return root
	}
	return abs
}

// picked returns the clone's agents, or those of them that were asked for.
func (c *Command) picked(s source) (rows []*harness.Harness, err error) {
	ids := s.view.Harnesses()
	for _, id := range c.Only {
		if !slices.Contains(ids, id) {
			return nil, fmt.Errorf("--harness %s: the hooks of %s are for %s%s", id, s.root, strings.Join(ids, ", "), meant.Ending(id, ids))
		}
	}
	for _, h := range c.Table {
		if slices.Contains(ids, h.ID) && (len(c.Only) == 0 || slices.Contains(c.Only, h.ID)) {
			rows = append(rows, h)
		}
	}
	if len(rows) == 0 {
		return nil, fmt.Errorf("%s: its manifest is for %s, none of which this build knows", s.root, strings.Join(ids, ", "))
	}
	return rows, nil
}

// report asks for one agent after the other: handlers that take the same lock or port would get into each other's way.
func (c *Command) report(s source, e event, picked []*harness.Harness) (int, error) {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	defer stop()
	r := Report{Root: s.root, Event: e.name, Title: e.title, Notes: s.notes, DryRun: c.DryRun}
	if s.compiled {
		r.Source = "compiled"
	} else {
		r.Source = "manifest"
	}
	switchedOff := off.Read(c.Home, s.root, time.Now())
	for _, h := range picked {
		r.Agents = append(r.Agents, c.agent(ctx, s, e, h, switchedOff))
		if ctx.Err() != nil {
			return Failed, errors.New("interrupted; handlers that ran by then were ended")
		}
	}
	if c.JSON {
		return r.status(), r.json(c.Stdout)
	}
	r.text(c.Stdout, c.Width)
	return r.status(), nil
}

// agent tries it in one agent.
func (c *Command) agent(ctx context.Context, s source, e event, h *harness.Harness, switchedOff []off.Entry) Agent {
	a := Agent{Harness: h.ID, Name: h.Name, Itself: s.runsItself(h), Handlers: []Handler{}, Loud: []string{}, Reads: []Reading{}, Notes: s.notesOn(h)}
	binding, ok := h.Binding(e.name)
	if !ok {
		a.Does = "never asks"
		a.Notes = append(a.Notes, fmt.Sprintf("it has no %s, so no handler of it is asked there", e.name))
		return a
	}
	t, err := dispatch.Try(ctx, dispatch.Question{
		Table: c.Table, Harness: h, Event: e.name, Root: s.root, Manifest: s.view, Payload: e.payload, Native: e.native,
		Itself: a.Itself, OwnRules: s.byOwnRules(h), Off: switchedOff, Look: c.DryRun,
	})
	a.has = true
	a.take(t, h, binding)
	if err != nil {
		a.Error = err.Error()
	}
	if err == nil && !c.DryRun {
		a.leaveOpen()
	}
	if err != nil || c.DryRun {
		a.Verdict, a.Does = "", "is not asked"
	}
	return a
}

// runsItself says whether the handlers were compiled from files that the host reads by itself.
func (s source) runsItself(h *harness.Harness) bool {
	if h.Hooks == nil || !h.Hooks.Native {
		return false
	}
	home, _ := os.UserHomeDir() // unknown: then no source is the user's
	own := h.Hooks.Paths()
	for i, p := range own {
		if rest, isUsers := strings.CutPrefix(p, "~/"); isUsers && home != "" {
			own[i] = filepath.ToSlash(filepath.Join(home, rest))
		}
	}
	from := s.view.Sources()
	return len(from) > 0 && !slices.ContainsFunc(from, func(x manifest.Source) bool {
		return !slices.Contains(own, x.Path) && !slices.Contains(h.Hooks.Paths(), x.Path)
	})
}

// byOwnRules says whether the host reads files of another's that handlers were compiled from: nobody can stop it, so they were
// compiled for the others alone.
func (s source) byOwnRules(h *harness.Harness) bool {
	return slices.ContainsFunc(s.view.Sources(), func(x manifest.Source) bool { return slices.Contains(h.Reads, x.Path) })
}

// leaveOpen says what an agent does that runs handlers of the event by rules of its own: nobody knows, unless another one holds
// it up all the same.
func (a *Agent) leaveOpen() {
	if a.Verdict != "allowed" || !slices.ContainsFunc(a.Handlers, func(h Handler) bool { return h.Missed == dispatch.ByOwnRules }) {
		return
	}
	a.Verdict, a.Does, a.open = "", "cannot be said", true
	a.Notes = append(a.Notes, "it runs these hooks by itself, by rules of its own, which cannot be tried; `lorimer import` moves them to where Lorimer runs them there")
}

// notesOn says what of it does not hold in the agent now.
func (s source) notesOn(h *harness.Harness) []string {
	if s.compiled || s.plan == nil {
		return []string{}
	}
	for _, x := range s.plan.Harnesses {
		if x.ID == h.ID && slices.ContainsFunc(s.plan.All(), func(c materialize.Change) bool { return c.Path == x.File }) {
			return []string{fmt.Sprintf("it does not run hooks as it should: %s is not what materialize would write, see `lorimer status`", x.File)}
		}
	}
	return []string{}
}
