package off

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/lorimer-dev/lorimer/internal/agree"
	"github.com/lorimer-dev/lorimer/internal/clonedir"
	"github.com/lorimer-dev/lorimer/internal/harness"
	"github.com/lorimer-dev/lorimer/internal/manifest"
	"github.com/lorimer-dev/lorimer/internal/plainfile"
	"github.com/lorimer-dev/lorimer/internal/state"
	"github.com/lorimer-dev/lorimer/internal/trust"
)

// Command is one command line of `lorimer off` or `lorimer on`.
type Command struct {
	Home    string
	Dir     string        // in the clone
	Handler string        // empty = all
	For     time.Duration // how long; 0 = until it is switched on
	DryRun  bool          // only say what would be done
	JSON    bool
	Stdout  io.Writer
}

// Result is what became of it.
type Result struct {
	Root     string  `json:"root"`
	DryRun   bool    `json:"dry_run"`
	Switched []Entry `json:"switched"` // off, or on again
	Off      []Entry `json:"off"`      // what is off now, or with DryRun would be
}

// Off switches off.
func (c *Command) Off() error {
	root, err := c.root()
	if err != nil {
		return err
	}
	if c.For < 0 {
		return fmt.Errorf("--for %v; expected a time to come, like 30m or 1h", c.For)
	}
	e := Entry{Handler: c.Handler, Since: time.Now().Round(0)}
	if c.For > 0 {
		e.Until = e.Since.Add(c.For)
	}
	r := Result{Root: root, DryRun: c.DryRun, Switched: []Entry{e}, Off: with(Read(c.Home, root, e.Since), e)}
	if !c.DryRun {
		err = put(c.Home, root, e)
	}
	if err == nil {
		err = c.show(r, "")
	}
	return err
}

// On switches on.
func (c *Command) On() error {
	root, err := c.root()
	if err != nil {
		return err
	}
	now := time.Now()
	r := Result{Root: root, DryRun: c.DryRun}
	r.Switched, r.Off = without(Read(c.Home, root, now), c.Handler)
	if !c.DryRun {
		err = drop(c.Home, root, c.Handler, now)
	}
	if err == nil {
		err = c.show(r, "on again: ")
	}
	return err
}

// show says what was done; on stands before what is on again, and is empty where something was switched off.
func (c *Command) show(r Result, on string) error {
	if c.JSON {
		r.Switched, r.Off = append([]Entry{}, r.Switched...), append([]Entry{}, r.Off...)
		enc := json.NewEncoder(c.Stdout)
		enc.SetEscapeHTML(false)
		enc.SetIndent("", "  ")
		return enc.Encode(r)
	}
	would := ""
	if r.DryRun {
		would = "would be "
	}
	for _, e := range r.Switched {
		what := e.String()
		if on != "" {
			what = e.what()
		}
		fmt.Fprintf(c.Stdout, "%s: %s%s%s\n", agree.Plain(r.Root), would, on, what)
	}
	if on == "" {
		return nil
	}
	if len(r.Switched) == 0 {
		fmt.Fprintf(c.Stdout, "%s: nothing was off\n", agree.Plain(r.Root))
	}
	for _, e := range r.Off {
		fmt.Fprintf(c.Stdout, "%s: still %s\n", agree.Plain(r.Root), e)
	}
	return nil
}

// root finds the clone above the directory, and refuses what is not a person's to do, or names a handler that is not there.
func (c *Command) root() (string, error) {
	if err := state.InsideAgent(os.Getenv); err != nil && !c.DryRun {
		return "", fmt.Errorf("hooks are neither switched off nor on: %w", err)
	}
	abs, err := clonedir.Real(c.Dir)
	if err != nil {
		return "", err
	}
	for dir := abs; ; dir = filepath.Dir(dir) {
		src, err := plainfile.Settings(manifest.Path(dir))
		if err == nil {
			return dir, c.known(src)
		}
		if trust.Known(c.Home, dir) { // hooks that must hold block there, although nobody can say which they are
			return dir, c.known(trust.Agreed(c.Home, dir))
		}
		if dir == filepath.Dir(dir) {
			return "", fmt.Errorf("%s: no clone with hooks of lorimer's, nor is any directory above; expected a .lorimer/manifest.json; name the clone with --clone", abs)
		}
	}
}

func (c *Command) known(src []byte) error {
	v, err := manifest.Parse(src)
	if err != nil || c.Handler == "" {
		return nil // a manifest that cannot be read is not run either
	}
	var names []string
	for _, event := range harness.Events {
		list, _ := v.All(event)
		for _, h := range list {
			names = append(names, h.Name)
		}
	}
	if !slices.Contains(names, c.Handler) {
		return fmt.Errorf("no handler is called %q; expected one of: %s", c.Handler, strings.Join(names, ", "))
	}
	return nil
}
