package receipt

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

var noon = time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)

func TestAdd(t *testing.T) {
	home := t.TempDir()
	for i := range 120 {
		run := Run{Handler: "a b/../c", Took: time.Duration(i) * time.Millisecond, Blocked: i%3 == 0, Fault: i == 7}
		if err := Add(home, "/clone", "one", noon.Add(time.Duration(i)*time.Second), run); err != nil {
			t.Fatal(err)
		}
	}
	for _, other := range [][2]string{{"/clone", "two"}, {"/other", "one"}} {
		if err := Add(home, other[0], other[1], noon, Run{Handler: "x"}); err != nil {
			t.Fatal(err)
		}
	}
	all := Read(home, "/clone")
	if len(all) != 2 || all[1].Harness != "two" || all[1].Count != 1 {
		t.Fatalf("got %+v", all)
	}
	r := all[0]
	if len(r.Micros) != kept || r.Quantile(.5) != 95*time.Millisecond || r.Quantile(1) != 119*time.Millisecond || r.Quantile(0) != 70*time.Millisecond {
		t.Errorf("%d kept: %v, %v, %v", len(r.Micros), r.Quantile(0), r.Quantile(.5), r.Quantile(1))
	}
	r.Micros = nil
	want := Receipt{Harness: "one", Handler: "a b/../c", Last: noon.Add(119 * time.Second), Count: 120, Blocked: 40, Faults: 1}
	if diff := cmp.Diff(want, r, cmp.AllowUnexported(Receipt{})); diff != "" {
		t.Error(diff)
	}
	files, _ := filepath.Glob(filepath.Join(home, "receipts", "*", "*"))
	for _, f := range files {
		if info, _ := os.Stat(f); info.Mode().Perm() != 0o600 {
			t.Errorf("%s: %v", f, info.Mode())
		}
	}
	if len(files) != 3 {
		t.Errorf("got %v", files)
	}
}

// A handler's name may hold anything, and no two handlers share a receipt: not those of a host's settings, which are called by
// their place, nor two that are one file where case does not count, nor one that leads out of the directory.
func TestEveryNameHasAReceipt(t *testing.T) {
	home := filepath.Join(t.TempDir(), "a[b]*") // nor is the home's name a pattern
	names := []string{
		"settings.json:PreToolUse[0].hooks[0]", "settings.json:PreToolUse[0].hooks[1]", "guard", "Guard", "GUARD", "a--b", "../../x", "/etc/passwd",
		"CON", "con", "nul.json", "a:b", `a\b`, "a b", "tëst", ".", "..", "", "x.", strings.Repeat("n", 300), "\x00", "*", "?",
	}
	for i, name := range names {
		for range i + 1 {
			if err := Add(home, "/clone", "one", noon, Run{Handler: name}); err != nil {
				t.Errorf("%q: %v", name, err)
			}
		}
	}
	got := map[string]int{}
	for _, r := range Read(home, "/clone") {
		got[r.Handler] = r.Count
	}
	for i, name := range names {
		if got[name] != i+1 {
			t.Errorf("%q: count %d, want %d", name, got[name], i+1)
		}
	}
	files := map[string]string{}
	entries, _ := os.ReadDir(dir(home, "/clone"))
	for _, e := range entries {
		lower := strings.ToLower(e.Name())
		if other, twice := files[lower]; twice || strings.ContainsAny(lower, `<>:"/\|?*[] `) || len(lower) > 200 {
			t.Errorf("%q is no name for every system, or is %q", e.Name(), other)
		}
		files[lower] = e.Name()
	}
	if len(files) != len(names) {
		t.Errorf("%d files for %d handlers", len(files), len(names))
	}
}

func TestForget(t *testing.T) {
	home := t.TempDir()
	for _, root := range []string{"/clone", "/other"} {
		if err := Add(home, root, "one", noon, Run{Handler: "h"}); err != nil {
			t.Fatal(err)
		}
	}
	for range 2 { // the second time there is nothing
		if err := Forget(home, "/clone"); err != nil || len(Read(home, "/clone")) != 0 || len(Read(home, "/other")) != 1 {
			t.Errorf("%v, %v", err, Read(home, "/clone"))
		}
	}
}

