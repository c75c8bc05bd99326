//go:build linux

package e2e

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/lorimer-dev/lorimer/internal/goldentest"
)

// goldenFile holds what was seen of one way: all of Claude's own effects, and of another way those that differ.
func (w way) goldenFile() string {
	return "corpus/effects/" + strings.ReplaceAll(w.id, " ", "-") + ".txt"
}

// golden holds what was seen against that file, and a file against what was seen.
func (w way) golden(t *testing.T, rows []corpusRow, why map[string]string, got map[string]effect) {
	t.Helper()
	var b strings.Builder
	for _, row := range rows {
		name := row.Name.Text
		if !w.native && why[name] == "" {
			continue
		}
		fmt.Fprintf(&b, "%s (%s)\n", name, row.About)
		if !w.native {
			fmt.Fprintf(&b, "  [%s]\n", why[name])
		}
		b.WriteString(got[name].String())
	}
	compareOrCreate(t, w.goldenFile(), b.String())
}

// compareOrCreate is for agents that have just joined: -update makes their file.
func compareOrCreate(t *testing.T, file, text string) {
	t.Helper()
	if _, err := os.Stat(file); err != nil && !*goldentest.Update {
		t.Errorf("%s is missing: run the test with -update and look at it", file)
		return
	}
	goldentest.Compare(t, file, text)
}

// recorded is one row of such a file.
type recorded struct{ about, why, effect string }

// record reads the file of a way: rows by their names.
func (w way) record(t *testing.T) map[string]recorded {
	t.Helper()
	src, err := os.ReadFile(w.goldenFile())
	must(t, err)
	all := map[string]recorded{}
	name := ""
	for line := range strings.Lines(string(src)) {
		r := all[name]
		switch why, ok := strings.CutPrefix(line, "  ["); {
		case !strings.HasPrefix(line, "  "):
			name, line, _ = strings.Cut(strings.TrimSuffix(line, ")\n"), " (")
			r = recorded{about: line}
		case ok:
			r.why = strings.TrimSuffix(why, "]\n")
		default:
			r.effect += line
		}
		all[name] = r
	}
	return all
}
