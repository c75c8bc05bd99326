package arch

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// code is where no harness may be known by name: everything hand-written that ships.
var code = []string{"bench", "cmd", "gen", "hal", "internal", "runtime-js"}

// TestNoHarnessIDInCode greps string literals for descriptor ids. If a harness does not fit, the descriptor format grows.
func TestNoHarnessIDInCode(t *testing.T) {
	root := filepath.Join("..", "..")
	ids := descriptorIDs(t, root)
	literal := regexp.MustCompile("[\"'`](" + strings.Join(ids, "|") + ")[\"'`]")
	checked := 0
	for _, dir := range code {
		err := filepath.WalkDir(filepath.Join(root, dir), func(p string, d fs.DirEntry, err error) error {
			if os.IsNotExist(err) {
				return fs.SkipDir
			}
			if err != nil || d.IsDir() || !shipped(p) {
				return err
			}
			checked++
			src, err := os.ReadFile(p)
			for i, line := range strings.Split(string(src), "\n") {
				if m := literal.FindString(withoutComment(line)); m != "" {
					t.Errorf("%s:%d: harness id %s in code; let the descriptor say what is special", p, i+1, m)
				}
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if checked < 20 {
		t.Errorf("only %d files were looked at", checked)
	}
}

func shipped(p string) bool {
	isCode := strings.HasSuffix(p, ".go") || strings.HasSuffix(p, ".mjs") || strings.HasSuffix(p, ".js")
	isTest := strings.HasSuffix(p, "_test.go") || strings.Contains(p, ".test.") || strings.Contains(p, "testdata") || strings.Contains(p, "node_modules")
	return isCode && !isTest
}

func withoutComment(line string) string {
	if t := strings.TrimSpace(line); strings.HasPrefix(t, "//") || strings.HasPrefix(t, "*") {
		return ""
	}
	return line
}

// descriptorIDs leaves out "unknown", which is a word of everybody's.
func descriptorIDs(t *testing.T, root string) (ids []string) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(root, "harnesses", "*.yaml"))
	if err != nil || len(files) < 3 {
		t.Fatalf("descriptors: %v, %v", files, err)
	}
	for _, f := range files {
		if id := strings.TrimSuffix(filepath.Base(f), ".yaml"); id != "unknown" {
			ids = append(ids, regexp.QuoteMeta(id))
		}
	}
	return ids
}
