// Command lorimer-gremlins supervises headless workers: one base session is trained, gremlins are spawned from it by forking, and
// what each of them did and used is on record. It is called as `lorimer gremlins COMMAND`.
//
// stdout is one JSON object, also for --help and for a refusal; exit status 0 done, 2 refused and nothing changed, 1 a fault of
// ours; wait also has 3 (jobs still run: call again) and 4 (all have ended, not all well).
package main

import (
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/lorimer-dev/lorimer/golden/go/driver"
	"github.com/lorimer-dev/lorimer/internal/gremlin/engine"
	"github.com/lorimer-dev/lorimer/internal/gremlin/warm"
	"github.com/lorimer-dev/lorimer/internal/platform"
)

// version is set by the linker.
var version = "dev"

func main() {
	platform.Stage()
	e, err := newEngine()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(exitFault)
	}
	os.Exit(run(e, os.Args[1:], os.Stdout))
}

func newEngine() (*engine.Engine, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	if self, err = filepath.EvalSymlinks(self); err != nil {
		return nil, err
	}
	cwd, err := os.Getwd()
	if err != nil {
		return nil, err
	}
	return &engine.Engine{
		Drivers: driver.All, Platform: platform.Current, Now: now, Env: os.Environ(), Self: self, Version: version, CWD: cwd,
	}, nil
}

// now reads both clocks.
func now() warm.Now {
	up, _ := platform.Uptime()
	return warm.Now{Wall: time.Now(), Up: up, Boot: platform.Boot()}
}
