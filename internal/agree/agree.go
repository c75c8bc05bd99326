package agree

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"

	"github.com/lorimer-dev/lorimer/internal/clonedir"
	"github.com/lorimer-dev/lorimer/internal/manifest"
	"github.com/lorimer-dev/lorimer/internal/plainfile"
	"github.com/lorimer-dev/lorimer/internal/state"
	"github.com/lorimer-dev/lorimer/internal/trust"
)

// Exit statuses that Run returns.
const (
	Done    = 0 // all are trusted now, or with DryRun: all that there is was shown
	Refused = 1 // the user said no to one of them
	Failed  = 2 // a manifest could not be read, or the answer not be recorded
	Asked   = 3 // there is something to agree to, and nobody to ask
)

// Command is one command line.
type Command struct {
	Home     string   // the state home
	Clones   []string // empty = the working directory
	Yes      bool     // agree without being asked
	DryRun   bool     // only show
	JSON     bool
	Stdin    io.Reader
	Terminal bool // a person reads Stdout and types into Stdin
	Stdout   io.Writer
	Stderr   io.Writer
}

// Result is what became of one clone.
type Result struct {
	Clone       string       `json:"clone"`          // as given
	Root        string       `json:"root,omitempty"` // absolute, links resolved
	Status      string       `json:"status"`         // same | trusted | untrusted | failed
	Differences []Difference `json:"differences"`    // from what was agreed to last
	Error       string       `json:"error,omitempty"`

	manifest []byte // that was shown
}

// Run works on all clones, whatever becomes of the others, and returns the worst of their exit statuses.
func (c *Command) Run() (status int, err error) {
	if err := state.InsideAgent(os.Getenv); err != nil && !c.DryRun {
		return Failed, fmt.Errorf("trust is not given: %w", err)
	}
	if len(c.Clones) == 0 {
		c.Clones = []string{"."}
	}
	answers := bufio.NewReader(c.Stdin)
	results := []Result{}
	for _, clone := range c.Clones {
		r := c.look(clone)
		if !c.JSON {
			c.show(r)
		}
		status = max(status, c.decide(&r, answers))
		results = append(results, r)
	}
	if c.JSON {
		err = writeJSON(c.Stdout, results)
	}
	if status == Asked && !c.JSON {
		fmt.Fprintln(c.Stderr, "nothing was recorded: this is no terminal, so nobody can be asked; look at the handlers above and run it again with --yes")
	}
	return status, err
}

// look reads a clone's manifest and compares it with what was agreed to.
func (c *Command) look(clone string) Result {
	r := Result{Clone: clone, Status: "untrusted", Differences: []Difference{}}
	if err := c.compare(&r); err != nil {
		r.Status, r.Error = "failed", err.Error()
	}
	return r
}

func (c *Command) compare(r *Result) (err error) {
	if r.Root, err = clonedir.Real(r.Clone); err != nil {
		return err
	}
	path := manifest.Path(r.Root)
	if r.manifest, err = plainfile.Settings(path); errors.Is(err, fs.ErrNotExist) {
		if above := manifest.Above(r.Root); above != "" {
			return fmt.Errorf("%s: there is no manifest, but one in %s; `lorimer trust %s` shows its handlers", path, above, above)
		}
		return fmt.Errorf("%s: there is no manifest; `lorimer materialize %s` makes one from lorimer.yaml, and records that you trust it", path, r.Clone)
	}
	if err != nil {
		return err
	}
	differences, err := Compare(trust.Agreed(c.Home, r.Root), r.manifest)
	if err != nil {
		return fmt.Errorf("%s: %w; make it anew with `lorimer materialize %s`", path, err, r.Clone)
	}
	if trust.Check(c.Home, r.Root, r.manifest) == nil {
		r.Status = "same"
	}
	r.Differences = append(r.Differences, differences...)
	return nil
}

// decide asks where that is to be, records a yes, and returns the clone's exit status.
func (c *Command) decide(r *Result, answers *bufio.Reader) int {
	switch {
	case r.Status == "failed":
		return Failed
	case r.Status == "same" || c.DryRun:
		return Done
	case !c.Yes && (!c.Terminal || c.JSON):
		return Asked
	case !c.Yes && !c.ask(answers):
		return Refused
	}
	if err := trust.Record(c.Home, r.Root, r.manifest); err != nil {
		r.Status, r.Error = "failed", err.Error()
		fmt.Fprintf(c.Stderr, "%s: %v\n", r.Clone, err)
		return Failed
	}
	r.Status = "trusted"
	if !c.JSON {
		fmt.Fprintf(c.Stdout, "%s: trusted\n", r.Clone)
	}
	return Done
}

func (c *Command) ask(answers *bufio.Reader) bool {
	fmt.Fprint(c.Stdout, "Run these hooks in your agents? [y/N] ")
	line, _ := answers.ReadString('\n') // no answer is a no
	switch strings.ToLower(strings.TrimSpace(line)) {
	case "y", "yes":
		return true
	}
	return false
}
