package gen

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/lorimer-dev/lorimer/internal/harness"
)

// TestNew: each template gives a file that is valid, that says what to measure, and that is generated at once.
func TestNew(t *testing.T) {
	if len(Likes()) != 3 {
		t.Fatalf("templates: %q", Likes())
	}
	for _, like := range Likes() {
		t.Run(like, func(t *testing.T) {
			dir, out := filepath.Join(t.TempDir(), "mine"), &bytes.Buffer{}
			c := New{ID: "my-agent2", Like: like, Name: `My: "Agent"`, Dir: dir, Today: time.Date(2026, 11, 30, 0, 0, 0, 0, time.UTC), Stdout: out}
			if err := c.Run(); err != nil {
				t.Fatal(err)
			}
			file := filepath.Join(dir, "my-agent2.yaml")
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if strings.Contains(string(text), "{{") || strings.Count(string(text), "MEASURE") < 6 || !strings.Contains(string(text), `"2026-11-30"`) {
				t.Errorf("the file is\n%s", text)
			}
			if faults, n, err := Validate([]string{file}); faults != nil || n != 1 || err != nil {
				t.Errorf("%v, %v", faults, err)
			}
			rows, err := Unbuilt(os.DirFS(dir), dir, t.TempDir())
			if err != nil {
				t.Fatal(err)
			}
			generative := len(rows) == 1 && rows[0].Kind == harness.Generative
			if says := strings.Contains(out.String(), "materialize --harness-dir "+dir); says != generative {
				t.Errorf("generative is %t, and what is said is\n%s", generative, out)
			}
			if err := c.Run(); err == nil || !strings.Contains(err.Error(), "not overwritten") {
				t.Errorf("the second time: %v", err)
			}
			if again, _ := os.ReadFile(file); string(again) != string(text) {
				t.Error("it was overwritten")
			}
		})
	}
}

func TestNewRefuses(t *testing.T) {
	like := Likes()[0]
	for _, c := range []struct{ id, like, want string }{
		{"My-Agent", like, "lower-case"}, {"my--agent", like, "lower-case"}, {"../x", like, "lower-case"}, {"", like, "lower-case"}, {"2x", like, "lower-case"},
		{"mine", "cluade", "expected one of"}, {"mine", "../claude", "expected one of"},
	} {
		dir := t.TempDir()
		err := New{ID: c.id, Like: c.like, Dir: dir, Stdout: &bytes.Buffer{}}.Run()
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q like %q: %v, want %s", c.id, c.like, err, c.want)
		}
		if left, _ := os.ReadDir(dir); len(left) > 0 {
			t.Errorf("%q like %q leaves %v", c.id, c.like, left)
		}
	}
}

func TestNewDryRun(t *testing.T) {
	dir, out := t.TempDir(), &bytes.Buffer{}
	if err := (New{ID: "mine", Like: Likes()[0], Dir: dir, DryRun: true, Stdout: out}).Run(); err != nil || !strings.Contains(out.String(), "id: mine\nname: \"mine\"\n") {
		t.Errorf("%v\n%s", err, out)
	}
	if left, _ := os.ReadDir(dir); len(left) > 0 {
		t.Errorf("it leaves %v", left)
	}
}
