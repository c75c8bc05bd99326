package adopt

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/lorimer-dev/lorimer/internal/materialize"
	"github.com/lorimer-dev/lorimer/internal/materialize/clonefs"
	"github.com/lorimer-dev/lorimer/internal/materialize/fleet"
)

// Exit statuses that Run returns.
const (
	Done   = 0 // taken over, or nothing was to be, or with DryRun shown
	Failed = 2 // nothing was taken over; the error says why
)

// Command is one command line.
type Command struct {
	materialize.Options
	Dir    string   // the clone
	Paths  []string // only these files, slash paths below the clone, or "~/" and one below the home; empty = all
	DryRun bool
	JSON   bool
	Stdout io.Writer

	Bundled string // the dispatcher that is put where hooks look for it; "" = the one beside the running lorimer
}

// Taken is one file that is taken over.
type Taken struct {
	Path string `json:"path"`
	Copy string `json:"copy"` // of what stood there, below the clone
	Diff string `json:"diff"`
}

// report is the document of --json.
type report struct {
	Root   string  `json:"root"`
	Status string  `json:"status"` // adopted | planned | same
	Taken  []Taken `json:"taken"`
}

// Run takes over. It returns an exit status; an error goes with Failed.
func (c *Command) Run() (status int, err error) {
	c.Adopt = func(p string) bool { return len(c.Paths) == 0 || slices.Contains(c.Paths, p) }
	for i, p := range c.Paths {
		c.Paths[i] = path.Clean(filepath.ToSlash(p))
	}
	clone, err := clonefs.Open(c.Dir)
	if err != nil {
		return Failed, err
	}
	defer clone.Close()
	clone.Hook = c.Hook
	plan, err := materialize.PlanMaterialize(clone.Dir, c.Options)
	if err != nil {
		return Failed, err
	}
	twice, err := c.duplicates(clone, plan)
	if err != nil {
		return Failed, err
	}
	r := report{Root: clone.Dir, Status: "same", Taken: []Taken{}}
	r.collect(plan, twice)
	if err := c.allMeant(r); err != nil {
		return Failed, err
	}
	switch {
	case len(r.Taken) == 0:
	case c.DryRun:
		r.Status = "planned"
	default:
		r.Status = "adopted"
		if err := c.take(clone, twice); err != nil {
			return Failed, err
		}
	}
	return Done, c.show(r)
}

// collect lists what is taken over: what a copy is made of first.
func (r *report) collect(plan *materialize.Plan, twice []duplicate) {
	for _, x := range plan.All() {
		if x.Backup() != "" {
			r.Taken = append(r.Taken, Taken{x.Path, x.Backup(), string(x.Diff())})
		}
	}
	for _, d := range twice {
		diff := materialize.Change{Path: d.path, Old: d.old, New: d.now}.Diff()
		r.Taken = append(r.Taken, Taken{d.path, d.copy, string(diff)})
	}
}

// allMeant fails when a file was named that is as it should be.
func (c *Command) allMeant(r report) error {
	for _, p := range c.Paths {
		if !slices.ContainsFunc(r.Taken, func(t Taken) bool { return t.Path == p }) {
			return fmt.Errorf("%s: nobody wrote or edited anything there that is in lorimer's way; `lorimer adopt --dry-run` shows what is", p)
		}
	}
	return nil
}

// take makes the changes: first what materialize writes, so that a hook which goes from an agent's own config runs through lorimer
// already.
func (c *Command) take(clone *clonefs.FS, twice []duplicate) error {
	var said strings.Builder
	work := fleet.Command{Options: c.Options, Mode: fleet.Materialize, Clones: []string{clone.Dir}, Dispatcher: c.Bundled, Stdout: c.Stdout, Stderr: &said}
	if c.JSON {
		work.Stdout = io.Discard
	}
	status, err := work.Run()
	if err == nil && status != fleet.Done {
		err = errors.New(strings.TrimSpace(said.String()))
	}
	if err != nil || len(twice) == 0 {
		return err
	}
	plan, err := materialize.PlanMaterialize(clone.Dir, c.Options)
	if err == nil {
		twice, err = c.duplicates(clone, plan) // entries of lorimer's may stand in the same file by now
	}
	for _, d := range twice {
		if err == nil {
			err = d.takeOut(clone)
		}
	}
	return err
}

func (c *Command) show(r report) error {
	if c.JSON {
		enc := json.NewEncoder(c.Stdout)
		enc.SetEscapeHTML(false)
		enc.SetIndent("", "  ")
		return enc.Encode(r)
	}
	if r.Status == "same" {
		fmt.Fprintln(c.Stdout, "nobody wrote or edited anything that is in lorimer's way")
	}
	for _, t := range r.Taken {
		if c.DryRun {
			fmt.Fprintf(c.Stdout, "would adopt %s; a copy would go to %s\n%s", t.Path, t.Copy, t.Diff)
		} else {
			fmt.Fprintf(c.Stdout, "adopted %s; what stood there is in %s\n", t.Path, t.Copy)
		}
	}
	return nil
}
