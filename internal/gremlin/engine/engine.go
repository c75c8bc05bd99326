// Package engine is the supervisor of gremlins: the commands by which an orchestrator trains a base, spawns workers from it, waits
// for them, counts what they used and ends them, and the process that watches over each of them.
//
// It knows no harness and no operating system: those are a harness.Driver and a platform.Platform that it is given. A command
// takes flags and returns one JSON object, or a [*Refusal] and then nothing was changed. Jobs go on without the command that started
// them; what a command and a job's supervisor have in common is the registry, which package store keeps whole.
package engine

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/lorimer-dev/lorimer/internal/gremlin/record"
	"github.com/lorimer-dev/lorimer/internal/gremlin/store"
	"github.com/lorimer-dev/lorimer/internal/gremlin/warm"
	"github.com/lorimer-dev/lorimer/internal/harness"
	"github.com/lorimer-dev/lorimer/internal/platform"
)

// ChildMarker is set in the environment of every gremlin.
const ChildMarker = "SPIRE_GREMLIN_CHILD"

// JobMarker is set to a job's mark in the environment of all its processes.
const JobMarker = "SPIRE_GREMLIN_JOB"

// Engine has what the commands need of the world.
type Engine struct {
	Drivers  []*harness.Driver
	Platform platform.Platform
	Now      func() warm.Now
	Env      []string // as os.Environ has it
	Self     string   // this program, absolute: the supervisors are started from it
	Version  string
	CWD      string

	// AttachLimit is how long a supervisor that was started may take to say that it is there; 0 = a minute.
	AttachLimit time.Duration

	// Before is called before each change of the state; see store.Dir. nil = nothing is called.
	Before func(op, path string) error
}

// Refusal says why a command does nothing. More are further keys of the answer beside "error".
type Refusal struct {
	Text string
	More map[string]any
}

func (r *Refusal) Error() string { return r.Text }

func refuse(format string, args ...any) error { return &Refusal{Text: fmt.Sprintf(format, args...)} }

// getenv is the last value of a variable; empty when there is none.
func (e *Engine) getenv(name string) string {
	v, _ := e.lookup(name)
	return v
}

func (e *Engine) lookup(name string) (value string, there bool) {
	for _, entry := range e.Env {
		if v, ok := strings.CutPrefix(entry, name+"="); ok {
			value, there = v, true
		}
	}
	return value, there && value != ""
}

// Inside says whether this is a call of a gremlin's own.
func (e *Engine) Inside() bool { return e.getenv(ChildMarker) != "" }

// outside refuses a command inside a gremlin: those that start, end or change something.
func (e *Engine) outside(command string) error {
	if !e.Inside() {
		return nil
	}
	return refuse("%s is refused inside a gremlin (%s is set); a gremlin may only run where, list, usage and wait", command, ChildMarker)
}

func (e *Engine) driver(id string) (*harness.Driver, error) {
	var known []string
	for _, d := range e.Drivers {
		if d.ID == id {
			return d, nil
		}
		known = append(known, d.ID)
	}
	return nil, refuse("no harness %q can be driven; pass --harness with one of: %s", id, strings.Join(known, ", "))
}

// path makes a path of the command line absolute.
func (e *Engine) path(p string) (string, error) {
	abs, err := e.Platform.NormPath(p, e.CWD)
	if bad, ok := err.(*platform.PathError); ok {
		return "", &Refusal{Text: bad.Form, More: map[string]any{"path": bad.Path}}
	}
	return abs, err
}

// run is the state of one run log.
type run struct {
	e   *Engine
	log string // the run log
	dir *store.Dir
}

// StateDir is where the state of a run log lies.
func StateDir(log string) string { return strings.TrimSuffix(log, ".md") + "-gremlins" }

func (e *Engine) run(log string) (*run, error) {
	abs, err := e.path(log)
	if err != nil {
		return nil, err
	}
	if !strings.HasSuffix(abs, ".md") {
		return nil, &Refusal{Text: "--run must name the run log, a .md file", More: map[string]any{"path": log}}
	}
	dir := store.Open(StateDir(abs), e.Platform)
	dir.Before = e.Before
	return &run{e: e, log: abs, dir: dir}, nil
}

// open is run for commands that need an initialised one.
func (e *Engine) open(log string) (*run, error) {
	r, err := e.run(log)
	if err != nil {
		return nil, err
	}
	if _, err := os.Stat(r.dir.File("registry.json")); err != nil {
		return nil, &Refusal{Text: "no gremlins state for this run; run init first", More: map[string]any{"path": r.dir.Path}}
	}
	return r, nil
}

// now is the present as files have it.
func (e *Engine) now() record.Stamp { return record.At(e.Now().Wall) }

func (e *Engine) touch() record.Touch {
	n := e.Now()
	return record.Touch{At: record.At(n.Wall), UpMS: n.Up.Milliseconds(), Boot: n.Boot}
}

// exists says whether a path is a file that can be read.
func exists(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}

func seconds(n int) time.Duration { return time.Duration(n) * time.Second }

// file is a path of the state directory.
func (r *run) file(name ...string) string { return r.dir.File(name...) }

// noteOf is where the handoff note of a block is written, below the state directory.
func noteOf(block string) string { return "notes/" + safeName(block) + ".md" }

// safeName makes a file name of what an orchestrator calls a block or a base.
func safeName(s string) string {
	return filepath.Base(strings.Map(func(c rune) rune {
		if strings.ContainsRune(`/\:*?"<>|`, c) || c < ' ' {
			return '-'
		}
		return c
	}, s))
}
