package dispatch

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/lorimer-dev/lorimer/internal/harness"
	"github.com/lorimer-dev/lorimer/internal/manifest"
)

// scoped is a harness whose user and project each have hook configs; it speaks Claude's payload.
func scoped(events []harness.Binding) *harness.Harness {
	return &harness.Harness{
		Protocol: harness.Protocol1, ID: "scoped", Name: "the scoped host", Kind: harness.External, Events: events,
		Hooks:  &harness.Hooks{Local: ".scoped/local.json", Shared: ".scoped/settings.json", User: ".scoped/settings.json", ProjectEnv: []string{"TEST_PROJECT"}},
		Speaks: func(in harness.In) bool { return in.Raw("timestamp") == "" },
	}
}

// reader is a harness that runs its own hook config and scoped's, and sends both what Copilot sends.
func reader(events []harness.Binding) *harness.Harness {
	return &harness.Harness{
		Protocol: harness.Protocol1, ID: "reader", Name: "the reading host", Kind: harness.External, Events: events,
		Hooks: &harness.Hooks{Shared: ".reader/hooks.json", ProjectEnv: []string{"TEST_PROJECT"}},
		Reads: []string{".scoped/settings.json"},
		Names: func(in harness.In) harness.Event {
			return harness.Event(strings.ReplaceAll(strings.Trim(harness.First(in, "hook_event_name", "hookName"), `"`), "permissionR", "PermissionR"))
		},
		Speaks: func(in harness.In) bool {
			return in.Raw("timestamp") != "" && in.Raw("permission_mode") == ""
		},
		Normalize: func(event harness.Event, in harness.In, out *harness.Payload) {
			out.Raw("session_id", harness.First(in, "session_id", "sessionId"))
			out.Raw("cwd", in.Raw("cwd"))
			out.String("hook_event_name", string(event))
			if event == harness.Stop {
				out.Raw("stop_hook_active", in.Raw("stop_hook_active"))
			}
			if event.Tool() {
				out.Raw("tool_name", harness.First(in, "tool_name", "toolName"))
				out.Raw("tool_input", harness.First(in, "tool_input", "toolInput"))
				out.Raw("tool_response", in.Raw("tool_result"))
			}
		},
		Answer: func(event harness.Event, v harness.Verdict) harness.Reply {
			if v.Blocked {
				return harness.Reply{Exit: 2, Stdout: `{"permissionDecision":"deny","why":` + harness.Quoted(v.Reason) + "}\n", Stderr: v.Reason + "\n"}
			}
			return harness.Reply{}
		},
	}
}

const stopAgain = `{"session_id":"s","hook_event_name":"Stop","stop_hook_active":true}`

// counted is a handler that leaves one line for each time it ran.
const counted = `echo "$LORIMER_HARNESS" >> ran; cat > got`

// ran returns for which harnesses the handler ran, in that order.
func (c *clone) ran() string { return strings.Join(strings.Fields(c.read("ran")), " ") }

// The settings of the user and those of the project hook the same event, and the host gives both the same bytes. The
// project's entry names the clone, the user's finds it by the host's variable.
func TestUserAndProject(t *testing.T) {
	c := newClone(t).handler(harness.Stop, counted)
	t.Setenv("TEST_PROJECT", c.root)
	for range 3 { // equal stops in a row
		c.silent(c.run(stopAgain, "scoped", "Stop"))
		c.silent(c.runIn(strings.NewReader(stopAgain), "scoped", "Stop"))
	}
	if got := c.ran(); got != "scoped scoped scoped" {
		t.Errorf("ran for %q", got)
	}
	t.Run("a single config is never lost", func(t *testing.T) {
		c := newClone(t).handler(harness.Stop, counted)
		for range 3 {
			c.silent(c.run(stopAgain, "scoped", "Stop"))
		}
		if got := c.ran(); got != "scoped scoped scoped" {
			t.Errorf("ran for %q", got)
		}
	})
	t.Run("who blocks is who serves", func(t *testing.T) {
		c := newClone(t).handler(harness.PreToolUse, `echo no >&2; exit 2`)
		t.Setenv("TEST_PROJECT", c.root)
		c.blocked(c.runIn(strings.NewReader(bash), "scoped", "PreToolUse"), "no")
		c.silent(c.run(bash, "scoped", "PreToolUse"))
	})
}

