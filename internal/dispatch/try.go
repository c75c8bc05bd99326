package dispatch

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/lorimer-dev/lorimer/internal/harness"
	"github.com/lorimer-dev/lorimer/internal/manifest"
	"github.com/lorimer-dev/lorimer/internal/off"
	"github.com/lorimer-dev/lorimer/internal/verdict"
)

// Question is one event that nobody's agent had: what would its handlers say?
type Question struct {
	Table    []*harness.Harness
	Harness  *harness.Harness // in whose name they are asked
	Event    harness.Event    // that the harness has
	Root     string           // of the clone, absolute, symlinks resolved
	Manifest manifest.View    // whose handlers the user agreed to run
	Payload  []byte           // in Claude's shape
	Native   bool             // in the host's own instead
	Itself   bool             // the host runs the handlers by itself, from where they were compiled from
	OwnRules bool             // it runs those that are not for it by itself, and by rules of its own, which cannot be tried
	Off      []off.Entry      // what is switched off
	Look     bool             // only say who would be asked
}

// ByOwnRules is why a handler is not asked that the host runs by itself, by rules of its own.
const ByOwnRules = "the agent runs it by itself, by rules of its own"

// Trial is the answer.
type Trial struct {
	Handlers []Opinion       // all of the event's, in the order in which their answers count, then those that were not asked
	Verdict  harness.Verdict // of all of them
	Reply    harness.Reply   // that the host would be given; none when it runs them by itself
	Payload  []byte          // as handlers get it, of several files the first
	Loud     []string        // what would be said aloud: faults, and what is not carried
}

// Opinion is what one handler says, or why it is not asked.
type Opinion struct {
	Name    string
	Missed  string // why it is not asked; "" = it is
	Verdict string // allowed | blocked | asked | failed; "" = it was not asked
	Counts  bool   // its verdict is obeyed
	Outcome verdict.Outcome
	Took    time.Duration
}

// Try takes the steps that Run takes, with the same code, and leaves nothing behind: no claim, no receipt, no log line, no
// count of stops. Handlers are really run, with LORIMER_TRY=1 in their environment; those that nobody waits for are not, because
// they say nothing. The error says why the event cannot be served at all.
func Try(ctx context.Context, q Question) (t Trial, err error) {
	defer recovered(&err)
	binding, ok := q.Harness.Binding(q.Event)
	if !ok {
		return t, fmt.Errorf("%s has no %s", q.Harness.Name, q.Event)
	}
	c := &call{
		Options: Options{Table: q.Table, Stdin: bytes.NewReader(q.Payload)}, trial: &q, began: time.Now(),
		harness: q.Harness, event: q.Event, slot: q.Event, binding: binding, root: q.Root, view: q.Manifest,
	}
	if err := c.takePayload(); errors.Is(err, errNothingToDo) {
		return t, fmt.Errorf("that payload is no %s of %s: it uses its %s for something else, too", q.Event, q.Harness.Name, binding.Host)
	} else if err != nil {
		return t, err
	}
	t.Payload = c.views()[0].payload
	jobs, missed, err := c.candidates()
	if err != nil {
		return t, err
	}
	if q.Look {
		t.Handlers = append(opinionsOf(jobs), missed...)
		return t, nil
	}
	v, notes := verdict.Fold(c.binding, c.runAll(ctx, jobs))
	c.say(notes...)
	if t.Verdict = c.askable(v); !q.Itself {
		t.Reply, err = c.reply(t.Verdict)
	}
	t.Loud = c.loud
	t.Handlers = c.opinions(append(opinionsOf(jobs), missed...))
	return t, err
}

// takePayload makes the payload that handlers get. A stop that is tried is a session's first.
func (c *call) takePayload() (err error) {
	if c.trial.Native {
		err = c.readPayload()
	} else {
		c.payload = c.trial.Payload
		c.fields, err = c.checked(c.payload)
	}
	if err == nil && c.event.Gate() && c.fields[stopBit] == "" {
		c.payload = withStopBit(c.payload, false)
		c.fields, err = c.checked(c.payload)
	}
	return err
}

// candidates divides the event's handlers into those that are to be asked and those that are not.
func (c *call) candidates() (jobs []job, missed []Opinion, err error) {
	all, err := c.view.All(c.event)
	if err != nil {
		return nil, nil, err
	}
	if !c.trial.Itself {
		all = append(c.builtIn(), all...)
	}
	shown := c.views()
	for _, h := range all {
		fitting, why := c.fit(h, shown)
		if other := c.setAside(h); why == "" && c.trial.OwnRules && !h.In(c.harness.ID) {
			why = ByOwnRules
		} else if other != "" {
			why = other
		} else {
			c.handlers = append(c.handlers, h)
		}
		if why != "" {
			missed = append(missed, Opinion{Name: h.Name, Missed: why, Counts: h.Block})
			continue
		}
		jobs = append(jobs, fitting...)
	}
	slices.SortStableFunc(jobs, func(a, b job) int { return a.Order - b.Order })
	kept := distinct(jobs)
	for _, j := range jobs {
		if i := slices.IndexFunc(kept, j.says); i >= 0 && kept[i].Name != j.Name {
			missed = append(missed, Opinion{Name: j.Name, Missed: "it is the same command as " + kept[i].Name, Counts: j.Block})
		}
	}
	return kept, missed, nil
}

// setAside says why a handler is not asked whatever the event is about, or "".
func (c *call) setAside(h manifest.Handler) string {
	switch e, isOff := off.Find(c.trial.Off, h.Name); {
	case !c.trial.Itself && !c.view.Lists(c.harness.ID), !c.trial.Itself && !h.In(c.harness.ID):
		return "it is not for this agent"
	case isOff && !c.trial.Itself: // the host's own hooks are not ours to switch off
		return e.String()
	case tooDeep(h):
		return "a handler is what runs this, and it is not nested: true"
	case h.Async:
		return "it is async: started and not waited for, so it says nothing"
	}
	return ""
}

func opinionsOf(jobs []job) (all []Opinion) {
	for _, j := range jobs {
		if !slices.ContainsFunc(all, func(o Opinion) bool { return o.Name == j.Name }) { // it is asked about several files
			all = append(all, Opinion{Name: j.Name, Counts: j.Block})
		}
	}
	return all
}

// strictness ranks what a handler said, which is asked about each file of a call.
var strictness = []string{"allowed", "asked", "failed", "blocked"}

// opinions are what the handlers said. Who is asked may change by what those before make of the input.
func (c *call) opinions(all []Opinion) []Opinion {
	for i := range all {
		o := &all[i]
		for _, r := range c.ran {
			if r.name == o.Name && slices.Index(strictness, r.verdict) > slices.Index(strictness, o.Verdict) {
				o.Missed, o.Verdict, o.Outcome, o.Took = "", r.verdict, r.outcome, r.took
			}
		}
		if o.Verdict == "" && o.Missed == "" {
			o.Missed = "it does not fit any more, after what the handlers before it made of the input"
		}
	}
	return all
}
