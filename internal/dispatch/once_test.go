package dispatch

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/lorimer-dev/lorimer/internal/harness"
	"github.com/lorimer-dev/lorimer/internal/manifest"
)

// A refresh that waits is said once a session, by whichever event comes first; the compiled handlers run meanwhile.
func TestStaleSource(t *testing.T) {
	const old = "version: 1\n"
	later := time.Now().Add(time.Hour)
	for name, c := range map[string]struct {
		edit  func(path string)
		stale bool
	}{
		"as it was":                {func(string) {}, false},
		"touched":                  {func(path string) { os.Chtimes(path, later, later) }, false},
		"longer":                   {func(path string) { os.WriteFile(path, []byte(old+"#"), 0o600) }, true},
		"other bytes, same size":   {func(path string) { os.WriteFile(path, []byte("version: 2\n"), 0o600); os.Chtimes(path, later, later) }, true},
		"gone":                     {func(path string) { os.Remove(path) }, true},
		"a directory in its stead": {func(path string) { os.Remove(path); os.Mkdir(path, 0o700) }, true},
	} {
		t.Run(name, func(t *testing.T) {
			clone := newClone(t)
			clone.m.Sources = []manifest.Source{{Path: "lorimer.yaml", Size: int64(len(old)), SHA256: sum([]byte(old))}}
			clone.write("lorimer.yaml", old)
			clone.handler(harness.PreToolUse, `echo x >>ran`)
			c.edit(filepath.Join(clone.root, "lorimer.yaml"))
			first := clone.run(bash, "native", "PreToolUse")
			if !c.stale {
				clone.silent(first)
				return
			}
			clone.allowedLoudly(first, "lorimer.yaml changed since", "run `lorimer materialize "+clone.root+"`")
			if again := clone.run(bash, "native", "PreToolUse"); again != (harness.Reply{}) {
				t.Errorf("said twice in a session: %+v", again)
			}
			clone.allowedLoudly(clone.run(strings.Replace(bash, `"s1"`, `"s2"`, 1), "native", "PreToolUse"), "changed since")
			if clone.read("ran") != "x\nx\nx\n" {
				t.Error("the compiled handlers did not run")
			}
		})
	}
}

// Of a host's settings the part about hooks counts: the host writes the rest itself while it runs.
func TestStaleSettings(t *testing.T) {
	const old = `{"hooks":{"Stop":[]}}`
	for name, c := range map[string]struct {
		now   string // "-" = the file is gone
		stale bool
	}{
		"a command is allowed": {"{\n  \"permissions\": {\"allow\": [\"Bash(ls:*)\"]},\n  \"hooks\": {\"Stop\": []}\n}\n", false},
		"a hook more":          {`{"hooks":{"Stop":[{}]}}`, true},
		"hooks are disabled":   {`{"hooks":{"Stop":[]},"disableAllHooks":true}`, true},
		"gone":                 {"-", true},
	} {
		t.Run(name, func(t *testing.T) {
			clone := newClone(t)
			keys := []string{"hooks", "disableAllHooks"}
			clone.m.Sources = []manifest.Source{manifest.KeysSource("s.json", keys, []byte(old)), manifest.KeysSource("none.json", keys, nil)}
			clone.handler(harness.PreToolUse, `echo x >>ran`)
			if path := filepath.Join(clone.root, "s.json"); c.now != "-" {
				later := time.Now().Add(time.Hour)
				clone.write("s.json", c.now)
				os.Chtimes(path, later, later)
			}
			if r := clone.run(bash, "native", "PreToolUse"); c.stale {
				clone.allowedLoudly(r, "s.json changed since")
			} else {
				clone.silent(r)
			}
		})
	}
}

// Without a session nobody can have heard it; the line comes each time.
func TestNoticeWithoutSession(t *testing.T) {
	clone := newClone(t)
	clone.m.Sources = []manifest.Source{{Path: "gone.yaml"}}
	clone.handler(harness.PreToolUse, `true`)
	for range 2 {
		clone.allowedLoudly(clone.run(`{"tool_name":"Bash"}`, "native", "PreToolUse"), "gone.yaml changed")
	}
}

// What runs because of LORIMER_TRUST alone, without a record, holds where it must, too.
func TestTrustOfTheEnvironmentFailsClosed(t *testing.T) {
	c := newClone(t).handler(harness.PreToolUse, `touch ran`, onErrorBlock)
	t.Setenv("LORIMER_TRUST", "1")
	for _, dir := range []string{"trusted", "agreed"} {
		if err := os.RemoveAll(filepath.Join(c.home, dir)); err != nil {
			t.Fatal(err)
		}
	}
	c.blocked(c.run("{", "native", "PreToolUse"), "not JSON")
}

func TestTrustOfTheEnvironment(t *testing.T) {
	clone := newClone(t).handler(harness.PreToolUse, `touch ran`)
	clone.m.MaxContinuations++
	clone.write(".lorimer/manifest.json", string(clone.m.Encode()))
	t.Setenv("LORIMER_TRUST", "yes")
	clone.allowedLoudly(clone.run(bash, "native", "PreToolUse"), "changed since you agreed", "lorimer trust")
	if clone.has("ran") {
		t.Fatal("LORIMER_TRUST is 1, or nothing")
	}
	t.Setenv("LORIMER_TRUST", "1")
	clone.allowedLoudly(clone.run(bash, "native", "PreToolUse"), "run because LORIMER_TRUST is 1")
	if !clone.has("ran") {
		t.Error("the hooks did not run")
	}
	if again := clone.run(bash, "native", "PreToolUse"); again != (harness.Reply{}) {
		t.Errorf("said twice in a session: %+v", again)
	}
}
