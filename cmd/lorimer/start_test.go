package main

import (
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/lorimer-dev/lorimer/internal/inittrace"
)

// What our packages make before main runs, each command waits for, also one that only asks which agent this is. That nothing is
// compiled there, internal/arch holds; here the rest is counted.
func TestStartsWithLittleWork(t *testing.T) {
	bin := filepath.Join(t.TempDir(), "lorimer")
	if out, err := exec.Command("go", "build", "-o", bin, ".").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	sum := 0
	for name, n := range inittrace.Allocations(t, bin, "--help") {
		if sum += n; n > most {
			t.Errorf("%s allocates %d times before main; at most %d", name, n, most)
		}
	}
	if sum > 5*most {
		t.Errorf("our packages allocate %d times before main; at most %d", sum, 5*most)
	}
}

// most allocations of a package before main. A table that is a map takes some twenty; the page of the matrix took seven hundred.
const most = 100
