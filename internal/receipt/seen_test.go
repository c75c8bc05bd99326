package receipt

import (
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/lorimer-dev/lorimer/internal/harness"
)

func TestSee(t *testing.T) {
	home := t.TempDir()
	see := func(manifest, session string, event harness.Event) {
		t.Helper()
		if err := See(home, "/c", "one", manifest, session, event); err != nil {
			t.Fatal(err)
		}
	}
	see("m1", "s1", harness.Stop)
	see("m1", "s1", harness.PreToolUse)
	see("m1", "s/2", harness.PreToolUse)
	see("m1", "", harness.PreToolUse)
	got := ReadSeen(home, "/c", "one")
	if got.Sessions != 2 || !got.Came(harness.Stop) || !got.Came(harness.PreToolUse) || got.Came(harness.PostToolUse) || got.Manifest != "m1" {
		t.Errorf("%+v", got)
	}
	if other := ReadSeen(home, "/c", "two"); other.Sessions != 0 || other.Manifest != "" {
		t.Errorf("%+v", other)
	}
	if all := Read(home, "/c"); len(all) != 0 {
		t.Errorf("it is taken for a receipt: %+v", all)
	}
	path := filepath.Join(dir(home, "/c"), "one.sessions.json")
	before, _ := os.Stat(path)
	os.Chmod(path, 0o400)
	see("m1", "s1", harness.Stop) // nothing new: nothing is written, nor locked
	if after, _ := os.Stat(path); after.ModTime() != before.ModTime() {
		t.Error("written for nothing")
	}
	os.Chmod(path, 0o600)
	see("m2", "s1", harness.Stop)
	if got := ReadSeen(home, "/c", "one"); got.Sessions != 1 || got.Came(harness.PreToolUse) {
		t.Errorf("other hooks: %+v", got)
	}
}

// Sessions that end and begin at the same time are all counted, and the file stays small.
func TestManySessions(t *testing.T) {
	home := t.TempDir()
	var all sync.WaitGroup
	for i := range 40 {
		all.Go(func() {
			for See(home, "/c", "one", "m", fmt.Sprint("s", i), harness.Stop) != nil {
			}
		})
	}
	all.Wait()
	got := ReadSeen(home, "/c", "one")
	if got.Sessions != 40 || len(got.Recent) != keptSessions || len(got.Events) != 1 {
		t.Errorf("%+v", got)
	}
	os.WriteFile(seenFile(home, "/c", "one"), []byte("{"), 0o600)
	if got := ReadSeen(home, "/c", "one"); got.Sessions != 0 {
		t.Errorf("damaged: %+v", got)
	}
}
