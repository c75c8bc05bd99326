package pulse

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// put writes a file of the state directory, with a time that long ago.
func put(t *testing.T, dir, name, text string, ago time.Duration) {
	t.Helper()
	file := filepath.Join(dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	then := time.Now().Add(-ago)
	if err := os.Chtimes(file, then, then); err != nil {
		t.Fatal(err)
	}
}

// minutes allows an agent two minutes, or five where its runtime is not known.
func minutes(runtime string) (time.Duration, string) {
	if runtime == "" {
		return 5 * time.Minute, "unknown"
	}
	return 2 * time.Minute, runtime
}

func at(ago time.Duration) string { return time.Now().Add(-ago).UTC().Format(time.RFC3339) }

// The newest sign of life counts, wherever it stands.
func TestSigns(t *testing.T) {
	const long = time.Hour
	for _, c := range []struct {
		sign  string
		files map[string]string
		ago   map[string]time.Duration
	}{
		{"file", map[string]string{"hooks/a.json": `{"status":"active"}`}, map[string]time.Duration{"hooks/a.json": time.Minute}},
		{"lastActivity", map[string]string{"hooks/a.json": fmt.Sprintf(`{"status":"active","lastActivity":%q}`, at(time.Minute))}, nil},
		{"lastActivity", map[string]string{"hooks/a.json": fmt.Sprintf(`{"status":"active","last_activity":%d}`, time.Now().Add(-time.Minute).UnixMilli())}, nil},
		{"heartbeat", map[string]string{
			"hooks/a.json":      fmt.Sprintf(`{"status":"active","lastActivity":%q}`, at(time.Hour)),
			"heartbeats/a.json": fmt.Sprintf(`{"timestamp":%q}`, at(time.Minute)),
		}, nil},
		{"timeline", map[string]string{
			"hooks/a.json":                     `{"status":"active"}`,
			"agents/a.json":                    `{"sessionId":"s-1"}`,
			"home/sessions/s-1/timeline.jsonl": "{}\n",
		}, map[string]time.Duration{"home/sessions/s-1/timeline.jsonl": time.Minute}},
	} {
		dir := t.TempDir()
		for name, text := range c.files {
			ago, ok := c.ago[name]
			if !ok {
				ago = long
			}
			put(t, dir, name, text, ago)
		}
		all, warnings, err := Stalls(dir, filepath.Join(dir, "home"), time.Now(), minutes)
		if err != nil || len(warnings) > 0 || len(all) != 1 {
			t.Fatalf("%s: %v, %v, %v", c.sign, all, warnings, err)
		}
		if s := all[0]; s.Sign != c.sign || s.Silent < 55 || s.Silent > 90 || s.Stalled {
			t.Errorf("%s: %+v", c.sign, s)
		}
	}
}

// Silence is a stall when its own runtime does not allow it, and there is work.
func TestStalled(t *testing.T) {
	for about, c := range map[string]struct {
		hook string
		ago  time.Duration
		want bool
	}{
		"in time":                     {`{"status":"active","runtime":"pony"}`, 110 * time.Second, false},
		"too late":                    {`{"status":"active","runtime":"pony"}`, 130 * time.Second, true},
		"nobody knows its runtime":    {`{"status":"active"}`, 130 * time.Second, false},
		"nobody knows, and too late":  {`{"status":"pending"}`, 310 * time.Second, true},
		"nothing to do":               {`{"status":"empty","runtime":"pony"}`, time.Hour, false},
		"done":                        {`{"status":"completed","runtime":"pony","workItem":{}}`, time.Hour, false},
		"a status of somebody else's": {`{"status":"odd","runtime":"pony","workItem":{}}`, time.Hour, true},
		"no status, no work":          {`{"runtime":"pony","work_item":null}`, time.Hour, false},
	} {
		dir := t.TempDir()
		put(t, dir, "hooks/a.json", c.hook, c.ago)
		all, _, err := Stalls(dir, "", time.Now(), minutes)
		if err != nil || len(all) != 1 || all[0].Stalled != c.want {
			t.Errorf("%s: %+v, %v", about, all, err)
		}
	}
}

// Files are passed over that are huge, binary, nested without end, or are none.
func TestBadFiles(t *testing.T) {
	dir := t.TempDir()
	put(t, dir, "hooks/good.json", `{"status":"active"}`, time.Hour)
	bad := map[string]string{
		"huge":   `{"status":"` + strings.Repeat("x", maxFile) + `"}`,
		"binary": "\x00\x01\xff\xfe{}",
		"nested": strings.Repeat(`{"a":`, 100_000) + "1" + strings.Repeat("}", 100_000),
		"half":   `{"status":"active","workIt`,
		"empty":  "",
		"two":    `{} {}`,
		"number": "7",
	}
	for name, text := range bad {
		put(t, dir, "hooks/"+name+".json", text, 0)
	}
	put(t, dir, "heartbeats/good.json", "{", 0)
	all, warnings, err := Stalls(dir, "", time.Now(), minutes)
	if err != nil || len(all) != 1 || !all[0].Stalled {
		t.Errorf("%+v, %v", all, err)
	}
	for name := range bad {
		if !slices.ContainsFunc(warnings, func(w string) bool {
			return strings.Contains(w, filepath.Join("hooks", name+".json")+" is passed over")
		}) {
			t.Errorf("%s is not named: %v", name, warnings)
		}
	}
	if len(warnings) != len(bad)+1 {
		t.Errorf("%d warnings: %v", len(warnings), warnings)
	}
	for name := range bad {
		f, err := Poll{Dir: dir, Agent: name}.Run(t.Context())
		if err != nil || f.Assignment != nil || len(f.Warnings) != 1 {
			t.Errorf("poll of %s: %+v, %v", name, f, err)
		}
	}
}

func TestPollEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	dir := t.TempDir()
	began := time.Now()
	f, err := Poll{Dir: dir, Agent: "a", Interval: time.Hour, Timeout: time.Hour}.Run(ctx)
	if err != nil || f.Assignment != nil || time.Since(began) > 10*time.Second {
		t.Errorf("%+v, %v after %v", f, err, time.Since(began))
	}
	if _, err := os.Stat(filepath.Join(dir, "heartbeats", "a.json")); err != nil {
		t.Error("no heartbeat: ", err)
	}
}

// A poll that cannot leave its heartbeat says so: the agent would look stalled.
func TestPollSaysThatItCannotWrite(t *testing.T) {
	dir := t.TempDir()
	put(t, dir, "heartbeats", "a file where a directory should be", 0)
	if _, err := (Poll{Dir: dir, Agent: "a"}).Run(t.Context()); err == nil {
		t.Error("no error")
	}
}
