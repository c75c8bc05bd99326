package owned

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lorimer-dev/lorimer/internal/splice"
)

func sample() Record {
	return Record{State: State{
		Files: []File{
			{Path: "b/lorimer.js", Harness: "pony", How: Whole, SHA256: Hash([]byte("b"))},
			{Path: "a/settings.json", Harness: "cob", How: Spliced, SHA256: Hash([]byte("a")), Created: true,
				Keys: []string{"hooks", splice.Any}, Entries: []Entry{{At: []string{"hooks", "Stop"}, Value: []byte(`{"x":"<&>"}`)}},
				Undo: []splice.Origin{{At: []string{"hooks"}, Absent: true}, {At: []string{}, Text: "\r\n"}}},
		},
		Dirs: []string{"b", "a", "b"},
	}}
}

func TestEncodeIsStableAndReadBack(t *testing.T) {
	r := sample()
	other := sample()
	other.Files[0], other.Files[1] = other.Files[1], other.Files[0]
	other.Dirs = []string{"a", "b"}
	if a, b := string(r.Encode()), string(other.Encode()); a != b {
		t.Errorf("the order counts:\n%s\n%s", a, b)
	}
	if r.Files[0].Path != "b/lorimer.js" {
		t.Error("Encode sorted the caller's slice")
	}
	back, err := Parse(r.Encode())
	if err != nil || string(back.Encode()) != string(r.Encode()) || !strings.Contains(string(r.Encode()), `"<&>"`) {
		t.Errorf("%v\n%s", err, cmp.Diff(string(r.Encode()), string(back.Encode())))
	}
}

func TestParseRefuses(t *testing.T) {
	for src, want := range map[string]string{
		"{":                             "is damaged",
		`{"version":2,"files":[]}`:      "has version 2, this lorimer knows 1",
		`{"files":[]}`:                  "has version 0",
		`{"version":1,"dirs":["../x"]}`: `names "../x"`,
		`{"version":1,"files":[{"path":"/etc/passwd"}]}`:           `names "/etc/passwd"`,
		`{"version":1,"files":[],"next":{"files":[{"path":"."}]}}`: `names "."`,
		`{"version":1,"files":[{"path":"a/../../b"}]}`:             `names "a/../../b"`,
	} {
		if _, err := Parse([]byte(src)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, want %s", src, err, want)
		}
	}
	if r, err := Parse(nil); err != nil || len(r.Paths()) != 0 {
		t.Errorf("no record: %v", err)
	}
}

func TestFindAfterARunThatWasCutShort(t *testing.T) {
	file := func(text, harness string) File { return File{Path: "f", SHA256: Hash([]byte(text)), Harness: harness} }
	r := Record{State: State{Files: []File{file("old", "was")}}, Next: &State{Files: []File{file("new", "becomes")}}}
	for current, want := range map[string]string{"old": "was", "new": "becomes", "someone else's": "becomes"} {
		if f, ok := r.Find("f", []byte(current)); !ok || f.Harness != want {
			t.Errorf("%s: got %q, want %q", current, f.Harness, want)
		}
	}
	if _, ok := r.Find("g", nil); ok {
		t.Error("found a file that is not in the record")
	}
	if got := r.Paths(); len(got) != 1 {
		t.Errorf("Paths: %v", got)
	}
}
