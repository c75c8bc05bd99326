package prove

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"

	"github.com/lorimer-dev/lorimer/internal/gate"
	"github.com/lorimer-dev/lorimer/internal/harness"
)

// Config is what is proven, and with what.
type Config struct {
	Gate    *gate.Gate
	Real    harness.FakeReal // how the program is run with a model of ours
	Program []string         // argv of the installed program
	Server  []string         // argv of an MCP server with one tool; see Serve
	Jobs    int              // runs at the same time; 0 = one a processor
}

// Row is what was seen of one capability.
type Row struct {
	Harness    string   `json:"harness"`
	Catalog    string   `json:"catalog"`
	Capability string   `json:"capability"`
	Says       string   `json:"says"`     // what the descriptor says a locked one is
	Locked     string   `json:"locked"`   // what it was, locked alone or with what does not hide it
	Unlocked   string   `json:"unlocked"` // what it was with everything unlocked
	Features   []string `json:"features"` // that unlock it
	OK         bool     `json:"ok"`
}

// Report is what came of all runs.
type Report struct {
	Rows   []Row    `json:"rows"`
	Faults []string `json:"faults"` // what is wrong beside the rows: parity, what a lock took along, what everything locked leaves
	Runs   int      `json:"runs"`
}

// OK says whether the gate holds.
func (r Report) OK() bool {
	return len(r.Faults) == 0 && !slices.ContainsFunc(r.Rows, func(x Row) bool { return !x.OK })
}

// proof is a gate that is being proven.
type proof struct {
	Config
	ids             []string
	absent, refused *regexp.Regexp
}

// Run runs the program as often as it takes. The error says why nothing was shown.
func Run(ctx context.Context, c Config) (Report, error) {
	p, err := c.proof()
	if err != nil {
		return Report{}, err
	}
	packs, err := p.locks()
	if err != nil {
		return Report{}, err
	}
	unlocked, err := p.without(nil)
	if err != nil {
		return Report{}, err
	}
	locked, err := p.without(p.Gate.Features())
	if err != nil {
		return Report{}, err
	}
	configs := []*gate.Config{nil, unlocked, locked}
	for _, l := range packs {
		one, err := p.without(l.features)
		if err != nil {
			return Report{}, err
		}
		if len(minus(p.Gate.Features(), l.features)) == 0 {
			one = locked
		}
		configs = append(configs, one)
	}
	runs, err := p.all(ctx, configs)
	if err != nil {
		return Report{}, err
	}
	return p.report(packs, runs), nil
}

func (c Config) proof() (*proof, error) {
	p := &proof{Config: c, ids: c.Gate.Capabilities()}
	how := c.Gate.Prove
	if how == nil {
		return nil, fmt.Errorf("%s is not provable: gates.prove of its descriptor does not say what shows that a gate holds", c.Gate.ID)
	}
	if _, err := exec.LookPath(c.Program[0]); err != nil {
		return nil, fmt.Errorf("%s is not provable here: %w", c.Gate.ID, err)
	}
	var err error
	if p.absent, err = regexp.Compile(how.Absent); err == nil && how.Refused != "" {
		p.refused, err = regexp.Compile(how.Refused)
	}
	return p, err
}

// all runs the program once a config, some at the same time; one that comes twice only once.
func (p *proof) all(ctx context.Context, configs []*gate.Config) ([]*run, error) {
	runs, faults := make([]*run, len(configs)), make([]error, len(configs))
	jobs := p.Jobs
	if jobs <= 0 {
		jobs = runtime.NumCPU()
	}
	free := make(chan struct{}, jobs)
	var wait sync.WaitGroup
	for i, config := range configs {
		if slices.Index(configs, config) < i {
			continue
		}
		free <- struct{}{}
		wait.Go(func() {
			runs[i], faults[i] = p.play(ctx, config)
			<-free
		})
	}
	wait.Wait()
	for i, config := range configs {
		runs[i] = runs[slices.Index(configs, config)]
	}
	return runs, errors.Join(faults...)
}

// report judges the runs: without a gate, all unlocked, all locked, then one for each pack.
func (p *proof) report(packs []lock, runs []*run) Report {
	r := Report{Runs: distinct(runs), Faults: p.parity(runs[0], runs[1])}
	open := p.see(runs[1])
	locked := map[string]string{}
	for i, l := range packs {
		seen := p.see(runs[3+i])
		for _, id := range l.ids {
			locked[id] = seen[id]
		}
		r.Faults = append(r.Faults, p.along(l, seen)...)
	}
	for id, state := range p.see(runs[2]) {
		if state == Present {
			r.Faults = append(r.Faults, fmt.Sprintf("%s is there although everything is locked", id))
		}
	}
	slices.Sort(r.Faults)
	for _, id := range p.ids {
		row := Row{Harness: p.Gate.ID, Catalog: p.Gate.Catalog.Name, Capability: id, Says: p.Gate.Says(id), Locked: locked[id], Unlocked: open[id], Features: p.opens(id)}
		row.OK = row.Locked == row.Says && row.Unlocked == Present
		r.Rows = append(r.Rows, row)
	}
	return r
}

func distinct(runs []*run) int {
	seen := map[*run]bool{}
	for _, r := range runs {
		seen[r] = true
	}
	return len(seen)
}

// opens are the features that list a capability.
func (p *proof) opens(id string) (features []string) {
	for _, f := range p.Gate.Catalog.Features {
		if slices.ContainsFunc(f.Surfaces, func(n harness.GateName) bool { return gate.ID(n) == id }) {
			features = append(features, f.ID)
		}
	}
	return features
}

// along says what a lock took along that it should not.
func (p *proof) along(l lock, seen map[string]string) (faults []string) {
	if l.alone {
		return nil // how calls are approved shows in every one
	}
	for _, id := range minus(p.ids, l.gone) {
		if seen[id] != Present && !intersect(p.by(id), l.gone) {
			faults = append(faults, fmt.Sprintf("%s is %s although it is unlocked; locked are the features %s", id, seen[id], strings.Join(l.features, ", ")))
		}
	}
	return faults
}
