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

// process is one of which only the pid is known.
type process int

// lives is false for a zombie, too: it has ended, its new parent only has to hear of it.
func (p process) lives() bool { return platform.Current.Alive(int(p), 0) }

// grandchild waits for the process that the tool of a hanging gremlin starts.
func (g *gremlins) grandchild() process {
	g.t.Helper()
	for {
		b, _ := os.ReadFile(filepath.Join(g.Dir, "e2e", "grandchild"))
		if pid, err := strconv.Atoi(strings.TrimSpace(string(b))); err == nil && strings.HasSuffix(string(b), "\n") {
			return process(pid)
		}
		if g.ctx.Err() != nil {
			g.t.Fatal("the tool has not started")
		}
		time.Sleep(20 * time.Millisecond)
	}
}
