package certify

import (
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/lorimer-dev/lorimer/internal/harness"
	"github.com/lorimer-dev/lorimer/internal/state"
)

// Launch is what a session is started with beside what the descriptor says.
type Launch struct {
	Args       []string // behind everything else
	Dir        string   // working directory, absolute
	Environ    []string // the caller's environment, NAME=value
	Shim       string   // slash path of the shim in a clone; empty: the harness loads none
	Rendezvous string   // path of the socket on which a running session takes messages; empty: none
	Gate       Overlay
}

// Overlay is a gate: what is added to the command line and to the environment so that it wins.
type Overlay struct {
	Args  []string
	Env   map[string]string
	Notes []string
}

// Spec is how a session is started.
type Spec struct {
	Harness string            `json:"harness"`
	Version string            `json:"version"`
	Argv    []string          `json:"argv"`
	Dir     string            `json:"cwd"`
	Env     map[string]string `json:"env"`   // what is set, over the caller's own environment
	Unset   []string          `json:"unset"` // what of the caller's environment is left out
	Notes   []string          `json:"notes"` // what the user should know
}

// Specify says how a runtime is launched. The handshake of info must be ok; a paused one is an error that holds the doctor's
// lines.
func Specify(fx Effects, c *harness.Certified, info Info, l Launch) (Spec, error) {
	if info.Handshake.Status != OK {
		return Spec{}, errors.New(strings.Join(info.Handshake.Doctor, "\n"))
	}
	s := Spec{Harness: c.ID, Version: info.Version, Argv: slices.Clone(info.Program), Dir: l.Dir, Env: info.Paths.variables(c), Notes: []string{}}
	maps.Copy(s.Env, l.Gate.Env)
	s.Env["LORIMER_HOME"] = info.Paths.Root
	if l.Rendezvous != "" {
		s.Env["LORIMER_RENDEZVOUS"] = l.Rendezvous
	}
	if home := usersHome(l.Environ); home != "" {
		s.Env[state.UserHome] = home
	}
	s.Unset = unset(c.Unset, l.Environ, s.Env)
	s.note("its home is %s; what stands in your own is neither read nor written", info.Paths.Home)
	if len(c.Leaks) > 0 {
		s.note("it writes %s there", strings.Join(c.Leaks, ", "))
	}
	s.Argv = append(s.Argv, l.Gate.Args...)
	s.strict(fx, c, l)
	s.Notes = append(s.Notes, l.Gate.Notes...)
	s.Argv = append(s.Argv, l.Args...)
	return s, nil
}

// usersHome is the caller's HOME; of a session that was launched itself, the one of who launched it.
func usersHome(environ []string) (home string) {
	for _, v := range environ {
		switch name, value, _ := strings.Cut(v, "="); {
		case name == state.UserHome && value != "":
			return value
		case name == "HOME":
			home = value
		}
	}
	return home
}

func (s *Spec) note(format string, args ...any) {
	s.Notes = append(s.Notes, fmt.Sprintf(format, args...))
}

// strict loads the clone's shim in the form in which one that cannot load stops the harness, where there is such a form and such
// a shim.
func (s *Spec) strict(fx Effects, c *harness.Certified, l Launch) {
	if c.Strict == nil || l.Shim == "" {
		return
	}
	shim := shimAround(fx, l.Dir, l.Shim)
	if shim == "" {
		s.note("no hooks of Lorimer's are materialized around %s", l.Dir)
		return
	}
	s.Argv = append(s.Argv, c.Strict.Flag, shim)
	s.note("a shim that does not load stops it (%s)%s", c.Strict.Flag, prefixed("; ", c.Strict.Note))
}

func prefixed(prefix, text string) string {
	if text == "" {
		return ""
	}
	return prefix + text
}

// shimAround looks for a clone that has the shim, upwards from a directory.
func shimAround(fx Effects, dir, shim string) string {
	for {
		path := filepath.Join(dir, filepath.FromSlash(shim))
		if fx.Exists(path) && fx.Exists(filepath.Join(dir, ".lorimer", "manifest.json")) {
			return path
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return ""
		}
		dir = parent
	}
}

// unset are the caller's variables that match one of the patterns and are not set anew.
func unset(patterns, environ []string, set map[string]string) []string {
	names := []string{}
	for _, v := range environ {
		name, _, _ := strings.Cut(v, "=")
		if _, ok := set[name]; !ok && matches(patterns, name) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

func matches(patterns []string, name string) bool {
	return slices.ContainsFunc(patterns, func(p string) bool {
		rest, open := strings.CutSuffix(p, "*")
		return p == name || open && strings.HasPrefix(name, rest)
	})
}

// Environ is the environment that the session has: the caller's, without what is unset, with what is set.
func (s Spec) Environ(caller []string) []string {
	all := []string{}
	for _, v := range caller {
		name, _, _ := strings.Cut(v, "=")
		if _, set := s.Env[name]; !set && !slices.Contains(s.Unset, name) {
			all = append(all, v)
		}
	}
	return append(all, pairs(s.Env)...)
}

// Socket is the path of a new rendezvous: in the root where that is short enough for a socket's address, else in temp.
func Socket(root, temp, id string, pid int) string {
	const longest = 100 // of 104 on macOS, with the final zero
	name := fmt.Sprintf("%s-%d.sock", id, pid)
	if path := filepath.Join(root, "run", name); len(path) <= longest {
		return path
	}
	return filepath.Join(temp, "lorimer-"+name)
}
