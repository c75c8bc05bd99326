//go:build linux

// Package e2e holds no code: its tests run real agents in a sandbox, against a fake model, through
// `lorimer materialize` and the built binaries alone.
//
// cases_*_test.go are the one table of cases; each case runs on every host in every mode, and once more in a clone that
// `lorimer clean` has been through, where its checks must not hold. What hosts make of the same thing in their own ways is data:
// rig.Manners. Where modes differ in what is printed alone, the cases
// whose end is printed differently run in all of them, and the others in one. The files that are named for a host hold what
// it alone can do.
//
//	make e2e                        installs the pinned hosts and runs everything; what is missing is a failure
//	go test ./e2e/                  skips, with the reason, when something is missing
//	LORIMER_E2E_ALL=1 go test ...   runs each case in each mode, whatever it prints
//	LORIMER_E2E_KEEP=1 go test ...  keeps the scratch directories of failed tests and says where they are
package e2e

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/lorimer-dev/lorimer/e2e/rig"
	"github.com/lorimer-dev/lorimer/internal/sandbox"
)

// What TestMain found.
var (
	install     rig.Install
	bin         string
	unavailable error // why no host can be run here; nil = they can
)

func TestMain(m *testing.M) {
	rig.EnterEtc()
	os.Exit(run(m))
}

func run(m *testing.M) int {
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Minute)
	defer cancel()
	install, bin, unavailable = rig.Ready(ctx, "..", ".", rig.Cased...)
	return m.Run()
}

// TestThePreconditionsHold is where a machine that cannot run the suite says so, whatever tests were asked for.
func TestThePreconditionsHold(t *testing.T) {
	readSources(t)
	need(t)
	if err := sandbox.Sealed(); err != nil {
		t.Error(err)
	}
}

func need(t *testing.T) { t.Helper(); rig.Need(t, unavailable) }

// readSources lists the directories that the binaries are built from, so that go test does not answer from its cache when
// only they have changed: it knows what a test imports and what it looks at.
func readSources(t *testing.T) {
	for _, top := range []string{"cmd", "gen", "golden", "harnesses", "internal", "runtime-js"} {
		err := filepath.WalkDir(filepath.Join("..", top), func(_ string, d fs.DirEntry, err error) error { return err })
		if err != nil {
			t.Error(err)
		}
	}
}
