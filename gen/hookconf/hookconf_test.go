package hookconf

import (
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lorimer-dev/lorimer/gen/descriptor"
	"github.com/lorimer-dev/lorimer/gen/output"
	"github.com/lorimer-dev/lorimer/gen/plan"
)

// The stub's sample host differs from Claude Code in everything it can: one line a command, milliseconds, no group.
func emit(t *testing.T, edit func(string) string) ([]output.File, error) {
	t.Helper()
	src, err := os.ReadFile("../stub/testdata/sample.yaml")
	if err != nil {
		t.Fatal(err)
	}
	d, err := descriptor.LoadFile("sample.yaml", []byte(edit(string(src))))
	if err != nil {
		t.Fatal(err)
	}
	p, err := plan.Build([]*descriptor.Descriptor{d})
	if err != nil {
		t.Fatal(err)
	}
	return Emit(p)
}

func TestCommandLineHost(t *testing.T) {
	files, err := emit(t, func(s string) string {
		return strings.Replace(s, "  root: { version: 1 }", "  root: { version: 1 }\n  fail_closed: { timeout: 1, failClosed: true }", 1)
	})
	if err != nil {
		t.Fatal(err)
	}
	const open = `{
  "version": 1,
  "hooks": {
    "started": [
      {
        "command": "{dispatcher} --root {root} sample SessionStart",
        "timeout": 30000
      }
    ],
    "prompt": [
      {
        "command": "{dispatcher} --root {root} sample UserPromptSubmit",
        "timeout": 30000
      }
    ],
    "preToolUse": [
      {
        "command": "{dispatcher} --root {root} sample PreToolUse",
        "timeout": 30000
      }
    ],
    "postToolUse": [
      {
        "command": "{dispatcher} --root {root} sample PostToolUse",
        "timeout": 30000
      }
    ],
    "childStop": [
      {
        "command": "{dispatcher} --root {root} sample SubagentStop",
        "timeout": 30000
      }
    ],
    "stop": [
      {
        "command": "{dispatcher} --root {root} sample Stop",
        "timeout": 30000
      }
    ]
  }
}
`
	closed := strings.ReplaceAll(open, "--root {root} sample", "--root {root} --fail-closed sample")
	closed = strings.ReplaceAll(closed, "\"timeout\": 30000", "\"timeout\": 1,\n        \"failClosed\": true")
	for i, want := range []string{open, closed} {
		if diff := cmp.Diff(want, string(files[i].Data)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", files[i].Path, diff)
		}
	}
}

// TestLongTimeoutsInMilliseconds: a host may take great numbers of seconds for milliseconds.
func TestLongTimeoutsInMilliseconds(t *testing.T) {
	for limit, want := range map[string]string{"999s": "999", "1000s": "1000000", "1h": "3600000", "1500ms": "1.5"} {
		files, err := emit(t, func(s string) string {
			s = strings.Replace(s, "unit: ms, default: 30s", "unit: s, default: 30s, ms_from: 1000", 1)
			return strings.Replace(s, `limits: { "*": 30s }`, `limits: { "*": `+limit+` }`, 1)
		})
		if err != nil {
			t.Fatal(err)
		}
		if got := string(files[0].Data); strings.Count(got, `"timeout": `+want+"\n") != strings.Count(got, `"timeout"`) {
			t.Errorf("%s is not written as %s: %s", limit, want, got)
		}
	}
}

func TestWhatVoidsAFileCannotBeEmitted(t *testing.T) {
	for _, void := range []string{`{ key: command, match: "PreTool" }`, `{ key: "{host_event}", not_in: [started, preToolUse] }`} {
		_, err := emit(t, func(s string) string {
			return strings.Replace(s, "  quote: shell", "  quote: shell\n  voids: ["+void+"]", 1)
		})
		if err == nil || !strings.Contains(err.Error(), "sample.yaml:") || !strings.Contains(err.Error(), "drop its whole hook config") {
			t.Errorf("%s: error = %v", void, err)
		}
	}
	if _, err := emit(t, func(s string) string {
		return strings.Replace(s, "  quote: shell", "  quote: shell\n  voids: [{ key: \"{host_event}\", not_in: [started, prompt, preToolUse, postToolUse, stop, childStop] }]", 1)
	}); err != nil {
		t.Errorf("what the host knows is no void: %v", err)
	}
}

// TestOneEventsOwnEntry: an event may have a group of its own, and more in its entry.
func TestOneEventsOwnEntry(t *testing.T) {
	files, err := emit(t, func(s string) string {
		return strings.Replace(s, "  - host: stop\n", "  - host: stop\n    group: { matcher: \"{host_event}\", hooks: [\"{entry}\"] }\n    entry: { timeout: 1, loop_limit: null }\n", 1)
	})
	if err != nil {
		t.Fatal(err)
	}
	const want = `    "stop": [
      {
        "matcher": "stop",
        "hooks": [
          {
            "command": "{dispatcher} --root {root} sample Stop",
            "timeout": 1,
            "loop_limit": null
          }
        ]
      }
    ]
`
	if got := string(files[0].Data); !strings.Contains(got, want) || strings.Count(got, "matcher") != 1 {
		t.Errorf("%s has not, once:\n%s", got, want)
	}
}
