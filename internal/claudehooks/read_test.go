package claudehooks

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"
)

// TestGoldens reads testdata/*.txtar: a settings file, and what is made of it.
func TestGoldens(t *testing.T) {
	paths, _ := filepath.Glob("testdata/*.txtar")
	if len(paths) < 4 {
		t.Fatalf("only %d goldens", len(paths))
	}
	for _, path := range paths {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txtar"), func(t *testing.T) {
			ar, err := txtar.ParseFile(path)
			if err != nil {
				t.Fatal(err)
			}
			got := said(Reader{File: ".claude/settings.json", Mine: ours}.Settings(ar.Files[0].Data))
			if want := string(ar.Files[1].Data); got != want {
				if os.Getenv("UPDATE") != "" {
					ar.Files[1].Data = []byte(got)
					if err := os.WriteFile(path, txtar.Format(ar), 0o644); err != nil {
						t.Fatal(err)
					}
					return
				}
				t.Error(cmp.Diff(want, got))
			}
		})
	}
}

func ours(entry any) bool {
	m, _ := entry.(map[string]any)
	return m["command"] == "/x/lorimer-dispatch"
}

func said(s Source) string {
	var b strings.Builder
	for _, f := range s.Faults {
		fmt.Fprintln(&b, "fault:", f)
	}
	for _, w := range s.Warnings {
		fmt.Fprintln(&b, "warning:", w)
	}
	for _, e := range s.Entries {
		fmt.Fprintf(&b, "%d:%d %s: matcher %q, command %q", e.Pos.Line, e.Pos.Col, e.Name, e.Matcher, e.Command)
		if e.Direct {
			fmt.Fprintf(&b, " with %q", e.Args)
		}
		if e.If != "" {
			fmt.Fprintf(&b, " if %q", e.If)
		}
		if e.Async {
			b.WriteString(", async")
		}
		if e.Timeout > 0 {
			fmt.Fprintf(&b, " within %s (%d:%d)", e.Timeout, e.TimeoutAt.Line, e.TimeoutAt.Col)
		}
		if e.Blocks {
			b.WriteString(", blocks when it fails")
		}
		b.WriteString("\n")
	}
	if s.Disabled != nil {
		fmt.Fprintln(&b, "disabled:", *s.Disabled)
	}
	fmt.Fprintln(&b, "anything:", s.Any)
	return b.String()
}

// No bytes may make the reader panic, and what it gives must be complete.
func FuzzSettings(f *testing.F) {
	f.Add([]byte(`{"hooks":{"Stop":[{"matcher":"","hooks":[{"type":"command","command":"x","args":["a"],"timeout":1}]}]}}`))
	f.Add([]byte(`{"hooks":{"PreToolUse":[{"hooks":[{}]}],"Stop":[]},"disableAllHooks":true}`))
	f.Add([]byte("\xef\xbb\xbf[[[{]"))
	f.Fuzz(func(t *testing.T, src []byte) {
		for _, e := range (Reader{File: "f"}).Settings(src).Entries {
			if e.Command == "" || e.Name == "" || e.Pos.Line < 1 || e.Pos.Col < 1 || e.Timeout < 0 {
				t.Errorf("%+v", e)
			}
		}
	})
}
