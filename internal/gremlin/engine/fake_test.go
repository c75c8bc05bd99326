//go:build linux

package engine_test

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	golden "github.com/lorimer-dev/lorimer/golden/go/driver"
	"github.com/lorimer-dev/lorimer/internal/gremlin/engine"
	"github.com/lorimer-dev/lorimer/internal/gremlin/fakeagent"
	"github.com/lorimer-dev/lorimer/internal/gremlin/usage"
	"github.com/lorimer-dev/lorimer/internal/gremlin/warm"
	"github.com/lorimer-dev/lorimer/internal/harness"
	"github.com/lorimer-dev/lorimer/internal/platform"
)

// The test binary is the tests, the supervisors that they start, and the harness that those drive.
func TestMain(m *testing.M) {
	platform.Stage()
	fakeagent.Main()
	if len(os.Args) > 1 {
		switch os.Args[1] {
		case "_supervise":
			e := newEngine(os.Environ())
			dieAt(e, "SUPERVISOR_DIES_AT")
			if err := e.Supervise(flagValue("--run"), flagValue("--job")); err != nil {
				fmt.Fprintln(os.Stderr, err)
				os.Exit(1)
			}
			return
		case "_do":
			e := newEngine(os.Environ())
			dieAt(e, "COMMAND_DIES_AT")
			if err := do(e, os.Args[2], flagValue("--run"), flagValue("--with")); err != nil {
				fmt.Fprintln(os.Stderr, err)
				os.Exit(1)
			}
			return
		}
	}
	os.Exit(m.Run())
}

// do is one command, in a process of its own. with is a brief, or a job.
func do(e *engine.Engine, command, log, with string) (err error) {
	switch command {
	case "init":
		_, err = e.Init(engine.InitFlags{Run: log, Model: ptr("claude-test-1"), Binary: ptr(os.Args[0])})
	case "init again":
		_, err = e.Init(engine.InitFlags{Run: log, ParallelCap: ptr(7)})
	case "train":
		_, err = e.Train(engine.TrainFlags{Run: log, Base: "B1", Brief: with})
	case "spawn":
		_, err = e.Spawn(engine.SpawnFlags{Run: log, Base: "B1", Block: "X", Brief: with})
	case "continue":
		_, err = e.Continue(engine.ContinueFlags{Run: log, Job: "j2", Brief: with})
	case "rebase":
		_, err = e.Rebase(engine.RebaseFlags{Run: log, Base: "B1", As: "B2"})
	case "wait":
		_, _, err = e.Wait(engine.WaitFlags{Run: log, All: true})
	case "list":
		_, err = e.List(log)
	case "usage":
		_, err = e.Usage(log, usage.Query{})
	case "tick":
		_, err = e.Tick(log)
	case "expire":
		_, err = e.Expire(log, "")
	case "kill":
		_, err = e.Kill(log, with)
	default:
		err = fmt.Errorf("no command %q", command)
	}
	return err
}

// dieAt ends this process before the n-th change that it makes, where the variable says so.
func dieAt(e *engine.Engine, variable string) {
	n, err := strconv.Atoi(os.Getenv(variable))
	if err != nil {
		return
	}
	e.Before = func(string, string) error {
		if n--; n < 0 {
			syscall.Kill(os.Getpid(), syscall.SIGKILL)
		}
		return nil
	}
}

func flagValue(name string) string {
	for i, a := range os.Args {
		if a == name && i+1 < len(os.Args) {
			return os.Args[i+1]
		}
	}
	return ""
}

func newEngine(env []string) *engine.Engine {
	began, boot := time.Now(), fmt.Sprint(os.Getpid()) // clocks of two processes do not compare, unless they are told to
	drivers := golden.All
	for _, entry := range env {
		if stall, ok := strings.CutPrefix(entry, "STALL="); ok {
			quick := golden.Claude
			quick.Stall, _ = time.ParseDuration(stall)
			drivers = []*harness.Driver{&quick}
		}
		if ms, ok := strings.CutPrefix(entry, "BOOT="); ok {
			n, _ := strconv.ParseInt(ms, 10, 64)
			began, boot = time.UnixMilli(n), ms
		}
	}
	return &engine.Engine{
		Drivers: drivers, Platform: platform.Current, Env: env, Self: os.Args[0], Version: "1.2.3", CWD: "/",
		Now: func() warm.Now {
			return warm.Now{Wall: time.Now(), Up: time.Since(began), Boot: boot}
		},
	}
}

// script is what a prompt makes the fake harness do.
type script = fakeagent.Script
