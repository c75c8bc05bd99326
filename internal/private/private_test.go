package private

import (
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	_ "github.com/lorimer-dev/lorimer/internal/goldentest" // the -update flag
	"github.com/lorimer-dev/lorimer/internal/harness"
)

func TestRow(t *testing.T) {
	home := t.TempDir()
	h := &harness.Harness{Protocol: harness.Protocol, ID: "mine", Name: "Mine", Kind: harness.Generative, Events: []harness.Binding{
		{Event: harness.Stop, Host: "end", Can: []harness.Effect{harness.Block, harness.Continue}, Limit: 90 * time.Second},
	}, Dirs: []harness.Dir{{Tool: "Bash", From: "dir"}}, Patches: []harness.Patch{{Tool: "Edit", From: "text", Paths: "^(.+)$", As: "Write", Adds: "^A (.+)$", Line: "+"}}}
	if Read(home, "mine") != nil {
		t.Error("there is a row before one was written")
	}
	if err := Write(home, h); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(h, Read(home, "mine")); diff != "" {
		t.Error(diff)
	}
	for _, id := range []string{"../harnesses/mine", "other", "", "Mine"} {
		if Read(home, id) != nil {
			t.Errorf("%q has a row", id)
		}
	}
	if err := os.WriteFile(place(home, "mine"), []byte(`{"protocol":99,"id":"mine"}`), 0o600); err != nil {
		t.Fatal(err)
	}
	if Read(home, "mine") != nil {
		t.Error("a row of another protocol is taken")
	}
	if err := Write(home, &harness.Harness{ID: "x", Kind: harness.External}); err == nil {
		t.Error("an external harness has a row")
	}
}

func TestID(t *testing.T) {
	long := strings.Repeat("a", 64)
	for _, id := range []string{"a", "pi-2", long} {
		if !isID(id) {
			t.Errorf("%q is none", id)
		}
	}
	for _, id := range []string{"", "-a", "2a", "A", "a/b", "a.b", "..", "aB", "a b", "ä", "a\x00", long + "a"} {
		if isID(id) {
			t.Errorf("%q is one", id)
		}
	}
}
