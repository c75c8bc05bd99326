//go:build linux

package e2e

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/lorimer-dev/lorimer/e2e/rig"
	"github.com/lorimer-dev/lorimer/internal/fakemodel"
)

// timeouts are hooks in Claude's settings without a timeout of their own, or with one. sh is what the hook does; it leaves a
// file "ended" when it is let come so far.
var timeouts = []struct {
	name, settings, sh string
	ends               bool
	requests           int // to the model: a blocked prompt makes none
}{
	{"a prompt's hook has 30 s", `{"hooks":{"UserPromptSubmit":[{"hooks":[{<a>}]}]}}`, "sleep 33; : >ended; block LATE", false, 1},
	{"less is let pass", `{"hooks":{"UserPromptSubmit":[{"hooks":[{<a>}]}]}}`, "sleep 25; : >ended; block LATE", true, 0},
	{"and more is asked for", `{"hooks":{"UserPromptSubmit":[{"hooks":[{<a>,"timeout":60}]}]}}`, "sleep 33; : >ended; block LATE", true, 0},
	{"the end of a session has 1.5 s", `{"hooks":{"SessionEnd":[{"hooks":[{<a>}]}]}}`, "sleep 4; : >ended", false, 1},
	{"more is asked for there, too", `{"hooks":{"SessionEnd":[{"hooks":[{<a>,"timeout":20}]}]}}`, "sleep 4; : >ended", true, 1},
}

// TestDefaultTimeouts holds how long Claude lets a hook run that names no timeout, and that other agents let it run as long.
func TestDefaultTimeouts(t *testing.T) {
	need(t)
	for _, c := range timeouts {
		for _, h := range rig.Hosts {
			t.Run(c.name+"/"+h.ID, func(t *testing.T) {
				t.Parallel()
				ctx, cancel := context.WithTimeout(t.Context(), limit)
				defer cancel()
				o := &outcome{mode: h.Modes[0]}
				o.Rig = bareWorld(t, h, fakemodel.Steps(fakemodel.Say("done")))
				file := filepath.Join(o.Clone, settings)
				must(t, os.MkdirAll(filepath.Dir(file), 0o755), os.WriteFile(file, []byte(filled(c.settings)), 0o644),
					o.Answer("a", c.sh), materializeAll(ctx, o.Rig), once(ctx, o, rig.Options{}))
				time.Sleep(4 * time.Second) // a hook that was left running would end in this time
				if ended := there("ended").test(o) == nil; ended != c.ends {
					t.Errorf("the hook came to its end: %v", ended)
				}
				if n := len(o.Model.Requests()); n != c.requests {
					t.Errorf("%d requests, want %d", n, c.requests)
				}
				if n := len(o.Calls("a")); n != 1 {
					t.Errorf("the hook was started %d times", n)
				}
			})
		}
	}
}
