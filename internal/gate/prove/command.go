package prove

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"os/exec"
	"strings"
	"text/tabwriter"

	"github.com/lorimer-dev/lorimer/internal/gate"
	"github.com/lorimer-dev/lorimer/internal/harness"
)

// Command is one command line.
type Command struct {
	gate.Command
	Table  []*harness.Harness
	Exe    []string // argv of the program; none = what the descriptor looks for, on PATH
	Server []string // see Config
	Jobs   int
}

// Prove runs and prints. It returns gate.Holds or gate.Differs; an error says why nothing was shown.
func (c Command) Prove(ctx context.Context) (int, error) {
	g, err := c.Gate()
	if err != nil {
		return 0, err
	}
	program, err := c.program()
	if err != nil {
		return 0, err
	}
	real, err := realOf(c.Golden, g.ID)
	if err != nil {
		return 0, err
	}
	r, err := Run(ctx, Config{Gate: g, Real: *real, Program: program, Server: c.Server, Jobs: c.Jobs})
	if err != nil {
		return 0, err
	}
	status := gate.Holds
	if !r.OK() {
		status = gate.Differs
	}
	if c.JSON {
		e := json.NewEncoder(c.Stdout)
		e.SetEscapeHTML(false)
		e.SetIndent("", "  ")
		return status, e.Encode(r)
	}
	_, err = io.WriteString(c.Stdout, r.Text())
	return status, err
}

// program finds the program of the harness.
func (c Command) program() ([]string, error) {
	if len(c.Exe) > 0 {
		return c.Exe, nil
	}
	for _, h := range c.Table {
		for _, exe := range h.Found.Exe {
			if path, err := exec.LookPath(exe); err == nil && h.ID == c.ID {
				return []string{path}, nil
			}
		}
	}
	return nil, fmt.Errorf("%s is not provable here: its program is not on PATH; install it, or name it with --exe", c.ID)
}

// realOf reads how the program is run with a model of ours.
func realOf(golden fs.FS, id string) (*harness.FakeReal, error) {
	var fake harness.Fake
	data, err := fs.ReadFile(golden, harness.FakeData(id))
	if err == nil {
		err = json.Unmarshal(data, &fake)
	}
	if err != nil || fake.Real == nil {
		return nil, fmt.Errorf("%s is not provable: fake.real of its descriptor does not say how the program is run with a model of ours (docs/conform.md)", id)
	}
	return fake.Real, nil
}

// Text is the table.
func (r Report) Text() string {
	var b strings.Builder
	tab := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	fmt.Fprintf(tab, "\tcapability\tlocked\tunlocked\tunlocked by\n")
	bad := 0
	for _, x := range r.Rows {
		result := "ok"
		if !x.OK {
			result = "FAILED"
			bad++
		}
		fmt.Fprintf(tab, "%s\t%s\t%s\t%s\t%s\n", result, x.Capability, x.Locked, x.Unlocked, strings.Join(x.Features, ", "))
		if x.Locked != x.Says {
			fmt.Fprintf(tab, "\t  locked it should be %s\t\t\t\n", x.Says)
		}
	}
	tab.Flush()
	for _, f := range r.Faults {
		fmt.Fprintf(&b, "FAILED  %s\n", f)
	}
	fmt.Fprintf(&b, "%d capabilities in %d runs: %d hold, %d do not; %d faults beside them\n", len(r.Rows), r.Runs, len(r.Rows)-bad, bad, len(r.Faults))
	return b.String()
}
