// Package inittrace counts, for tests, what a program allocates before main runs: who starts it waits for that each time.
package inittrace

import (
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// ours is how the names of this module's packages begin.
const ours = "github.com/lorimer-dev/"

// Allocations starts a built program, which must exit with 0, and returns how often each package of this module allocates before main
// runs. Those that do nothing there are not listed.
func Allocations(t *testing.T, program string, args ...string) map[string]int {
	t.Helper()
	cmd := exec.Command(program, args...)
	cmd.Env = append(os.Environ(), "GODEBUG=inittrace=1")
	var trace strings.Builder
	cmd.Stderr = &trace
	if err := cmd.Run(); err != nil {
		t.Fatal(err)
	}
	all := regexp.MustCompile(`(?m)^init (\S+) @.* (\d+) allocs$`).FindAllStringSubmatch(trace.String(), -1)
	if len(all) < 5 { // the runtime's own packages are more
		t.Fatalf("not a trace:\n%s", trace.String())
	}
	found := map[string]int{}
	for _, m := range all {
		if n, err := strconv.Atoi(m[2]); err == nil && strings.HasPrefix(m[1], ours) {
			found[m[1]] = n
		}
	}
	return found
}
