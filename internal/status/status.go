// Package status is `lorimer status`: which handlers are in force in which agent, and the proof. A config is a claim; what is
// looked at is whether the agent's file is what materialize would write, whether the manifest is trusted, whether somebody
// switched it off, and the receipt that the handler's last run left.
package status

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"time"

	"github.com/lorimer-dev/lorimer/internal/clonedir"
	"github.com/lorimer-dev/lorimer/internal/harness"
	"github.com/lorimer-dev/lorimer/internal/hosttrust"
	"github.com/lorimer-dev/lorimer/internal/manifest"
	"github.com/lorimer-dev/lorimer/internal/materialize"
	"github.com/lorimer-dev/lorimer/internal/off"
	"github.com/lorimer-dev/lorimer/internal/plainfile"
	"github.com/lorimer-dev/lorimer/internal/receipt"
	"github.com/lorimer-dev/lorimer/internal/trust"
)

// Exit statuses that Run returns.
const (
	InForce  = 0 // every handler, everywhere
	NotAll   = 1 // something is not in force, or would not be without its dispatcher, or waits for a refresh
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
	InForce  bool      `json:"in_force"`        // all rows, none of which fails open, and no problem
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
		r, err := c.Look(clone)
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

// Look reports one clone. The error says why nothing can be told of it.
func (c *Command) Look(clone string) (*Report, error) {
	root, err := clonedir.Real(clone)
	if err != nil {
		return nil, err
	}
	src, err := plainfile.Settings(manifest.Path(root))
	if errors.Is(err, fs.ErrNotExist) {
		if above := manifest.Above(root); above != "" {
			return nil, fmt.Errorf("%s: no hooks of lorimer's are here, but in %s; `lorimer status %s` shows them", root, above, above)
		}
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
	r.InForce = len(r.Problems) == 0 && !slices.ContainsFunc(r.Handlers, func(h Handler) bool { return !h.InForce || h.FailsOpen })
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
	passes   map[string]bool // by harness and event: it does not trust the hook, and runs it not
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
	l.passes = map[string]bool{}
	plan, err := materialize.PlanMaterialize(l.Root, l.Options)
	if err != nil {
		l.Problems = append(l.Problems, "it cannot be told whether the agents' files are as they should be: "+err.Error())
		return
	}
	for _, h := range plan.Harnesses {
		l.files[h.ID], l.itself[h.ID] = h.File, h.Itself
		l.hostTrust(h)
	}
	for _, x := range plan.All() {
		l.changes = append(l.changes, x.Path)
	}
	if len(l.changes) > 0 {
		l.Problems = append(l.Problems, fmt.Sprintf("a refresh waits, `lorimer check %s` shows it: run `lorimer materialize %s`", l.Root, l.Root))
	}
	if _, err := os.Stat(l.Dispatcher()); err != nil {
		l.Problems = append(l.Problems, fmt.Sprintf("%s, which hooks start, is missing: run `lorimer materialize %s`", l.Dispatcher(), l.Root))
	}
}

// hostTrust asks a harness that runs only what its user trusts.
func (l *looking) hostTrust(h materialize.Harness) {
	row := l.Table[slices.IndexFunc(l.Table, func(x *harness.Harness) bool { return x.ID == h.ID })]
	hooks, why, _ := hosttrust.Asker{Harness: row, Root: l.Root}.Distrusts(context.Background(), h.Commands)
	if why != "" {
		l.Problems = append(l.Problems, why+". "+h.Trust)
	}
	for i, x := range hooks { // one for each event, in their order
		l.passes[h.ID+" "+string(h.Events[i])] = !x.Trusted
	}
}
