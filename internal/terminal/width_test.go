package terminal

import (
	"os"
	"path/filepath"
	"testing"
)

func TestWidth(t *testing.T) {
	f, err := os.Create(filepath.Join(t.TempDir(), "x"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for columns, want := range map[string]int{"": 0, "132": 132, "0": 0, "-3": 0, "wide": 0} {
		t.Setenv("COLUMNS", columns)
		if got := Width(f); got != want {
			t.Errorf("COLUMNS=%q: %d, want %d", columns, got, want)
		}
	}
}
