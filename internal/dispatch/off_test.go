package dispatch

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/lorimer-dev/lorimer/internal/harness"
	"github.com/lorimer-dev/lorimer/internal/manifest"
	"github.com/lorimer-dev/lorimer/internal/state"
)

func TestOff(t *testing.T) {
	future, past := time.Now().Add(time.Hour), time.Now().Add(-time.Second)
	entry := func(handler string, until time.Time) string {
		return fmt.Sprintf(`{"handler":%q,"since":"2026-01-02T03:04:05Z","until":%q}`, handler, until.Format(time.RFC3339Nano))
	}
	for name, c := range map[string]struct {
		file string // %s is the clone
		ran  string
		loud string
	}{
		"all":              {`{"root":%q,"off":[` + entry("", future) + `]}`, "", "all hooks off until " + future.Format("2006-01-02 15:04:05")},
		"without an end":   {`{"root":%q,"off":[{"since":"2026-01-02T03:04:05Z"}]}`, "", "all hooks off until `lorimer on`"},
		"one":              {`{"root":%q,"off":[` + entry("h0", future) + `]}`, "h1\n", "handler h0 off until "},
		"both":             {`{"root":%q,"off":[` + entry("h0", future) + `,` + entry("h1", future) + `]}`, "", ""},
		"over":             {`{"root":%q,"off":[` + entry("", past) + `]}`, "h0\nh1\n", ""},
		"another":          {`{"root":%q,"off":[` + entry("h2", future) + `]}`, "h0\nh1\n", ""},
		"of another clone": {`{"was":%q,"root":"/other","off":[` + entry("", future) + `]}`, "h0\nh1\n", ""},
		"damaged":          {`{"root":%q,"off":[` + entry("", future), "h0\nh1\n", ""},
	} {
		t.Run(name, func(t *testing.T) {
			clone := newClone(t).handler(harness.PreToolUse, `echo h0 >>ran`, order(0), onErrorBlock).handler(harness.PreToolUse, `echo h1 >>ran`, order(1))
			clone.write(filepath.Join("state", "off", state.CloneName(clone.root)+".json"), fmt.Sprintf(c.file, clone.root))
			reply := clone.run(bash, "--fail-closed", "native", "PreToolUse")
			if got := clone.read("ran"); got != c.ran {
				t.Errorf("ran %q, want %q", got, c.ran)
			}
			switch {
			case c.loud != "":
				clone.allowedLoudly(reply, c.loud)
			case name != "both":
				clone.silent(reply)
			}
			os.Remove(filepath.Join(clone.root, "ran"))
			if again := clone.run(bash, "native", "PreToolUse"); again != (harness.Reply{}) {
				t.Errorf("said twice in a session: %+v", again)
			}
			if got := clone.read("ran"); got != c.ran {
				t.Errorf("the second time %q ran, want %q", got, c.ran)
			}
		})
	}
}

// The way out of a clone whose hooks cannot be asked: what is off blocks nothing, whatever is broken.
func TestOffBeatsFaults(t *testing.T) {
	all := `{"root":%q,"off":[{"since":"2026-01-02T03:04:05Z"}]}`
	one := `{"root":%q,"off":[{"handler":"h0","since":"2026-01-02T03:04:05Z"}]}`
	for name, spoil := range map[string]func(c *clone){
		"gone":      func(c *clone) { os.Remove(manifest.Path(c.root)) },
		"garbage":   func(c *clone) { c.write(".lorimer/manifest.json", "{") },
		"changed":   func(c *clone) { c.write(".lorimer/manifest.json", string(c.m.Encode())+" ") },
		"untrusted": func(c *clone) { os.RemoveAll(filepath.Join(c.home, "trusted")) },
	} {
		for how, says := range map[string]string{"off": "all hooks off until", "disabled": "LORIMER_DISABLE is 1", "one": "", "neither": ""} {
			t.Run(name+", "+how, func(t *testing.T) {
				c := newClone(t).handler(harness.PreToolUse, `touch ran`, onErrorBlock)
				spoil(c)
				switch file := filepath.Join("state", "off", state.CloneName(c.root)+".json"); how {
				case "off":
					c.write(file, fmt.Sprintf(all, c.root))
				case "one":
					c.write(file, fmt.Sprintf(one, c.root))
				case "disabled":
					t.Setenv("LORIMER_DISABLE", "1")
				}
				if reply := c.run(bash, "--fail-closed", "native", "PreToolUse"); says == "" {
					c.blocked(reply, "could not be asked")
				} else {
					c.allowedLoudly(reply, "not blocked, because ", says)
				}
				if reply := c.run(bash, "native", "PreToolUse"); how == "one" || name == "untrusted" && how == "neither" {
					c.allowedLoudly(reply)
				}
				if c.has("ran") {
					t.Error("the handler ran")
				}
			})
		}
	}
	t.Run("a command line that cannot be read", func(t *testing.T) {
		t.Setenv("LORIMER_DISABLE", "1")
		c := newClone(t)
		c.allowedLoudly(c.runIn(unread{t}, "--fail-closed", "nobody", "PreToolUse"), "nobody", "LORIMER_DISABLE is 1")
	})
}
