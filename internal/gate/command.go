package gate

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"strings"
)

// Exit statuses of the commands.
const (
	Holds   = 0
	Differs = 1 // a capability is lost, or locked all the same
)

// Command is one command line.
type Command struct {
	Golden  fs.FS
	ID      string
	Catalog string   // "" is the newest
	Unlock  []string // features; "all" is every one
	Dir     string   // of write
	DryRun  bool
	JSON    bool
	Stdout  io.Writer
}

// Gate opens the gate that the command line names.
func (c Command) Gate() (*Gate, error) {
	g, err := Open(c.Golden, c.ID)
	if err != nil {
		return nil, err
	}
	return g.Use(c.Catalog)
}

// All is the word for every feature.
const All = "all"

// Unlocked are the features that words name: each may be several, joined by commas, or "all".
func (g *Gate) Unlocked(words []string) (features []string, err error) {
	for _, word := range words {
		for _, f := range strings.Split(word, ",") {
			switch f = strings.TrimSpace(f); f {
			case "":
			case All:
				features = append(features, g.Features()...)
			default:
				features = append(features, f)
			}
		}
	}
	slices.Sort(features)
	return slices.Compact(features), g.Known(features)
}

// shown is a rendered gate as JSON.
type shown struct {
	Harness  string      `json:"harness"`
	Catalog  string      `json:"catalog"`
	Unlocked []string    `json:"unlocked"`
	Enabled  []string    `json:"enabled"` // capabilities
	Files    []shownFile `json:"files"`
	Argv     []string    `json:"argv"`
	Env      []string    `json:"env"`
}

type shownFile struct {
	Path string `json:"path"`
	Does string `json:"does,omitempty"` // of write: create, change, nothing
	Text string `json:"text,omitempty"` // of render
}

func (c Command) rendered(dir string) (*Config, Overlay, shown, error) {
	g, err := c.Gate()
	if err != nil {
		return nil, Overlay{}, shown{}, err
	}
	unlocked, err := g.Unlocked(c.Unlock)
	if err != nil {
		return nil, Overlay{}, shown{}, err
	}
	config, err := g.Render(unlocked)
	if err != nil {
		return nil, Overlay{}, shown{}, err
	}
	o := config.In(dir)
	s := shown{g.ID, g.Catalog.Name, full(unlocked), full(config.Enabled()), []shownFile{}, full(o.Argv), full(o.Env)}
	return config, o, s, nil
}

// full makes a list that JSON writes as [] when there is nothing in it.
func full(list []string) []string { return append([]string{}, list...) }

// Render prints what would be written, and with what the agent is started.
func (c Command) Render() error {
	_, o, s, err := c.rendered("{dir}")
	if err != nil {
		return err
	}
	if c.JSON {
		for _, f := range o.Files {
			s.Files = append(s.Files, shownFile{Path: f.Path, Text: string(f.Text)})
		}
		return c.print(s)
	}
	_, err = io.WriteString(c.Stdout, Describe(o))
	return err
}

// Write writes all files of the gate, or none.
func (c Command) Write() error {
	if c.Dir == "" {
		return errors.New("where to? name the directory with --dir; for an agent with a directory of its own it is that one")
	}
	_, o, s, err := c.rendered(c.Dir)
	if err != nil {
		return err
	}
	act := o.Write
	if c.DryRun {
		act = o.Plan
	}
	changes, err := act(OS)
	if err != nil {
		return err
	}
	if c.JSON {
		for _, x := range changes {
			s.Files = append(s.Files, shownFile{Path: x.Path, Does: x.Does})
		}
		return c.print(s)
	}
	for _, x := range changes {
		fmt.Fprintf(c.Stdout, "%-8s %s\n", x.Does, x.Path)
	}
	_, err = io.WriteString(c.Stdout, Loads(o))
	return err
}

// CheckParity prints what is locked although everything is unlocked.
func (c Command) CheckParity() (int, error) {
	g, err := c.Gate()
	if err != nil {
		return 0, err
	}
	issues, err := g.Parity()
	if err != nil {
		return 0, err
	}
	status := Holds
	if len(issues) > 0 {
		status = Differs
	}
	if c.JSON {
		return status, c.print(map[string]any{"harness": g.ID, "catalog": g.Catalog.Name, "capabilities": len(g.Capabilities()), "ok": status == Holds, "issues": issues})
	}
	for _, i := range issues {
		fmt.Fprintf(c.Stdout, "%s: %s\n", i.Capability, i.Reason)
	}
	if status == Holds {
		fmt.Fprintf(c.Stdout, "%s, catalog %s: with everything unlocked each of its %d capabilities is on\n", g.ID, g.Catalog.Name, len(g.Capabilities()))
	}
	return status, nil
}

// CheckMonotonic renders each step, a set of features, and prints every capability that one of them loses.
func (c Command) CheckMonotonic(steps []string) (int, error) {
	g, err := c.Gate()
	if err != nil {
		return 0, err
	}
	var configs []*Config
	for i, step := range steps {
		unlocked, err := g.Unlocked([]string{step})
		if err != nil {
			return 0, fmt.Errorf("step %d: %w", i, err)
		}
		config, err := g.Render(unlocked)
		if err != nil {
			return 0, err
		}
		configs = append(configs, config)
	}
	lost := append([]Violation{}, Monotonic(configs)...)
	status := Holds
	if len(lost) > 0 {
		status = Differs
	}
	if c.JSON {
		return status, c.print(lost)
	}
	for _, v := range lost {
		fmt.Fprintf(c.Stdout, "step %d loses %s, which step %d has\n", v.ToIndex, v.Capability, v.FromIndex)
	}
	if status == Holds {
		fmt.Fprintf(c.Stdout, "%s, catalog %s: none of the %d steps loses a capability\n", g.ID, g.Catalog.Name, len(steps))
	}
	return status, nil
}

func (c Command) print(v any) error {
	e := json.NewEncoder(c.Stdout)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(v)
}
