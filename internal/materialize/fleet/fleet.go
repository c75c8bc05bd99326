// Package fleet is `lorimer materialize`, `check` and `clean` as commands: they run over many clones, and say to a person or
// a program what was done and what went wrong. What is done to one clone is package materialize's.
package fleet

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"sync"
	"time"

	"github.com/lorimer-dev/lorimer/internal/harness"
	"github.com/lorimer-dev/lorimer/internal/hosttrust"
	"github.com/lorimer-dev/lorimer/internal/materialize"
	"github.com/lorimer-dev/lorimer/internal/state"
)

// Exit statuses that Run returns.
const (
	Done   = 0 // done, or nothing differs
	Differ = 1 // check: something differs
	Failed = 2 // a clone, or all of them, could not be worked on
)

// Mode is what is done to the clones.
type Mode int

const (
	Materialize Mode = iota
	Check            // Materialize, but only said
	Clean
)

// Command is one command line.
type Command struct {
	materialize.Options
	Mode   Mode
	Clones []string // empty = the working directory
	Trust  bool     // have agents trust the hooks that were written, where they can be told to
	DryRun bool     // show what would be done; Check never does more
	// Committed looks at the files alone that are committed, in portable clones, for machines that have the clone and nothing else.
	Committed bool
	JSON      bool
	Stdout    io.Writer
	Stderr    io.Writer
	Bar       io.Writer // a terminal for the progress bar, which steers it
	Width     int       // its columns; 0 = it is none: then there is no progress bar

	// Dispatcher is the program that is copied to where hooks look for it; "" = the one beside the running lorimer.
	Dispatcher string
}

// Result is what became of one clone.
type Result struct {
	*materialize.Plan // nil when the clone could not even be read
	Err               error

	Trusted map[string]int // by harness that was told to trust its hooks: how many it did not trust before
}

// Run works on all clones, whatever becomes of the others, and returns an exit status. What went wrong with a clone is shown
// as it happens; the error is what is still to be said.
func (c *Command) Run() (status int, err error) {
	if len(c.Clones) == 0 {
		c.Clones = []string{"."}
	}
	c.Share()
	stale, err := c.dispatcher()
	if err != nil {
		return Failed, err
	}
	r := c.reporter()
	if stale {
		r.dispatcher(c.Options.Dispatcher())
	}
	var failed []string
	differ := stale
	line, done := bar{w: c.Bar, width: c.Width, total: len(c.Clones)}, 0
	materialize.Each(c.Clones, c.one, func(clone string, x Result) {
		line.clear()
		r.clone(clone, x)
		done++
		line.draw(done)
		if x.Err != nil {
			failed = append(failed, clone)
			return
		}
		differ = differ || !x.Clean()
	})
	if c.writes() {
		state.Sweep(c.Home, time.Now(), 0)
	}
	if err := r.end(failed); err != nil {
		return Failed, err
	}
	switch {
	case len(failed) > 0:
		return Failed, nil
	case c.Mode == Check && differ:
		return Differ, nil
	}
	return Done, nil
}

// dispatcher brings the dispatcher to its place before any hook names it, and returns whether it was not there.
func (c *Command) dispatcher() (stale bool, err error) {
	if c.Mode == Clean || c.Committed {
		return false, nil
	}
	bundled := c.Dispatcher
	if bundled == "" {
		if bundled, err = materialize.BundledDispatcher(); err != nil {
			return false, err
		}
	}
	stale, err = c.InstallDispatcher(bundled, !c.writes())
	if err != nil {
		err = fmt.Errorf("lorimer-dispatch cannot be put where hooks look for it: %w; set LORIMER_HOME to a directory of your own", err)
	}
	return stale, err
}

func (c *Command) writes() bool { return c.Mode != Check && !c.DryRun }

// one works on one clone.
func (c *Command) one(clone string) Result {
	work := map[Mode][2]func(string, materialize.Options) (*materialize.Plan, error){
		Materialize: {materialize.PlanMaterialize, materialize.Materialize},
		Check:       {materialize.PlanMaterialize, nil},
		Clean:       {materialize.PlanClean, materialize.Clean},
	}[c.Mode]
	do := work[0]
	if c.writes() {
		do = work[1]
	}
	o := c.Options
	// check only looks, so what someone edited is drift to be shown, not something to refuse.
	o.Force = o.Force || c.Mode == Check
	p, err := do(clone, o)
	if c.Committed && err == nil {
		p = p.Committed()
	}
	if p == nil && err == nil {
		err = errors.New("nothing was planned") // cannot happen, and must not look like success
	}
	return c.trust(Result{Plan: p, Err: err})
}

// trust has the agents trust the hooks of a clone. What one of them does not do is a failure of the clone: it was asked for.
func (c *Command) trust(x Result) Result {
	if !c.Trust || !c.writes() || x.Err != nil {
		return x
	}
	trusting.Lock() // one agent's own files may be written for several clones
	defer trusting.Unlock()
	x.Trusted = map[string]int{}
	for _, row := range x.Harnesses {
		i := slices.IndexFunc(c.Table, func(h *harness.Harness) bool { return h.ID == row.ID })
		if c.Table[i].TrustAsk == nil || len(row.Commands) == 0 {
			continue
		}
		n, err := hosttrust.Asker{Harness: c.Table[i], Root: x.Root}.Grant(context.Background(), row.Commands)
		if err != nil {
			x.Err = errors.Join(x.Err, fmt.Errorf("the hooks are written, but %s was not told to trust them: %w", row.Name, err))
			continue
		}
		x.Trusted[row.ID] = n
	}
	return x
}

var trusting sync.Mutex

func (c *Command) reporter() reporter {
	if c.JSON {
		return &jsonReport{Command: c}
	}
	return &textReport{Command: c}
}

// reporter shows results as they come in.
type reporter interface {
	dispatcher(path string) // is not what it should be, or was not
	clone(clone string, x Result)
	end(failed []string) error
}
