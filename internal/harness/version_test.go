package harness

import (
	"strings"
	"testing"
)

// payloadOf is a payload of one key.
type payloadOf map[string]string

func (p payloadOf) Raw(path string) string { return p[path] }

func TestVersion(t *testing.T) {
	env := func(value string) func(string) string {
		return func(name string) string { return map[string]string{"AGENT": value}[name] }
	}
	inEnv, inKey := &VersionIn{Env: "AGENT", Match: "^x_([0-9-]+)_"}, &VersionIn{Key: "info.version"}
	for name, c := range map[string]struct {
		in       *VersionIn
		env, raw string
		want     string
	}{
		"nowhere":          {nil, "x_1-2_", `"1.2"`, ""},
		"variable":         {inEnv, "x_2-1-332_harness", `"9"`, "2.1.332"},
		"another's":        {inEnv, "y_2-1-332_harness", ``, ""},
		"no variable":      {inEnv, "", ``, ""},
		"either":           {&VersionIn{Env: "AGENT", Key: "info.version"}, "", `"4.5"`, "4.5"},
		"payload":          {inKey, "x_9_", `"2026.02.13-beta"`, "2026.02.13-beta"},
		"number":           {inKey, "", `3`, "3"},
		"absent":           {inKey, "", ``, ""},
		"no version":       {inKey, "", `"a version\nof two lines"`, ""},
		"too long":         {inKey, "", `"` + strings.Repeat("1", 41) + `"`, ""},
		"no expression":    {&VersionIn{Env: "AGENT", Match: "("}, "x", ``, ""},
		"no group in that": {&VersionIn{Env: "AGENT", Match: "x"}, "x", ``, ""},
	} {
		if got := c.in.Of(payloadOf{"info.version": c.raw}, env(c.env)); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}
