package descriptor

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/lorimer-dev/lorimer/internal/goldentest"
)

// Each file in testdata/broken has faults, and beside it stands what the loader says of them, word by word: the texts are
// what somebody who writes a descriptor works with.
func TestBroken(t *testing.T) {
	files, err := filepath.Glob("testdata/broken/*.yaml")
	if err != nil || len(files) < 30 {
		t.Fatalf("%d broken descriptors, %v", len(files), err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".yaml"), func(t *testing.T) {
			src, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			d, err := LoadFile("harnesses/"+filepath.Base(file), src)
			if err == nil || d != nil {
				t.Fatalf("the loader takes it: %v", err)
			}
			goldentest.Compare(t, strings.TrimSuffix(file, ".yaml")+".txt", err.Error()+"\n")
		})
	}
}

// An expectation whose descriptor is gone would be believed for ever.
func TestNoOrphans(t *testing.T) {
	texts, err := filepath.Glob("testdata/broken/*.txt")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range texts {
		if _, err := os.Stat(strings.TrimSuffix(f, ".txt") + ".yaml"); err != nil {
			t.Errorf("%s has no descriptor beside it; remove it", f)
		}
	}
}
