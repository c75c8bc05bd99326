//go:build linux

package e2e

import (
	"context"
	"encoding/json"
	"testing"

	"github.com/lorimer-dev/lorimer/e2e/rig"
	"github.com/lorimer-dev/lorimer/internal/fakemodel"
)

// The receipt of a hook names the version of the agent that ran it, where the agent tells its hooks; it never names another. And
// lorimer status knows which events came.
func TestReceiptsOfRealAgents(t *testing.T) {
	need(t)
	tells := map[string]bool{rig.Claude.ID: true}
	for _, h := range rig.Cased {
		t.Run(h.ID, func(t *testing.T) {
			t.Parallel()
			o := &outcome{mode: h.Modes[0]}
			o.Rig = world(t, h, func(r fakemodel.Request) fakemodel.Step {
				return fakemodel.Steps(shell(o, "true"), fakemodel.Say("done"))(r)
			},
				"version: 1\nharnesses: ["+h.ID+"]\nhandlers:\n  - { name: pre, event: PreToolUse, run: 'true' }\n  - { name: stop, event: Stop, run: 'true' }\n"+
					"  - { name: writes, event: PostToolUse, matcher: Write, run: 'true' }\n")
			ctx, cancel := context.WithTimeout(t.Context(), patience(h))
			defer cancel()
			must(t, materialize(ctx, o.Rig), once(ctx, o, rig.Options{}), exits(0).test(o))
			out, err := o.Lorimer(ctx, "status", "--json", o.Clone)
			var report struct {
				Clones []struct {
					Handlers []struct {
						Handler, Version string
						Count, Sessions  int
						Arrives          bool
					}
				}
			}
			must(t, err, json.Unmarshal([]byte(out), &report))
			if len(report.Clones) != 1 || len(report.Clones[0].Handlers) != 3 {
				t.Fatalf("status: %s", out)
			}
			for _, x := range report.Clones[0].Handlers {
				want := ""
				if tells[h.ID] && x.Count > 0 {
					want = h.Version(install)
				}
				if x.Version != want || x.Sessions != 1 || !x.Arrives || (x.Count == 1) == (x.Handler == "writes") {
					t.Errorf("%+v, want version %q", x, want)
				}
			}
		})
	}
}
