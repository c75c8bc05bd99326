package dispatch

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/lorimer-dev/lorimer/internal/harness"
	"github.com/lorimer-dev/lorimer/internal/manifest"
)

// below makes a clone whose HOME is the directory around it, and works in it.
func below(t *testing.T, with ...func(*manifest.Handler)) *clone {
	c := newClone(t).handler(harness.PreToolUse, `touch ran`, with...)
	t.Setenv("HOME", filepath.Dir(c.root))
	t.Chdir(c.root)
	return c
}

func mustHoldThere(h *manifest.Handler) { h.OnError = manifest.BlockOnFault }

// A hook of the user's own runs in every directory. It serves the clone that it is in, and where there is none it has nothing to do,
// even when it was told to fail closed.
func TestUserHook(t *testing.T) {
	c := below(t)
	for name, s := range map[string]struct {
		dir, args string
		ran       bool
	}{
		"in a clone":                     {c.root, "--user native PreToolUse", true},
		"in no clone":                    {filepath.Dir(c.root), "--user native PreToolUse", false},
		"in no clone, and strict":        {t.TempDir(), "--user --fail-closed native PreToolUse", false},
		"an event that no handler wants": {c.root, "--user native Stop", false},
	} {
		t.Run(name, func(t *testing.T) {
			os.Remove(filepath.Join(c.root, "ran"))
			t.Chdir(s.dir)
			c.silent(c.runIn(strings.NewReader(bash), strings.Fields(s.args)...))
			if c.has("ran") != s.ran {
				t.Errorf("ran: %v", c.has("ran"))
			}
		})
	}
}

// It names no clone, so it cannot be told beforehand what holds when the clone's policy is gone or broken: that is what was
// agreed to last.
func TestUserHookWithoutItsPolicy(t *testing.T) {
	for name, s := range map[string]struct {
		break_ func(t *testing.T, path string)
		words  string
	}{
		"gone":         {func(t *testing.T, path string) { os.Remove(path) }, "no manifest there any more"},
		"half":         {func(t *testing.T, path string) { os.WriteFile(path, []byte(`{"protocol":1,"eve`), 0o600) }, "not one JSON object"},
		"empty":        {func(t *testing.T, path string) { os.WriteFile(path, nil, 0o600) }, "not one JSON object"},
		"of another":   {func(t *testing.T, path string) { os.WriteFile(path, []byte(`{"protocol":7}`), 0o600) }, "protocol 7"},
		"changed":      {func(t *testing.T, path string) { os.WriteFile(path, []byte(`{"protocol":1}`), 0o600) }, "changed since you agreed"},
		"a directory":  {func(t *testing.T, path string) { os.Remove(path); os.Mkdir(path, 0o700) }, "not a manifest"},
		"another user": {func(t *testing.T, path string) { giveAway(t, path) }, "another user"},
	} {
		t.Run(name, func(t *testing.T) {
			for _, strict := range []bool{false, true} {
				var with []func(*manifest.Handler)
				if strict {
					with = append(with, mustHoldThere)
				}
				c := below(t, with...)
				s.break_(t, manifest.Path(c.root))
				reply := c.runIn(strings.NewReader(bash), "--user", "native", "PreToolUse")
				if strict {
					c.blocked(reply, s.words)
				} else {
					c.allowedLoudly(reply, s.words)
				}
				if c.has("ran") {
					t.Error("the handler ran")
				}
			}
		})
	}
}

// From wherever in the clone the agent works, and where the host names it: a policy that is gone is missed.
func TestUserHookMissesThePolicyFromBelow(t *testing.T) {
	for _, named := range []bool{false, true} {
		c := below(t, mustHoldThere)
		if err := os.MkdirAll(filepath.Join(c.root, "a", "b"), 0o700); err != nil {
			t.Fatal(err)
		}
		os.Remove(manifest.Path(c.root))
		if t.Chdir(filepath.Join(c.root, "a", "b")); named {
			t.Setenv("TEST_PROJECT", filepath.Join(c.root, "a"))
			t.Chdir(t.TempDir())
		}
		c.blocked(c.runIn(unread{t}, "--user", "native", "PreToolUse"), "no manifest there any more", "lorimer materialize "+c.root)
	}
}

func giveAway(t *testing.T, path string) {
	if os.Geteuid() != 0 {
		t.Skip("only root can give files away")
	}
	if err := os.Chown(path, 12345, -1); err != nil {
		t.Skip(err)
	}
}

// The user's hook and the clone's own are two configs of one host: an event is served once.
func TestUserAndProjectHook(t *testing.T) {
	c := newClone(t).handler(harness.PreToolUse, `echo x >>ran`)
	t.Setenv("HOME", filepath.Dir(c.root))
	t.Chdir(c.root)
	for range 2 {
		for _, args := range []string{"--user scoped PreToolUse", "--root " + c.root + " scoped PreToolUse"} {
			c.silent(c.runIn(strings.NewReader(bash), strings.Fields(args)...))
		}
	}
	if got := c.read("ran"); got != "x\nx\n" {
		t.Errorf("two events, both levels: %q", got)
	}
}

// In a session that was given a home of its own clones lie below the user's, and the user's files elsewhere: what stands at both
// levels is served once all the same.
func TestUserHookInAnotherHome(t *testing.T) {
	c := newClone(t).handler(harness.PreToolUse, `echo x >>ran`)
	t.Chdir(c.root)
	t.Setenv("HOME", t.TempDir())
	c.silent(c.runIn(strings.NewReader(bash), "--user", "scoped", "PreToolUse"))
	if c.has("ran") {
		t.Error("a clone that lies below no home of the user's was served")
	}
	t.Setenv("LORIMER_USER_HOME", filepath.Dir(c.root))
	c.silent(c.runIn(strings.NewReader(`{"session_id":"alone"}`), "--user", "scoped", "PreToolUse"))
	if !c.has("ran") {
		t.Error("a clone below the user's own home was not served")
	}
	os.Remove(filepath.Join(c.root, "ran"))
	for range 2 {
		for _, args := range []string{"--user scoped PreToolUse", "--root " + c.root + " scoped PreToolUse"} {
			c.silent(c.runIn(strings.NewReader(bash), strings.Fields(args)...))
		}
	}
	if got := c.read("ran"); got != "x\nx\n" {
		t.Errorf("two events, both levels: %q", got)
	}
}
