package materialize

import (
	"io/fs"
	"os/exec"
	"path/filepath"
	"runtime"

	"github.com/lorimer-dev/lorimer/internal/harness"
	"github.com/lorimer-dev/lorimer/internal/materialize/clonefs"
)

// Options are what a run needs beside the clone.
type Options struct {
	Table  []*harness.Harness // all harnesses that this build knows
	Golden fs.FS              // what the generator emitted for them
	Home   string             // state home: dispatcher, trust records, locks
	Config string             // a lorimer.yaml to use instead of the clone's own; empty = the clone's
	Only   []string           // harness ids to use instead of the file's list; nil = those that were named last, if any were
	User   *bool              // the user's own settings are a source of hooks, too; nil = if they were
	Scope  Scope              // where agents are given their hooks
	Force  bool               // override what someone edited, after a copy into .lorimer/backup
	// As is another checkout: for the agents that it serves, and only when the hooks are the ones that the user agreed to there.
	As string
	// Adopt names files, as a plan shows them, that are taken over whoever wrote them, after a copy; nil = none.
	Adopt func(path string) bool

	// UserHome is where the user's own files lie; "" = $HOME.
	UserHome string
	user     bool // the user's own files are what is worked on
	portable bool // the agents' files in the clone are committed
	writing  bool // it is not only looked at
	memo     *memo

	// Portable makes the agents' files in the clone ones that can be committed; nil = if they were.
	Portable *bool

	// LookPath finds an executable; nil = exec.LookPath.
	LookPath func(name string) (string, error)
	// Hook is called before each change in the clone; tests make it fail.
	Hook func(op clonefs.Op, path string) error
}

// DispatcherName is the base name of the program that hooks start.
const DispatcherName = "lorimer-dispatch"

// Dispatcher returns the path that is baked into hooks: it stays the same over upgrades, because hosts trust hooks by what
// they say.
func (o *Options) Dispatcher() string {
	return filepath.Join(o.Home, "bin", executable(DispatcherName, runtime.GOOS))
}

func executable(name, goos string) string {
	if goos == "windows" {
		return name + ".exe"
	}
	return name
}

// program is the name of an executable that is looked for.
type program string

// found says whether the harness shows itself on this machine or in the clone.
func (o *Options) found(h *harness.Harness, clone *clonefs.FS) bool {
	look := o.LookPath
	if look == nil {
		look = exec.LookPath
	}
	for _, exe := range h.Found.Exe {
		there, _ := once(o.memo, program(exe), func() (bool, error) {
			_, err := look(exe)
			return err == nil, nil
		})
		if there {
			return true
		}
	}
	for _, file := range h.Found.Files {
		if clone.Exists(file) {
			return true
		}
	}
	return false
}

// overrides says whether what somebody made of a file of ours may be overridden.
func (p *planner) overrides(path string) bool { return p.options.Force || p.adopts(path) }

// adopts says whether a file may be taken over even if it never was ours.
func (p *planner) adopts(path string) bool {
	if p.options.user {
		path = "~/" + path
	}
	return p.options.Adopt != nil && p.options.Adopt(path)
}
