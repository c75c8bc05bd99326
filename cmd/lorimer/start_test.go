package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// What our packages make before main runs, each command waits for, also one that only asks which agent this is. That nothing is
// compiled there, internal/arch holds; here the rest is counted.
func TestStartsWithLittleWork(t *testing.T) {
	bin := filepath.Join(t.TempDir(), "lorimer")
	if out, err := exec.Command("go", "build", "-o", bin, ".").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	cmd := exec.Command(bin, "--help")
	cmd.Env = append(os.Environ(), "GODEBUG=inittrace=1")
	var trace strings.Builder
	cmd.Stderr = &trace
	if err := cmd.Run(); err != nil {
		t.Fatal(err)
	}
	all := regexp.MustCompile(`(?m)^init (\S+) @.* (\d+) allocs$`).FindAllStringSubmatch(trace.String(), -1)
	if len(all) < 50 {
		t.Fatalf("not a trace:\n%s", trace.String())
	}
	sum := 0
	for _, m := range all {
		n, _ := strconv.Atoi(m[2])
		if !strings.HasPrefix(m[1], "github.com/lorimer-dev/") {
			continue
		}
		if sum += n; n > most {
			t.Errorf("%s allocates %d times before main; at most %d", m[1], n, most)
		}
	}
	if sum > 5*most {
		t.Errorf("our packages allocate %d times before main; at most %d", sum, 5*most)
	}
}

// most allocations of a package before main. A table that is a map takes some twenty; the page of the matrix took seven hundred.
const most = 100
