package dispatch

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/lorimer-dev/lorimer/internal/harness"
	"github.com/lorimer-dev/lorimer/internal/receipt"
)

// probed sets the environment in which the probe takes the place of handlers, and returns where it leaves its mark.
func probed(t *testing.T) (mark string) {
	t.Helper()
	mark = filepath.Join(t.TempDir(), "mark")
	if err := os.WriteFile(mark, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	t.Setenv(probeVariable, mark)
	t.Setenv("TEST_AS_DISPATCHER", "1") // the probe is this program, once more
	return mark
}

// The probe blocks like a handler, no handler runs, and nothing is remembered.
func TestProbeTakesThePlaceOfHandlers(t *testing.T) {
	mark := probed(t)
	c := newClone(t).handler(harness.PreToolUse, `touch ran`)
	reply := c.run(bash, "native", "PreToolUse")
	if reply.Exit != 2 || !strings.Contains(reply.Stdout+reply.Stderr, ProbeReason) {
		t.Errorf("%+v", reply)
	}
	if left, _ := os.ReadFile(mark); string(left) != "native PreToolUse\n" {
		t.Errorf("the mark is %q", left)
	}
	if _, err := os.Stat(filepath.Join(c.root, "ran")); err == nil {
		t.Error("the user's handler ran")
	}
	home := os.Getenv("LORIMER_HOME")
	if all := receipt.Read(home, c.root); len(all) > 0 {
		t.Errorf("receipts: %v", all)
	}
}

// Where hooks would not run, the probe does not either.
func TestProbeNeedsWhatHandlersNeed(t *testing.T) {
	for name, prepare := range map[string]func(c *clone){
		"no handler wants the event": func(*clone) {},
		"not trusted": func(c *clone) {
			c.handler(harness.PreToolUse, "true")
			if err := os.RemoveAll(filepath.Join(os.Getenv("LORIMER_HOME"), "trusted")); err != nil {
				t.Fatal(err)
			}
		},
		"disabled": func(c *clone) {
			c.handler(harness.PreToolUse, "true")
			t.Setenv("LORIMER_DISABLE", "1")
		},
	} {
		t.Run(name, func(t *testing.T) {
			mark := probed(t)
			c := newClone(t)
			prepare(c)
			if reply := c.run(bash, "native", "PreToolUse"); reply.Exit != 0 {
				t.Errorf("%+v", reply)
			}
			if left, _ := os.ReadFile(mark); len(left) > 0 {
				t.Errorf("the mark is %q", left)
			}
		})
	}
}

// The probe writes to no file that is not there: whoever starts it with another variable makes none.
func TestProbeMakesNoFile(t *testing.T) {
	file := filepath.Join(t.TempDir(), "none")
	t.Setenv(probeVariable, file)
	if reply := Run(t.Context(), Options{Args: []string{probeFlag}}); reply.Exit != 0 || !strings.Contains(reply.Stderr, "no mark") {
		t.Errorf("%+v", reply)
	}
	if _, err := os.Stat(file); err == nil {
		t.Error("it made the file")
	}
}