// A receipt that is damaged begins anew.
func TestDamagedReceipt(t *testing.T) {
	home := t.TempDir()
	for _, text := range []string{"", "{", `{"harness":"two","handler":"h","count":9}`, strings.Repeat("x", 5000)} {
		path := filepath.Join(dir(home, "/c"), "one--h.json")
		os.MkdirAll(filepath.Dir(path), 0o700)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := Add(home, "/c", "one", noon, Run{Handler: "h"}); err != nil {
			t.Fatal(err)
		}
		if all := Read(home, "/c"); len(all) != 1 || all[0].Count != 1 {
			t.Errorf("%.20q: %+v", text, all)
		}
	}
}

func TestLast(t *testing.T) {
	home := t.TempDir()
	if got := Last(home, 3); len(got) != 0 {
		t.Errorf("got %v", got)
	}
	note := func(i int) {
		t.Helper()
		list, err := OpenList(home)
		if err == nil {
			err = list.Note(Dispatch{Session: fmt.Sprint(i), Head: strings.Repeat("h", 200)})
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	for i := range 5000 {
		note(i)
	}
	for _, n := range []int{0, 1, 3, 800} {
		got := Last(home, n)
		if len(got) != n || n > 0 && (got[n-1].Session != "4999" || got[0].Session != fmt.Sprint(5000-n)) {
			t.Errorf("%d: got %d", n, len(got))
		}
	}
	for _, name := range []string{"last.jsonl", "last.jsonl.1"} {
		info, err := os.Stat(filepath.Join(home, name))
		if err != nil || info.Size() > MaxLast+1000 || info.Mode().Perm() != 0o600 {
			t.Errorf("%s: %v, %v", name, info, err)
		}
	}
	f, _ := os.OpenFile(lastFile(home), os.O_APPEND|os.O_WRONLY, 0)
	f.WriteString("{\n")
	f.Close()
	note(5000)
	if got := Last(home, 2); len(got) != 2 || got[0].Session != "4999" || got[1].Session != "5000" {
		t.Errorf("a damaged line: %+v", got)
	}
}

// What is written by hand is what encoding/json writes and reads.
func TestDispatchBytes(t *testing.T) {
	for _, d := range []Dispatch{
		{Time: noon, Harness: "one", Event: "Stop", Verdict: "allowed", Handlers: []Handler{}},
		{
			Time: noon.Add(time.Millisecond), Harness: "one", Event: "PreToolUse", Root: "/a \"b\"", Session: "s", Tool: "Bash", Verdict: "blocked",
			Why: "<no>\u2028\n", Millis: 1.25, Head: `{"a":"é"}`,
			Handlers: []Handler{{Name: "h", Verdict: "blocked", Millis: 0.001}, {Name: "i", Verdict: "failed"}},
		},
	} {
		var want bytes.Buffer
		enc := json.NewEncoder(&want)
		enc.SetEscapeHTML(false)
		if err := enc.Encode(d); err != nil {
			t.Fatal(err)
		}
		if got := string(d.bytes()) + "\n"; got != want.String() {
			t.Errorf("\n got %s\nwant %s", got, want.String())
		}
	}
}

// A receipt that was opened before somebody else counted loses nothing.
func TestOpenedEarly(t *testing.T) {
	home, now := t.TempDir(), time.Now()
	run := Run{Handler: "guard", Took: time.Millisecond, Blocked: true}
	for range 2 { // the file is made, and then it is there
		early, err := Open(home, "/clone", "pi", "guard")
		if err != nil {
			t.Fatal(err)
		}
		if err := errors.Join(Add(home, "/clone", "pi", now, run), early.Add(now, run)); err != nil {
			t.Fatal(err)
		}
	}
	all := Read(home, "/clone")
	if len(all) != 1 || all[0].Count != 4 || all[0].Blocked != 4 || len(all[0].Micros) != 4 {
		t.Errorf("%+v", all)
	}
}
