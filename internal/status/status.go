// Package status is `lorimer status`: which handlers are in force in which agent, and the proof. A config is a claim; what is
// looked at is whether the agent's file is what materialize would write, whether the manifest is trusted, whether somebody
// switched it off, and the receipt that the handler's last run left.
package status

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/lorimer-dev/lorimer/internal/harness"
	"github.com/lorimer-dev/lorimer/internal/manifest"
	"github.com/lorimer-dev/lorimer/internal/materialize"
	"github.com/lorimer-dev/lorimer/internal/off"
	"github.com/lorimer-dev/lorimer/internal/receipt"
	"github.com/lorimer-dev/lorimer/internal/trust"
)

// Exit statuses that Run returns.
const (
	InForce  = 0 // every handler, everywhere
	NotAll   = 1 // something is not in force, or waits for a refresh
	Unknown  = 2 // the clone cannot be looked at
	timeForm = "2006-01-02 15:04"
)

// Command is one command line.
type Command struct {
	materialize.Options
	Clones []string // empty = the working directory
	JSON   bool
	Stdout io.Writer
	Stderr io.Writer
}

// Report is what is known of a clone.
type Report struct {
	Root     string    `json:"root"`
	InForce  bool      `json:"in_force"`        // all rows, and no problem
	Problems []string  `json:"problems"`        // of the clone as a whole
	Handlers []Handler `json:"handlers"`        // a row for each harness and handler
	Error    string    `json:"error,omitempty"` // why nothing is known

	clone string // as given
}

// Handler is one handler in one harness.
type Handler struct {
	Harness string        `json:"harness"`
	File    string        `json:"file"` // of the harness's, that holds the hook
	Event   harness.Event `json:"event"`
	Handler string        `json:"handler"`
	InForce bool          `json:"in_force"`
	Why     string        `json:"why,omitempty"` // it is not
	// FailsOpen: the handler is to block when it cannot be asked, and that does not hold when lorimer-dispatch is removed.
	FailsOpen bool      `json:"fails_open_if_removed"`
	Last      time.Time `json:"last,omitzero"` // never fired: absent
	Count     int       `json:"count"`
	Blocked   int       `json:"blocked"`
	Faults    int       `json:"faults"`
	P50       float64   `json:"p50_ms"` // of the newest runs
	P95       float64   `json:"p95_ms"`
	Version   string    `json:"version,omitempty"` // of the harness at that run; absent: the harness did not say
	Sessions  int       `json:"sessions"`          // of the harness that reached lorimer since the hooks were compiled
	Arrives   bool      `json:"arrives"`           // the event did, in one of them
}

// fewSessions is after how many sessions without an event that every session has the hook counts as one that does not fire.
const fewSessions = 3

// Run looks at all clones, whatever is wrong with the others, and reports. It returns the worst of their exit statuses.
func (c *Command) Run() (status int, err error) {
	clones := c.Clones
	if len(clones) == 0 {
		clones = []string{"."}
	}
	var all []*Report
	for _, clone := range clones {
		r, err := c.look(clone)
		if err != nil {
			r = &Report{Problems: []string{}, Handlers: []Handler{}, Error: err.Error()}
		}
		r.clone = clone
		all = append(all, r)
		status = max(status, r.status())
	}
	if c.JSON {
		return status, writeJSON(c.Stdout, all)
	}
	for i, r := range all {
		if i > 0 {
			fmt.Fprintln(c.Stdout)
		}
		r.text(c.Stdout, c.Stderr)
	}
	return status, nil
}

func (r *Report) status() int {
	switch {
	case r.Error != "":
		return Unknown
	case !r.InForce:
		return NotAll
	}
	return InForce
}

func (c *Command) look(clone string) (*Report, error) {
	root, err := filepath.Abs(clone)
	if err == nil {
		root, err = filepath.EvalSymlinks(root)
	}
	if err != nil {
		return nil, err
	}
	src, err := os.ReadFile(manifest.Path(root))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%s: no hooks of lorimer's are here; `lorimer materialize %s` puts them in", root, root)
	}
	if err != nil {
		return nil, err
	}
	v, err := manifest.Parse(src)
	if err != nil {
		return nil, fmt.Errorf("%s: %w; run `lorimer materialize %s`", manifest.Path(root), err, root)
	}
	r := &Report{Root: root, Problems: []string{}, Handlers: []Handler{}}
	l := looking{Command: c, Report: r, view: v, hooks: receipt.Hooks(src)}
	l.clone(src)
	for _, h := range c.Table {
		if v.Lists(h.ID) {
			l.harness(h)
		}
	}
	r.InForce = len(r.Problems) == 0 && !slices.ContainsFunc(r.Handlers, func(h Handler) bool { return !h.InForce })
	return r, nil
}

// looking is what is gathered on the way.
type looking struct {
	*Command
	*Report
	view     manifest.View
	hooks    string // names the manifest
	distrust error
	changes  []string // files that materialize would change
	files    map[string]string
	itself   map[string]bool
	off      []off.Entry
	receipts []receipt.Receipt
}

