package dispatch

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/lorimer-dev/lorimer/internal/harness"
	"github.com/lorimer-dev/lorimer/internal/once"
)

// levels are the configs of one host that may start the dispatcher for one clone: what is materialized into the user's own files,
// into the clone and into files that are committed, and another host's.
func levels(c *clone, event string) map[string][]string {
	return map[string][]string{
		"user":    {"--user", "scoped", event},
		"clone":   {"--root", c.root, "scoped", event},
		"shared":  {"--portable", "scoped", event},
		"another": {"--root", c.root, "reader", event},
	}
}

// orders returns the words in each order.
func orders(words ...string) (all [][]string) {
	if len(words) == 0 {
		return [][]string{nil}
	}
	for i, w := range words {
		rest := append(append([]string{}, words[:i]...), words[i+1:]...)
		for _, tail := range orders(rest...) {
			all = append(all, append([]string{w}, tail...))
		}
	}
	return all
}

// Whichever level comes first serves the event, and it alone; equal events in a row, in whatever order they are brought, stay as many
// as they are; a config that is broken takes nothing from the other.
func TestEachOrderOfLevels(t *testing.T) {
	c := newClone(t).handler(harness.Stop, `echo x >>ran`)
	t.Setenv("TEST_PROJECT", c.root)
	broken := map[string][]string{"no clone": {"--root", filepath.Join(c.root, "gone"), "scoped", "Stop"}, "no flag": {"--what", "scoped", "Stop"}, "no host": {"--root", c.root, "nobody", "Stop"}}
	sets := map[string]int{"user clone shared another": 1, "user user clone clone": 2, "user clone clone": 2}
	for name := range broken {
		sets["user,"+name] = 1
		sets["clone,clone,"+name] = 2
	}
	for set, want := range sets {
		words := strings.Fields(set)
		if strings.Contains(set, ",") {
			words = strings.Split(set, ",")
		}
		for i, order := range orders(words...) {
			payload := fmt.Sprintf(`{"session_id":"%s %d","hook_event_name":"Stop"}`, set, i)
			os.Remove(filepath.Join(c.root, "ran"))
			for _, level := range order {
				args, works := levels(c, "Stop")[level]
				if !works {
					args = broken[level]
				}
				if a := c.runIn(strings.NewReader(payload), args...); a.Exit != 0 || (a.Stderr == "") != works {
					t.Errorf("%v, %s: %+v", order, level, a)
				}
			}
			if got := strings.Count(c.read("ran"), "x"); got != want {
				t.Errorf("%v: it was served %d times, not %d", order, got, want)
			}
		}
	}
}

// Fifty real processes, all at once: ten equal stops that four levels bring, and a config that names a clone that is gone.
func TestClaimRace(t *testing.T) {
	if testing.Short() {
		t.Skip("starts 50 processes")
	}
	c := newClone(t).handler(harness.Stop, `echo ran >>ran`)
	t.Setenv("TEST_PROJECT", c.root)
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	all := levels(c, "Stop")
	gone := []string{"--root", filepath.Join(c.root, "gone"), "scoped", "Stop"}
	var group sync.WaitGroup
	for i := range 50 {
		group.Go(func() {
			args := [][]string{all["user"], all["clone"], all["shared"], all["another"], gone}[i%5]
			cmd := exec.Command(exe, args...)
			cmd.Env = append(os.Environ(), "TEST_AS_DISPATCHER=1")
			cmd.Stdin = strings.NewReader(stopAgain)
			if out, err := cmd.CombinedOutput(); err != nil || (len(out) > 0) != (i%5 == 4) {
				t.Errorf("%v: %v: %s", args, err, out)
			}
		})
	}
	group.Wait()
	if n := len(strings.Fields(c.read("ran"))); n != 10 {
		t.Errorf("%d ran", n)
	}
}

// Two events are two, although a host that does not name them sends the same bytes.
func TestEqualBytesOfTwoEvents(t *testing.T) {
	c := newClone(t).handler(harness.Stop, `echo stop >>ran`).handler(harness.SubagentStop, `echo sub >>ran`)
	t.Setenv("TEST_PROJECT", c.root)
	for _, event := range []string{"Stop", "SubagentStop"} {
		for _, level := range []string{"user", "clone"} {
			c.silent(c.runIn(strings.NewReader(`{"session_id":"s"}`), levels(c, event)[level]...))
		}
	}
	if got := c.ran(); got != "stop sub" {
		t.Errorf("ran %q", got)
	}
}

// A clone has one name, whichever way it is reached: its handlers are told it, and an event that comes by two ways is one.
func TestOneCloneByTwoWays(t *testing.T) {
	c := newClone(t).handler(harness.Stop, `echo "$CLAUDE_PROJECT_DIR" >>ran`)
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(c.root, link); err != nil {
		t.Fatal(err)
	}
	t.Setenv("TEST_PROJECT", c.root)
	for _, args := range [][]string{{"--root", link, "scoped", "Stop"}, {"--user", "scoped", "Stop"}} {
		c.silent(c.runIn(strings.NewReader(stopAgain), args...))
	}
	if got := c.ran(); got != c.root {
		t.Errorf("ran in %q", got)
	}
}

// Where a payload is nobody's that is known, whoever sent it may run two of the configs: it is claimed, also where one alone names us.
func TestStrangersAreClaimed(t *testing.T) {
	c := newClone(t).handler(harness.Stop, `echo x >>ran`)
	t.Setenv("TEST_PROJECT", c.root)
	t.Setenv("HOME", t.TempDir())
	c.write(".scoped/settings.json", `{"command":"/x/bin/lorimer-dispatch"}`)
	for _, level := range []string{"user", "clone"} {
		c.silent(c.runIn(strings.NewReader(`{"session_id":"s","timestamp":1,"permission_mode":"x"}`), levels(c, "Stop")[level]...))
	}
	if got := c.ran(); got != "x" {
		t.Errorf("ran %q", got)
	}
}

// A host that runs its hooks one after the other starts the second when the first is done, however long that took.
func TestLongEventsStayClaimed(t *testing.T) {
	home := t.TempDir()
	t.Setenv("LORIMER_HOME", home)
	key := once.NewKey([]byte("long"))
	if _, err := once.First(home, "a", key); err != nil {
		t.Fatal(err)
	}
	claims, err := filepath.Glob(filepath.Join(home, "claims", "*"))
	if err != nil || len(claims) != 1 {
		t.Fatal(claims, err)
	}
	src, _ := os.ReadFile(claims[0])
	_, rest, _ := strings.Cut(string(src), " ")
	old := fmt.Sprint(time.Now().Add(-once.Expiry*3/4).UnixMilli(), " ", rest)
	for took, renewed := range map[time.Duration]bool{once.Expiry * 3 / 4: true, time.Second: false} {
		if err := os.WriteFile(claims[0], []byte(old), 0o600); err != nil {
			t.Fatal(err)
		}
		(&call{claimed: &key, began: time.Now().Add(-took)}).keepClaim()
		if src, _ := os.ReadFile(claims[0]); (string(src) != old) != renewed {
			t.Errorf("after %v: renewed %v", took, !renewed)
		}
	}
}
