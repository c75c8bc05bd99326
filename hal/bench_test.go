package hal

import (
	"os"
	"testing"

	"github.com/lorimer-dev/lorimer/golden/go/runtimes"
)

// BenchmarkEnvironment is a detection by a variable, and an answer, from nothing.
func BenchmarkEnvironment(b *testing.B) {
	b.Setenv("GT_RUNTIME", "")
	b.Setenv("LORIMER_HARNESS", runtimes.All[0].ID)
	for b.Loop() {
		if h := New(Options{}); h.Explain().By == "none" || h.GetStallThreshold() == 0 {
			b.Fatal(h.Explain())
		}
	}
}

// BenchmarkProcessTree takes every step, down to the process tree.
func BenchmarkProcessTree(b *testing.B) {
	empty := Options{Dir: b.TempDir(), Getenv: func(string) string { return "" }}
	if err := os.MkdirAll(empty.Dir, 0o755); err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if h := New(empty); len(h.Explain().Steps) != 4 || h.GetStallThreshold() == 0 {
			b.Fatal(h.Explain())
		}
	}
}
