package materialize

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/lorimer-dev/lorimer/internal/harness"
	"github.com/lorimer-dev/lorimer/internal/owned"
)

func TestFillTokens(t *testing.T) {
	for _, c := range []struct {
		group, want      string
		quote            harness.Quote
		dispatcher, root string
	}{
		{`["{dispatcher}","{root}"]`, `["/a b/d","/it's \"x\""]`, harness.QuoteNone, "/a b/d", `/it's "x"`},
		{`["{dispatcher}"]`, `["C:\\a\\d.exe"]`, harness.QuoteNone, `C:\a\d.exe`, ""},
		{`["{dispatcher} --root {root} x"]`, `["/a/d --root /r-1/x_y x"]`, harness.QuoteShell, "/a/d", "/r-1/x_y"},
		{`["{dispatcher} --root {root} x"]`, `["'/a b/d' --root '/it'\\''s $HOME' x"]`, harness.QuoteShell, "/a b/d", "/it's $HOME"},
		{`["{root}"]`, `["'{dispatcher}'"]`, harness.QuoteShell, "/d", "{dispatcher}"}, // a value is not searched again
	} {
		got := string(fillTokens([]byte(c.group), c.quote, c.dispatcher, c.root))
		if got != c.want || !json.Valid([]byte(got)) {
			t.Errorf("got  %s\nwant %s", got, c.want)
		}
	}
}

func TestStartsDispatcher(t *testing.T) {
	for text, want := range map[string]bool{
		`{"command": "/a/lorimer-dispatch", "args": ["--root", "/x", "cob", "Stop"]}`:         true,
		`{"hooks": [{"command": "C:\\b\\lorimer-dispatch.exe", "args": ["--root", "C:\\"]}]}`: true,
		`{"command": "/a/lorimer-dispatch --root /x cob Stop"}`:                               true,
		`{"command": "'/a b/lorimer-dispatch' --fail-closed --root '/x y' cob Stop"}`:         true,
		`{"bash": "lorimer-dispatch.exe --root x"}`:                                           true,
		`{"exec": "/bin/sh", "args": ["-c", "x", "/a/lorimer-dispatch", "--root", "/x"]}`:     true,
		`{"exec": "/bin/sh", "args": ["-c", "x", "lorimer-dispatch", "cob", "--root"]}`:       false,
		`{"command": "/a/lorimer-dispatch", "args": ["cob", "Stop"]}`:                         false,
		`{"command": "/a/lorimer-dispatch cob Stop"}`:                                         false,
		`{"command": "my-lorimer-dispatch --root /x"}`:                                        false,
		`{"command": "/a/lorimer-dispatcher", "args": ["--root", "/x"]}`:                      false,
		`{"command": "guard", "args": ["--root", "lorimer-dispatch"]}`:                        false,
		`{"a": {"command": "lorimer-dispatch"}, "b": {"args": ["--root", "/"]}}`:              false,
	} {
		var v any
		must(t, json.Unmarshal([]byte(text), &v))
		if got := startsDispatcher(v); got != want {
			t.Errorf("%s: %t", text, got)
		}
	}
}

func TestPlacesWithSpacesAndQuotes(t *testing.T) {
	base := filepath.Join(t.TempDir(), `it's a "place" {root}`)
	clone, o := filepath.Join(base, "clone $HOME"), options(t)
	o.Home = filepath.Join(base, "state home")
	write(t, clone, "lorimer.yaml", yaml)
	before := tree(t, clone)
	materialize(t, clone, o)
	// Without the record, entries are known by what they say.
	must(t, os.RemoveAll(filepath.Join(clone, ".lorimer")))
	if p := materialize(t, clone, o); strings.Contains(paths(p), "mule.json") || strings.Contains(paths(p), "settings") {
		t.Errorf("not recognised: %s", paths(p))
	}
	must(t, os.Remove(filepath.Join(clone, "mule.json")))
	clean(t, clone, o)
	left := tree(t, clone)
	for name, text := range left {
		if strings.Contains(text, "lorimer-dispatch") {
			t.Errorf("%s:\n%s", name, text)
		}
	}
	if len(before) != 1 {
		t.Error("the clone was not fresh")
	}
}

// TestEntriesOfAnOlderLorimer: what no template of this build fits is known from the record, also when the run that should
// have replaced it was cut short and the user saved the file since.
func TestEntriesOfAnOlderLorimer(t *testing.T) {
	const entry = `{"command": "/old/lorimer-dispatch --root /x mule Stop --old-flag"}`
	const file = `{"on": {"end": [` + entry + `]}, "theirs": 1}`
	old := owned.File{Path: "mule.json", Harness: "mule", How: owned.Spliced, SHA256: "old", Keys: []string{"on", ""},
		Entries: []owned.Entry{{At: []string{"on", "end"}, Value: []byte(entry)}}}
	next := old
	next.SHA256, next.Entries = "next", []owned.Entry{{At: []string{"on", "end"}, Value: []byte(`"new"`)}}
	for name, r := range map[string]owned.Record{
		"recorded":  {State: owned.State{Files: []owned.File{old}}},
		"cut short": {State: owned.State{Files: []owned.File{old}}, Next: &owned.State{Files: []owned.File{next}}},
	} {
		t.Run(name, func(t *testing.T) {
			clone, o := setup(t, map[string]string{"lorimer.yaml": yaml, "mule.json": file, owned.Path: string(r.Encode())})
			materialize(t, clone, o)
			if got := read(t, clone, "mule.json"); strings.Contains(got, "old-flag") || strings.Count(got, "lorimer-dispatch") != 1 {
				t.Errorf("got %s", got)
			}
			clean(t, clone, o)
			if got := read(t, clone, "mule.json"); got != `{"on": {"end": []}, "theirs": 1}` {
				t.Errorf("after clean: %s", got)
			}
		})
	}
	clone, o := setup(t, map[string]string{"lorimer.yaml": yaml, "mule.json": file})
	refused(t, clone, materializing(clone, o), "mule.json:1:17: this entry is lorimer's and was changed by someone else")
}
