//go:build linux

package e2e

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/lorimer-dev/lorimer/internal/platform"
)

// grandchild waits for the process that the tool of a hanging gremlin starts, and returns the file with its pid.
func (g *gremlins) grandchild() string {
	g.t.Helper()
	file := filepath.Join(g.Dir, "e2e", "grandchild")
	for {
		if b, _ := os.ReadFile(file); strings.HasSuffix(string(b), "\n") {
			return file
		}
		if g.ctx.Err() != nil {
			g.t.Fatal("the tool has not started")
		}
		time.Sleep(20 * time.Millisecond)
	}
}

// lives says whether the process of that pid runs. A zombie has ended: its new parent only has to hear of it.
func (g *gremlins) lives(file string) bool {
	g.t.Helper()
	b, err := os.ReadFile(file)
	must(g.t, err)
	pid, err := strconv.Atoi(strings.TrimSpace(string(b)))
	must(g.t, err)
	return platform.Current.Alive(pid, 0)
}
