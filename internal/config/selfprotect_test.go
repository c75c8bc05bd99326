package config

import (
	"testing"

	"github.com/lorimer-dev/lorimer/internal/harness"
)

// The protection is subscribed in every harness that can refuse a tool call, for one handler that may not fail open.
func TestSelfProtectIsSubscribed(t *testing.T) {
	const strict, lax = "  - { name: a, event: Stop, run: x, on_error: block, harnesses: [cob] }\n", "  - { name: a, event: Stop, run: x }\n"
	for yaml, want := range map[string]bool{
		strict:                           true,
		strict + "self_protect: true\n":  true,
		strict + "self_protect: false\n": false,
		lax:                              false,
		lax + "self_protect: true\n":     false,
		"  - { name: a, event: Stop, run: x, on_error: block, enabled: false }\n": false,
	} {
		c := load(t, "version: 1\nhandlers:\n"+yaml)
		if m := c.Manifest("lorimer.yaml", table()); m.SelfProtect != want {
			t.Errorf("%s: the manifest says %v", yaml, m.SelfProtect)
		}
		for _, h := range Usable(table()) {
			got, closed := false, false
			for _, s := range c.Subscriptions(h) {
				got = got || s.Event == harness.PreToolUse
				closed = closed || s.Event == harness.PreToolUse && s.FailClosed
			}
			if got != want || closed {
				t.Errorf("%s: %s: subscribed %v, fails closed %v", yaml, h.ID, got, closed)
			}
		}
	}
	deaf := &harness.Harness{ID: "deaf", Hooks: &harness.Hooks{}, Events: []harness.Binding{{Event: harness.PreToolUse}}}
	if subs := load(t, "version: 1\nhandlers:\n"+strict).Subscriptions(deaf); len(subs) != 0 {
		t.Errorf("subscribed where nothing can be refused: %v", subs)
	}
}