// clone looks at what holds for all harnesses.
func (l *looking) clone(src []byte) {
	if l.distrust = trust.Check(l.Home, l.Root, src); l.distrust != nil {
		l.Problems = append(l.Problems, l.distrust.Error())
	}
	if os.Getenv("LORIMER_DISABLE") == "1" {
		l.Problems = append(l.Problems, "LORIMER_DISABLE is 1 here: an agent that is started from this shell runs no hook")
	}
	l.off, l.receipts = off.Read(l.Home, l.Root, time.Now()), receipt.Read(l.Home, l.Root)
	l.files, l.itself = map[string]string{}, map[string]bool{}
	plan, err := materialize.PlanMaterialize(l.Root, l.Options)
	if err != nil {
		l.Problems = append(l.Problems, "it cannot be told whether the agents' files are as they should be: "+err.Error())
		return
	}
	for _, h := range plan.Harnesses {
		l.files[h.ID], l.itself[h.ID] = h.File, h.Itself
	}
	for _, x := range plan.Changes {
		l.changes = append(l.changes, x.Path)
	}
	if len(l.changes) > 0 {
		l.Problems = append(l.Problems, fmt.Sprintf("a refresh waits, `lorimer check %s` shows it: run `lorimer materialize %s`", l.Root, l.Root))
	}
	if _, err := os.Stat(l.Dispatcher()); err != nil {
		l.Problems = append(l.Problems, fmt.Sprintf("%s, which hooks start, is missing: run `lorimer materialize %s`", l.Dispatcher(), l.Root))
	}
}

// harness adds a row for each handler that runs in it.
func (l *looking) harness(h *harness.Harness) {
	seen := receipt.ReadSeen(l.Home, l.Root, h.ID)
	if seen.Manifest != l.hooks {
		seen = receipt.Seen{} // of other hooks
	}
	for _, b := range h.Events {
		list, err := l.view.Handlers(b.Event, h.ID)
		if err != nil {
			l.Problems = append(l.Problems, err.Error())
			continue
		}
		if l.guards(h, b) {
			list = slices.Insert(list, 0, manifest.Handler{Name: manifest.SelfProtect, Block: true})
		}
		for _, x := range list {
			row := Handler{
				Harness: h.ID, File: l.files[h.ID], Event: b.Event, Handler: x.Name, FailsOpen: failsOpen(h, x),
				Sessions: seen.Sessions, Arrives: seen.Came(b.Event),
			}
			row.prove(l.receipts)
			if row.Why = l.why(h, x); row.Why == "" && row.neverFires() {
				row.Why = fmt.Sprintf("%s never came in %d sessions of %s", row.Event, row.Sessions, h.Name)
			}
			row.InForce = row.Why == ""
			l.Handlers = append(l.Handlers, row)
		}
	}
}

// guards says whether the built-in handler that protects the hooks themselves stands before the event. Where a host runs the
// hooks by itself it does not.
func (l *looking) guards(h *harness.Harness, b harness.Binding) bool {
	return b.Event == harness.PreToolUse && b.Has(harness.Block) && l.view.SelfProtects() && !l.itself[h.ID]
}

// neverFires says whether the hook should have fired by now. A handler that ran, or whose event came and did not concern it, is
// none of that kind; nor is one of an event that may stay away.
func (h *Handler) neverFires() bool {
	return h.Count == 0 && !h.Arrives && h.Sessions >= fewSessions && h.Event.Usual()
}

// why says why a handler is not in force, or "".
func (l *looking) why(h *harness.Harness, x manifest.Handler) string {
	if e, isOff := off.Find(l.off, x.Name); isOff {
		return e.String()
	}
	file := l.files[h.ID]
	switch {
	case l.distrust != nil:
		return "not trusted"
	case file != "" && slices.Contains(l.changes, file):
		return file + " is not what materialize would write"
	}
	if _, err := os.Stat(l.Dispatcher()); err != nil {
		return "lorimer-dispatch is missing"
	}
	return ""
}

// prove takes over what the receipt says.
func (h *Handler) prove(receipts []receipt.Receipt) {
	for _, r := range receipts {
		if r.Harness == h.Harness && r.Handler == h.Handler {
			h.Last, h.Count, h.Blocked, h.Faults = r.Last, r.Count, r.Blocked, r.Faults
			h.Version = r.Version
			h.P50, h.P95 = millis(r.Quantile(.5)), millis(r.Quantile(.95))
		}
	}
}

// failsOpen says whether a handler that is to block when it cannot be asked is passed over once the dispatcher is gone. A shim
// knows by itself which events are to block; an external host does it always, or must be told by its hook config, where it can
// be.
func failsOpen(h *harness.Harness, x manifest.Handler) bool {
	strict := x.Block && x.OnError == manifest.BlockOnFault
	return strict && h.Hooks != nil && !h.Hooks.HostFailsClosed && (h.Polarity == nil || !h.Polarity.Missing)
}

func millis(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }
