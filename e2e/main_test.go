//go:build linux

// Package e2e holds no code: its tests run the real Claude Code and the real pi, in a sandbox, against a fake model, through
// `lorimer materialize` and the built binaries alone.
//
// cases_test.go is the one table of cases; each case runs on every host in every mode, and once more in a clone that
// `lorimer clean` has been through, where its checks must not hold. claude_test.go and pi_test.go hold what only one of the
// two can do.
//
//	make e2e                        installs the pinned hosts and runs everything; what is missing is a failure
//	go test ./e2e/                  skips, with the reason, when something is missing
//	LORIMER_E2E_KEEP=1 go test ...  keeps the scratch directories of failed tests and says where they are
package e2e

import (
	"context"
	"fmt"
	"os"
	"testing"
	"time"

	"github.com/lorimer-dev/lorimer/e2e/rig"
	"github.com/lorimer-dev/lorimer/e2e/sandbox"
)

// What TestMain found.
var (
	install     rig.Install
	bin         string
	unavailable error // why no host can be run here; nil = they can
)

func TestMain(m *testing.M) { os.Exit(run(m)) }

// run builds outside the sandbox, where modules can be fetched, and tests inside it.
func run(m *testing.M) int {
	if install, unavailable = rig.Installed("."); unavailable != nil {
		return m.Run()
	}
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Minute)
	defer cancel()
	var remove func()
	if bin, remove, unavailable = rig.Binaries(ctx, ".."); unavailable != nil {
		return m.Run()
	}
	unavailable = sandbox.Enter(remove, "LORIMER_BIN="+bin)
	return m.Run()
}

// TestThePreconditionsHold is where a machine that cannot run the suite says so, once, whatever tests were asked for.
func TestThePreconditionsHold(t *testing.T) {
	need(t)
	if err := sandbox.Sealed(); err != nil {
		t.Error(err)
	}
}

// need skips the test when the hosts cannot be run; with LORIMER_E2E=1 it fails.
func need(t *testing.T) {
	t.Helper()
	if unavailable == nil {
		return
	}
	if os.Getenv("LORIMER_E2E") == "1" {
		t.Fatalf("the end-to-end tests cannot run: %v", unavailable)
	}
	fmt.Fprintf(os.Stderr, "SKIPPED %s: %v\n", t.Name(), unavailable)
	t.Skip(unavailable)
}
