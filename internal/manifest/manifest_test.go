package manifest

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lorimer-dev/lorimer/internal/harness"
)

var full = Manifest{
	Protocol: 1, Harnesses: []string{"one", "two"}, MaxContinuations: 3,
	Sources: []Source{{Path: "lorimer.yaml", Size: 12, SHA256: "ab"}},
	Events: map[string][]Handler{
		"Stop": {{Name: "gate", Run: "make test && echo '<ok>'", TimeoutMS: 300_000, Block: true, OnError: BlockOnFault, OnLimit: AllowOnFault, Nested: true}},
		"PreToolUse": {
			{Name: "guard", Order: -1, Matcher: "Bash|^mcp__", Argv: []string{"./hooks/guard", "--a b", "é\"\\"}, Block: true, OnError: AllowOnFault, Harnesses: []string{"two"}},
			{Name: "log", If: "Write", Files: []string{"*.go", "/src/**"}, Argv: []string{"logger"}, OnError: AllowOnFault},
		},
	},
}

const encoded = `{
  "protocol": 1,
  "harnesses": [
    "one",
    "two"
  ],
  "max_continuations": 3,
  "sources": [
    {
      "path": "lorimer.yaml",
      "size": 12,
      "sha256": "ab"
    }
  ],
  "events": {
    "PreToolUse": [
      {
        "name": "guard",
        "order": -1,
        "matcher": "Bash|^mcp__",
        "argv": [
          "./hooks/guard",
          "--a b",
          "é\"\\"
        ],
        "timeout_ms": 0,
        "block": true,
        "on_error": "allow",
        "harnesses": [
          "two"
        ]
      },
      {
        "name": "log",
        "order": 0,
        "matcher": "",
        "if": "Write",
        "files": [
          "*.go",
          "/src/**"
        ],
        "argv": [
          "logger"
        ],
        "timeout_ms": 0,
        "block": false,
        "on_error": "allow"
      }
    ],
    "Stop": [
      {
        "name": "gate",
        "order": 0,
        "matcher": "",
        "run": "make test && echo '<ok>'",
        "timeout_ms": 300000,
        "block": true,
        "on_error": "block",
        "on_limit": "allow",
        "nested": true
      }
    ]
  }
}
`

func TestEncode(t *testing.T) {
	if diff := cmp.Diff(encoded, string(full.Encode())); diff != "" {
		t.Error(diff)
	}
	want := "{\n  \"protocol\": 1,\n  \"harnesses\": [],\n  \"max_continuations\": 0,\n  \"sources\": [],\n  \"events\": {}\n}\n"
	if got := string(Manifest{Protocol: 1}.Encode()); got != want {
		t.Errorf("empty lists: %s", got)
	}
}

// What was written is what is read, handler by handler.
func TestRoundTrip(t *testing.T) {
	v, err := Parse(full.Encode())
	if err != nil {
		t.Fatal(err)
	}
	if !v.Lists("one") || !v.Lists("two") || v.Lists("three") || v.Lists("") {
		t.Error("the harnesses are others")
	}
	if diff := cmp.Diff(full.Sources, v.Sources()); diff != "" {
		t.Error(diff)
	}
	if v.MaxContinuations() != 3 {
		t.Errorf("max_continuations %d", v.MaxContinuations())
	}
	all := full.Events["PreToolUse"]
	for id, want := range map[string][]Handler{"one": all[1:], "two": all, "three": nil} {
		got, err := v.Handlers(harness.PreToolUse, id)
		if diff := cmp.Diff(want, got); diff != "" || err != nil {
			t.Errorf("%s: %v %s", id, err, diff)
		}
	}
	got, err := v.Handlers(harness.Stop, "one")
	if diff := cmp.Diff(full.Events["Stop"], got); diff != "" || err != nil {
		t.Errorf("%v %s", err, diff)
	}
	if got, err := v.Handlers(harness.SessionEnd, "one"); got != nil || err != nil {
		t.Errorf("got %v, %v", got, err)
	}
	if !v.Wants("one", harness.SessionEnd, harness.Stop) || v.Wants("one", harness.SessionEnd) || v.Wants("three", harness.Stop) {
		t.Error("wants the wrong events")
	}
}

