package conform_test

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/lorimer-dev/lorimer/golden"
	"github.com/lorimer-dev/lorimer/golden/go/table"
	"github.com/lorimer-dev/lorimer/internal/conform"
	"github.com/lorimer-dev/lorimer/internal/harness"
)

// TestMain gives this binary a second face: with the word behind it, it is the handler that cases start.
func TestMain(m *testing.M) {
	if len(os.Args) > 2 && os.Args[1] == "handler" {
		os.Exit(conform.Handle(os.Args[2:], os.Stdin, os.Stdout, os.Stderr))
	}
	os.Exit(m.Run())
}

// config is everything but the harness.
func config(t *testing.T) conform.Config {
	t.Helper()
	dispatcher := filepath.Join(t.TempDir(), "lorimer-dispatch")
	build := exec.Command("go", "build", "-o", dispatcher, "../../cmd/lorimer-dispatch")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return conform.Config{Table: table.All, Golden: golden.FS, Dispatcher: dispatcher, Handler: []string{self, "handler"}, Carriers: conform.FindCarriers()}
}

// inShort are the cases that are played before each commit, in one carrier, for the harnesses that are certified; all of them for
// each harness in `make test`.
var inShort = []string{"block: one line of JSON", "Stop: the loop bit", "tool: a payload of 1 MiB arrives whole, and so does a reason", "message: an idle session"}

// TestEveryHarness holds the table of cases for each that can be imitated.
func TestEveryHarness(t *testing.T) {
	c := config(t)
	if testing.Short() {
		c.Only = func(name string) bool { return slices.Contains(inShort, name) }
		c.Carriers = c.Carriers[:min(1, len(c.Carriers))]
	}
	for _, h := range table.All {
		if _, err := golden.FS.Open(harness.FakeData(h.ID)); err != nil || testing.Short() && h.Certified == "" {
			continue
		}
		t.Run(h.ID, func(t *testing.T) {
			c := c
			c.ID = h.ID
			if c.Only == nil && h.Certified == "" { // its shim has the bytes of the others: that their sockets work is enough
				c.Only = func(name string) bool { return !strings.HasPrefix(name, "message: ") }
			}
			rows, err := conform.Run(context.Background(), c)
			if err != nil {
				t.Fatal(err)
			}
			for _, r := range rows {
				t.Logf("%-6s %5d ms %s %s %s: %.120s %s", r.Result, r.MS, r.Carrier, r.Mode, r.Case, r.Seen, r.Why)
				if r.Result == conform.Failed {
					t.Errorf("%s %s %s\nexpected: %s\nseen:     %s", r.Carrier, r.Mode, r.Case, r.Expected, r.Seen)
				}
			}
		})
	}
}
