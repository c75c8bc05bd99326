package off

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/lorimer-dev/lorimer/internal/harness"
	"github.com/lorimer-dev/lorimer/internal/manifest"
	"github.com/lorimer-dev/lorimer/internal/state"
)

// Command is one command line of `lorimer off` or `lorimer on`.
type Command struct {
	Home    string
	Dir     string        // in the clone
	Handler string        // empty = all
	For     time.Duration // how long; 0 = until it is switched on
	Stdout  io.Writer
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
	if err := put(c.Home, root, e); err != nil {
		return err
	}
	fmt.Fprintf(c.Stdout, "%s: %s\n", root, e)
	return nil
}

// On switches on.
func (c *Command) On() error {
	root, err := c.root()
	if err != nil {
		return err
	}
	was, err := drop(c.Home, root, c.Handler, time.Now())
	if err != nil {
		return err
	}
	for _, e := range was {
		fmt.Fprintf(c.Stdout, "%s: on again: %s\n", root, e.what())
	}
	if len(was) == 0 {
		fmt.Fprintf(c.Stdout, "%s: nothing was off\n", root)
	}
	for _, e := range Read(c.Home, root, time.Now()) {
		fmt.Fprintf(c.Stdout, "%s: still %s\n", root, e)
	}
	return nil
}

// root finds the clone above the directory, and refuses what is not a person's to do, or names a handler that is not there.
func (c *Command) root() (string, error) {
	if err := state.InsideAgent(os.Getenv); err != nil {
		return "", fmt.Errorf("hooks are neither switched off nor on: %w", err)
	}
	abs, err := filepath.Abs(c.Dir)
	if err == nil {
		abs, err = filepath.EvalSymlinks(abs)
	}
	if err != nil {
		return "", err
	}
	for dir := abs; ; dir = filepath.Dir(dir) {
		src, err := os.ReadFile(manifest.Path(dir))
		if err == nil {
			return dir, c.known(src)
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