func TestParseRefuses(t *testing.T) {
	for src, want := range map[string]string{
		"": "not one JSON object", "{": "not one JSON object", "[]": "not one JSON object", "{}{}": "not one JSON object",
		strings.Repeat(`{"a":`, 20000): "not one JSON object",
		`{}`:                           "protocol none", `{"protocol":2}`: "protocol 2", `{"protocol":"1"}`: `protocol "1"`, `{"protocol":1.0}`: "protocol 1.0",
	} {
		if _, err := Parse([]byte(src)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.40s: %v", src, err)
		}
	}
}

func TestMaxContinuations(t *testing.T) {
	for raw, want := range map[string]int{"0": 0, "1": 1, "100": 100, "-1": 8, `"3"`: 8, "null": 8} {
		v, err := Parse([]byte(`{"protocol":1,"max_continuations":` + raw + `}`))
		if err != nil || v.MaxContinuations() != want {
			t.Errorf("%s: %d, %v", raw, v.MaxContinuations(), err)
		}
	}
	if v, _ := Parse([]byte(`{"protocol":1}`)); v.MaxContinuations() != harness.DefaultMaxContinuations {
		t.Error("no default")
	}
}

// Half a handler is none: what cannot be read is an error, for the harness that it is for and for every other.
func TestHandlersRefuses(t *testing.T) {
	for row, want := range map[string]string{
		`7`:                                      "a handler is an object, not 7",
		`{"argv":["x"]}`:                         "without a name",
		`{"name":"h"}`:                           "handler h needs exactly one of argv and run",
		`{"name":"h","argv":["x"],"run":"y"}`:    "exactly one of argv and run",
		`{"name":"h","argv":["x",7]}`:            "exactly one of argv and run",
		`{"name":"h","argv":"x"}`:                "exactly one of argv and run",
		`{"name":"h","argv":[""]}`:               "empty argv[0]",
		`{"name":"h","run":"y","timeout_ms":-1}`: "negative timeout_ms",
		`{"name":"h","run":"y","on_error":"x"}`:  `on_error "x"; expected allow or block`,
		`{"name":"h","run":"y","on_limit":"x"}`:  `on_limit "x"; expected allow or block`,
	} {
		v, err := Parse([]byte(`{"protocol":1,"harnesses":["one"],"events":{"Stop":[{"name":"ok","run":"x"},` + row + `]}}`))
		if err != nil {
			t.Fatal(err)
		}
		got, err := v.Handlers(harness.Stop, "one")
		if err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "events.Stop[1]") || got != nil {
			t.Errorf("%s: %v, %v", row, got, err)
		}
		if !v.Wants("one", harness.Stop) {
			t.Errorf("%s: an event that cannot be read counts as wanted", row)
		}
	}
}

func TestEnv(t *testing.T) {
	want := []Env{{Path: "/home/u/settings.json"}, {Path: ".x/settings.json", Values: map[string]string{"A": "é\"", "B": ""}}}
	m := Manifest{Protocol: 1, Harnesses: []string{"one"}, Env: want, Events: map[string][]Handler{"Stop": {{Name: "h", Run: "x", Managed: true, OnError: AllowOnFault}}}}
	v, err := Parse(m.Encode())
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, v.Env()); diff != "" {
		t.Error(diff)
	}
	if h, err := v.Handlers(harness.Stop, "one"); err != nil || !h[0].Managed {
		t.Errorf("%v, %v", h, err)
	}
	if !want[0].Live() || want[1].Live() {
		t.Error("what is outside of the clone is read when handlers run, and nothing else")
	}
}
