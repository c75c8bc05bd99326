package setup

import (
	"os"
	"path/filepath"
	"slices"
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