// Two clones, one in the other, have two policies: both hold, each once.
func TestTwoClones(t *testing.T) {
	outer := newClone(t).handler(harness.Stop, counted)
	inner := newClone(t).handler(harness.Stop, counted)
	inner.home = outer.home
	inner.materialize()
	t.Setenv("LORIMER_HOME", outer.home)
	t.Setenv("TEST_PROJECT", inner.root)
	for _, args := range [][]string{{"--root", outer.root}, {"--root", inner.root}, {}} {
		outer.silent(outer.runIn(strings.NewReader(stopAgain), append(args, "scoped", "Stop")...))
	}
	if outer.ran() != "scoped" || inner.ran() != "scoped" {
		t.Errorf("outer %q, inner %q", outer.ran(), inner.ran())
	}
}

// A harness that is started once for an event pays nothing.
func TestNoClaimNeeded(t *testing.T) {
	c := newClone(t).handler(harness.Stop, counted)
	for _, id := range []string{"native", "gen", "native", "gen"} {
		c.run(stopAgain, id, "Stop")
	}
	if c.ran() != "native gen native gen" || c.has("state/claims") {
		t.Errorf("ran for %q; claims %v", c.ran(), c.has("state/claims"))
	}
}

// A host that runs several configs pays nothing where a single one names us. Two do, or none that is known: then it is claimed.
func TestClaimOnlyWhereTwoConfigsNameUs(t *testing.T) {
	const names, other = `{"command":"/x/bin/lorimer-dispatch"}`, `{"command":"./hooks/mine"}`
	for _, k := range []struct {
		shared, local, user string
		claimed             bool
	}{
		{names, "", "", false}, {other, names, other, false}, {"", "", names, false},
		{names, names, "", true}, {names, "", names, true}, {other, "", "", true}, {"", "", "", true},
	} {
		c := newClone(t).handler(harness.Stop, counted)
		home := t.TempDir()
		t.Setenv("HOME", home)
		for path, text := range map[string]string{
			filepath.Join(c.root, ".scoped", "settings.json"): k.shared, filepath.Join(c.root, ".scoped", "local.json"): k.local,
			filepath.Join(home, ".scoped", "settings.json"): k.user,
		} {
			if text == "" {
				continue
			}
			if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		c.silent(c.run(stopAgain, "scoped", "Stop"))
		if c.ran() != "scoped" || c.has("state/claims") != k.claimed {
			t.Errorf("%+v: ran for %q, claimed %v", k, c.ran(), c.has("state/claims"))
		}
	}
}

// Copilot runs its own hook config and Claude's, with equal bytes: these are its recorded ones. Whichever process comes first
// serves the event, and as whose it is, whatever its command line says.
func TestReadByAnother(t *testing.T) {
	for _, event := range []harness.Event{harness.PreToolUse, harness.PostToolUse, harness.PermissionRequest, harness.UserPromptSubmit, harness.Stop} {
		src, err := os.ReadFile(filepath.Join("testdata", "copilot", string(event)+".json"))
		if err != nil {
			t.Fatal(err)
		}
		// bare: it runs the command of another's config, and passes its arguments over.
		for _, order := range [][]string{
			{"scoped", "reader"}, {"reader", "scoped"}, {"scoped"}, {"reader"}, {"bare", "reader"}, {"reader", "bare"}, {"bare"}, {"bare", "scoped"},
		} {
			t.Run(fmt.Sprint(event, order), func(t *testing.T) {
				c := newClone(t).handler(event, counted+`; echo "no" >&2; exit 2`)
				t.Setenv("TEST_PROJECT", c.root)
				var answers []harness.Reply
				for _, id := range order {
					a := harness.Reply{}
					if id == "bare" {
						a = c.runIn(strings.NewReader(string(src)))
					} else {
						a = c.run(string(src), id, string(event))
					}
					if a != (harness.Reply{}) {
						answers = append(answers, a)
					}
				}
				if len(answers) != 1 || answers[0].Stdout != `{"permissionDecision":"deny","why":"no"}`+"\n" || c.ran() != "reader" {
					t.Errorf("ran for %q: %+v", c.ran(), answers)
				}
				if got := c.read("got"); !strings.HasPrefix(got, `{"session_id":"f0b99158-`) || strings.Contains(got, "timestamp") {
					t.Errorf("the handler got %s", got)
				}
			})
		}
	}
	t.Run("the owner's own payload", func(t *testing.T) {
		c := newClone(t).handler(harness.PreToolUse, counted)
		c.silent(c.run(bash, "scoped", "PreToolUse"))
		if c.ran() != "scoped" || c.read("got") != bash {
			t.Errorf("ran for %q with %s", c.ran(), c.read("got"))
		}
	})
	t.Run("the reader is not among the clone's", func(t *testing.T) {
		c := newClone(t).handler(harness.Stop, counted, func(h *manifest.Handler) { h.Harnesses = []string{"scoped"} })
		c.silent(c.run(`{"timestamp":1}`, "scoped", "Stop"))
		if c.has("ran") {
			t.Error("it ran")
		}
	})
	t.Run("a bare start at an event that is not bound", func(t *testing.T) {
		c := newClone(t).handler(harness.Stop, counted)
		t.Setenv("TEST_PROJECT", c.root)
		c.silent(c.runIn(strings.NewReader(`{"hook_event_name":"ErrorOccurred","timestamp":1}`)))
	})
	t.Run("a bare start by somebody else", func(t *testing.T) {
		c := newClone(t).handler(harness.Stop, counted)
		t.Setenv("TEST_PROJECT", c.root)
		for _, in := range []string{stopAgain, "", "{"} {
			if a := c.runIn(strings.NewReader(in)); a.Exit != 0 || a.Stdout != "" || !strings.Contains(a.Stderr, "expected a harness and an event") || c.has("ran") {
				t.Errorf("%q: %+v, ran %v", in, a, c.has("ran"))
			}
		}
	})
	t.Run("a payload that cannot be read", func(t *testing.T) {
		c := newClone(t).handler(harness.Stop, counted, onErrorBlock)
		c.blocked(c.run(`{`, "scoped", "Stop"), "not JSON")
	})
}

// A host may give a later hook what an earlier one changed: then what the event is known by is equal, and the rest is not.
func TestClaimOfWhatAnEarlierHookChanged(t *testing.T) {
	for id, want := range map[string]string{"scoped": "scoped scoped", "chaining": "chaining"} {
		c := newClone(t).handler(harness.PreToolUse, counted)
		t.Setenv("TEST_PROJECT", c.root)
		c.silent(c.run(`{"id":1,"tool_name":"Bash","tool_input":{"command":"a"}}`, id, "PreToolUse"))
		c.silent(c.runIn(strings.NewReader(`{"id":1,"tool_name":"Bash","tool_input":{"command":"b"}}`), id, "PreToolUse"))
		if c.ran() != want {
			t.Errorf("ran for %q, not %q", c.ran(), want)
		}
	}
	c := newClone(t).handler(harness.PreToolUse, counted)
	t.Setenv("TEST_PROJECT", c.root)
	c.silent(c.run(`{"tool_input":{"command":"a"}}`, "chaining", "PreToolUse"))
	c.silent(c.runIn(strings.NewReader(`{"tool_input":{"command":"b"}}`), "chaining", "PreToolUse"))
	if c.ran() != "chaining chaining" {
		t.Errorf("without what it is known by: ran for %q", c.ran())
	}
}

// chaining is a scoped harness that gives a later hook what an earlier one changed.
func chaining(events []harness.Binding) *harness.Harness {
	h := scoped(events)
	h.ID, h.Same = "chaining", []string{"id", "gone"}
	return h
}

// An event that cannot be claimed is served, and one line says so.
func TestCannotClaim(t *testing.T) {
	c := newClone(t).handler(harness.Stop, counted)
	c.write("state/claims", "a file where a directory should be")
	for range 2 {
		if got := c.run(stopAgain, "scoped", "Stop"); got.Exit != 0 || !strings.Contains(got.Stderr, "may run twice") {
			t.Errorf("got %+v", got)
		}
	}
	if c.ran() != "scoped scoped" {
		t.Errorf("ran for %q", c.ran())
	}
}
