package setup

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/lorimer-dev/lorimer/internal/manifest"
)

// TestLacksHome: a shell finds a hook below ~, so it is not missing; without a shell it is.
func TestLacksHome(t *testing.T) {
	home := t.TempDir()
	if err := os.WriteFile(filepath.Join(home, "guard"), []byte("#!/bin/sh\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	c := &Command{}
	c.UserHome, c.LookPath = home, func(string) (string, error) { return "", nil }
	for _, x := range []struct {
		handler manifest.Handler
		want    []string
	}{
		{manifest.Handler{Run: "~/guard"}, nil},
		{manifest.Handler{Run: "bash ~/guard --strict"}, nil},
		{manifest.Handler{Run: "~somebody/guard"}, nil}, // nobody knows here where that is
		{manifest.Handler{Run: "~/gone"}, []string{filepath.Join(home, "gone") + " does not exist; make it, or take the hook out"}},
		{manifest.Handler{Argv: []string{"~/guard"}}, []string{"~/guard does not exist; make it, or take the hook out"}},
	} {
		if got := c.lacks(t.TempDir(), x.handler); !slices.Equal(got, x.want) {
			t.Errorf("%s: %q; expected %q", x.handler.Command(), got, x.want)
		}
	}
}

// What no shell can read, and what is only set elsewhere.
func TestLacksSense(t *testing.T) {
	if _, err := os.Stat("/bin/sh"); err != nil {
		t.Skip("there is no shell to ask")
	}
	c := &Command{}
	c.LookPath = func(string) (string, error) { return "", nil }
	for line, want := range map[string]string{
		"echo 'it is":                      "a shell cannot read its command: ",
		`echo "it is`:                      "a shell cannot read its command: ",
		"if true; then echo":               "a shell cannot read its command: ",
		"true # isn't it":                  "",
		`echo 'it'\''s' "it's" it\'s`:      "",
		"cat <<X\nisn't it\nX":             "",
		"${CLAUDE_PLUGIN_ROOT}/x.sh":       "CLAUDE_PLUGIN_ROOT is set for the hooks of a plugin alone",
		`"$CLAUDE_PLUGIN_ROOT"/x.sh`:       "CLAUDE_PLUGIN_ROOT is set for the hooks of a plugin alone",
		"echo ${CLAUDE_PLUGIN_ROOT:-here}": "",
	} {
		got := c.lacks(t.TempDir(), manifest.Handler{Run: line})
		if want == "" && len(got) > 0 || want != "" && (len(got) != 1 || !strings.HasPrefix(got[0], want)) {
			t.Errorf("%s: %q; expected %q", line, got, want)
		}
	}
	if got := c.lacks(t.TempDir(), manifest.Handler{Argv: []string{"${CLAUDE_PLUGIN_ROOT}/x.sh"}}); len(got) != 1 {
		t.Errorf("%q", got)
	}
	if got := c.lacks(t.TempDir(), manifest.Handler{Argv: []string{"true", "it's"}}); len(got) != 0 {
		t.Errorf("%q", got)
	}
}
