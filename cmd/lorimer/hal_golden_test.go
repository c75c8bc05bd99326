package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/lorimer-dev/lorimer/golden/go/runtimes"
	"github.com/lorimer-dev/lorimer/internal/goldentest"
	"github.com/lorimer-dev/lorimer/internal/harness"
	"github.com/lorimer-dev/lorimer/internal/sense/show"
)

// said returns what one command prints.
func said(t *testing.T, c show.Command, run func(*show.Command) error) string {
	t.Helper()
	var out, warnings bytes.Buffer
	c.Rows, c.Stdout, c.Stderr = runtimes.All, &out, &warnings
	if err := run(&c); err != nil {
		t.Fatal(err)
	}
	return out.String() + warnings.String()
}

// TestHALStartup holds the commands of every role in every version range of every runtime.
func TestHALStartup(t *testing.T) {
	var all strings.Builder
	for _, r := range runtimes.All {
		for _, x := range r.Ranges {
			all.WriteString("versions " + span(x) + "\n")
			c := show.Command{Runtime: r.ID, Version: within(x)}
			all.WriteString(said(t, c, func(c *show.Command) error { return c.Startup(nil) }))
		}
	}
	goldentest.Compare(t, filepath.FromSlash("testdata/hal/startup.txt"), all.String())
}

func span(x harness.Range) string {
	if x.Until == "" {
		return "from there on"
	}
	return "below " + x.Until
}

// within is a version of the range: 0 is below every other, and none is the newest.
func within(x harness.Range) string {
	if x.Until == "" {
		return ""
	}
	return "0"
}

func TestHALMatrix(t *testing.T) {
	for name, asOf := range map[string]string{"matrix.md": "", "matrix-seed.md": "seed", "matrix-none.md": "never"} {
		got := said(t, show.Command{}, func(c *show.Command) error { return c.Matrix(asOf) })
		goldentest.Compare(t, filepath.Join("testdata", "hal", name), got)
	}
}

// TestHALMatrixIsTheSeeds compares with the table that the HAL was specified by, word by word. Its columns have another order.
func TestHALMatrixIsTheSeeds(t *testing.T) {
	src, err := os.ReadFile(filepath.Join("testdata", "hal", "seed.md"))
	if err != nil {
		t.Fatal(err)
	}
	want := cells(t, string(src))
	got := cells(t, said(t, show.Command{}, func(c *show.Command) error { return c.Matrix("seed") }))
	if len(want) != 40 || len(got) != len(want) {
		t.Errorf("%d cells, want %d", len(got), len(want))
	}
	for at, word := range want {
		if got[at] != word {
			t.Errorf("%s: %q, want %q", at, got[at], word)
		}
	}
}

// cells reads a Markdown table: "runtime, capability" to word.
func cells(t *testing.T, table string) map[string]string {
	t.Helper()
	lines := strings.Split(strings.TrimSpace(table), "\n")
	all, head := map[string]string{}, split(lines[0])
	for _, l := range lines[2:] {
		row := split(l)
		for i := 1; i < len(row); i++ {
			all[head[i]+", "+row[0]] = row[i]
		}
	}
	return all
}

func split(line string) []string {
	words := strings.Split(strings.Trim(line, "| "), "|")
	for i, w := range words {
		words[i] = strings.TrimSpace(w)
	}
	return words
}
