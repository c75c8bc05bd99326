package dispatch

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/lorimer-dev/lorimer/internal/harness"
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
