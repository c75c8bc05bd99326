package conform

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/lorimer-dev/lorimer/internal/harness"
)

// Config is what is to be proven, and with what.
type Config struct {
	Table      []*harness.Harness // all harnesses that the dispatcher knows
	Golden     fs.FS              // what the generator emitted for them
	ID         string             // the harness
	Dispatcher string             // path of lorimer-dispatch
	Env        []string           // more variables (NAME=value) for the host, and so for the dispatcher
	Handler    []string           // argv of a program that calls Handle with what stands behind it
	Carriers   []Carrier          // that run a module; one that starts commands needs none
	Program    []string           // argv of the installed harness: it is proven, and not its imitation
	Only       func(name string) bool
	Jobs       int // cases at the same time; 0 = one a processor
}

// Result is what became of a case.
type Result string

const (
	OK     Result = "ok"     // what was expected was seen
	Failed Result = "FAILED" // it was not; or the descriptor says that it cannot hold, and it does
	Cannot Result = "cannot" // the descriptor says that it cannot hold, and why
)

// Row is one case, played once.
type Row struct {
	Harness  string `json:"harness"`
	Carrier  string `json:"carrier,omitempty"` // empty: the host starts commands
	Mode     string `json:"mode,omitempty"`
	Case     string `json:"case"`
	Result   Result `json:"result"`
	Expected string `json:"expected"`
	Seen     string `json:"seen"`
	Why      string `json:"why,omitempty"` // of Cannot
	MS       int64  `json:"ms"`

	Shows []string `json:"shows,omitempty"` // of the program itself, when it held: "Event", "Event effect"
}

// limit is the time of one case. Most take a quarter of a second.
const limit = 60 * time.Second

// Run plays the cases and returns a row for each, in the order of the table. The error says what is missing so that nothing
// could be played.
func Run(ctx context.Context, c Config) ([]Row, error) {
	s, err := c.subject()
	if err != nil {
		return nil, err
	}
	var jobs []func() Row
	for _, place := range s.places() {
		for _, k := range casesOf(s) {
			if c.Only == nil || c.Only(k.name) {
				jobs = append(jobs, func() Row { return s.prove(ctx, place, k) })
			}
		}
	}
	return inParallel(jobs, c.Jobs), nil
}

// subject is what is proven.
type subject struct {
	Config
	row  *harness.Harness
	fake harness.Fake
}

func (c Config) subject() (*subject, error) {
	i := slices.IndexFunc(c.Table, func(h *harness.Harness) bool { return h.ID == c.ID })
	if i < 0 {
		return nil, fmt.Errorf("unknown harness %q; expected one of %s", c.ID, strings.Join(ids(c.Table), ", "))
	}
	s := &subject{Config: c, row: c.Table[i]}
	data, err := fs.ReadFile(c.Golden, harness.FakeData(c.ID))
	if err != nil {
		return nil, fmt.Errorf("%s cannot be proven: its descriptor has no fake section, which imitates the host (docs/conform.md)", c.ID)
	}
	if err := json.Unmarshal(data, &s.fake); err != nil {
		return nil, fmt.Errorf("%s: %w", harness.FakeData(c.ID), err)
	}
	if c.Program != nil && s.fake.Real == nil {
		return nil, fmt.Errorf("%s is not provable here: fake.real of its descriptor does not say how the program is run with a model of ours (docs/conform.md)", c.ID)
	}
	if c.Program != nil {
		if _, err := exec.LookPath(c.Program[0]); err != nil {
			return nil, fmt.Errorf("%s is not provable here: %w", c.ID, err)
		}
	}
	if c.Program == nil && s.row.Kind == harness.Generative && len(c.Carriers) == 0 {
		return nil, fmt.Errorf("%s loads modules, and nothing is here that runs them; install node 20 or newer, or bun", c.ID)
	}
	if _, err := os.Stat(c.Dispatcher); err != nil {
		return nil, fmt.Errorf("the dispatcher is not there: %w", err)
	}
	for name := range s.fake.Cannot {
		if strings.HasPrefix(name, "real: ") == (c.Program != nil) && !slices.ContainsFunc(casesOf(s), func(k kase) bool { return k.name == name }) {
			return nil, fmt.Errorf("fake.cannot of %s names no case: %q; `lorimer conform %s` shows them all", c.ID, name, c.ID)
		}
	}
	return s, nil
}

func ids(table []*harness.Harness) (all []string) {
	for _, h := range table {
		all = append(all, h.ID)
	}
	return all
}

// place is where a shim runs: a carrier, and a mode of the host. A host that starts commands has one place without a name.
type place struct {
	carrier Carrier
	mode    harness.FakeMode
}

func (s *subject) places() (all []place) {
	if s.Program != nil {
		return []place{{mode: harness.FakeMode{Name: "real"}}}
	}
	if s.row.Kind != harness.Generative {
		return []place{{}}
	}
	modes := s.fake.Modes
	if len(modes) == 0 {
		modes = []harness.FakeMode{{Argv: []string{}}}
	}
	for _, c := range s.Carriers {
		for _, m := range modes {
			all = append(all, place{c, m})
		}
	}
	return all
}

// prove plays one case in a world of its own.
func (s *subject) prove(ctx context.Context, p place, k kase) Row {
	r := Row{Harness: s.ID, Carrier: p.carrier.Name, Mode: p.mode.Name, Case: k.name, Expected: k.expected}
	began := time.Now()
	if r.Result, r.Seen, r.Why = s.judge(ctx, p, k); r.Result == OK {
		r.Shows = shows(s.row, k.name)
	}
	r.MS = time.Since(began).Milliseconds()
	return r
}

// judge holds what was seen against what the descriptor says: a case that it says cannot hold must not.
func (s *subject) judge(ctx context.Context, p place, k kase) (result Result, saw, why string) {
	if missing := k.missing(s); missing != "" {
		return Cannot, "not played", missing
	}
	why = k.cannot(s)
	saw, err := s.play(ctx, p, k)
	switch {
	case errors.As(err, new(broken)):
		return Failed, err.Error(), "" // nothing was shown, neither way
	case err == nil && why == "":
		return OK, saw, ""
	case err == nil:
		return Failed, "it holds, although the descriptor says that it cannot: " + why, ""
	case why == "":
		return Failed, err.Error(), ""
	}
	return Cannot, err.Error(), why
}

// broken is a fault of the host or of the case itself, and not what was looked for: it proves nothing of a case that cannot hold.
type broken struct{ error }

func (b broken) Unwrap() error { return b.error }

func (s *subject) play(ctx context.Context, p place, k kase) (saw string, err error) {
	limit := limit
	if k.real {
		limit = realLimit
	}
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	w, err := newWorld(ctx, s, p, k)
	if err != nil {
		return "", broken{fmt.Errorf("the case could not be set up: %w", err)}
	}
	defer func() {
		if end := w.close(); end != nil {
			err = broken{errors.Join(err, end)}
		}
	}()
	if err = k.play(w); err != nil {
		return "", err
	}
	return strings.Join(w.noted, "; "), nil
}

func inParallel(jobs []func() Row, n int) []Row {
	if n <= 0 {
		n = runtime.NumCPU()
	}
	rows := make([]Row, len(jobs))
	next := make(chan int)
	var all sync.WaitGroup
	for range min(n, len(jobs)) {
		all.Go(func() {
			for i := range next {
				rows[i] = jobs[i]()
			}
		})
	}
	for i := range jobs {
		next <- i
	}
	close(next)
	all.Wait()
	return rows
}
