package conform

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/lorimer-dev/lorimer/internal/harness"
	"github.com/lorimer-dev/lorimer/internal/materialize"
)

// world is a throwaway home with a clone in it, everything materialized, and the host on its stage. A case has one of its own.
type world struct {
	*subject
	ctx   context.Context
	place place
	dir   string // everything lies below it
	clone string
	state string // Lorimer's state home
	board board  // where handlers and the case leave word
	stage stage

	prefix string // of the ids of sessions; empty in a world that is thrown away

	argv           []string // of the installed program, instead of the descriptor's; nil: the descriptor's
	moved, movedTo string   // a slash path below HOME, and the directory that the program has been given in its place

	active map[string]bool // sessions whose last stop made them go on
	calls  int             // tool calls that were made
	noted  []string        // what was seen, for the row
	loud   []string        // lines that the host was told
}

func newWorld(ctx context.Context, s *subject, p place, k kase) (w *world, err error) {
	dir, err := os.MkdirTemp("", "lc") // short: a socket's path may have 104 bytes
	if err != nil {
		return nil, err
	}
	if dir, err = filepath.EvalSymlinks(dir); err != nil {
		return nil, err
	}
	w = &world{
		subject: s, ctx: ctx, place: p, dir: dir, active: map[string]bool{},
		clone: filepath.Join(dir, "home", "clone"), state: filepath.Join(dir, "state"), board: board(filepath.Join(dir, "board")),
	}
	defer func() {
		if err != nil {
			os.RemoveAll(dir)
		}
	}()
	for _, d := range []string{w.clone, filepath.Join(w.state, "bin"), string(w.board), w.tmp()} {
		if err := os.MkdirAll(d, 0o700); err != nil {
			return nil, err
		}
	}
	if err := w.materialize(k.setup); err != nil {
		return nil, err
	}
	if k.before != nil {
		if err := k.before(w); err != nil {
			return nil, err
		}
	}
	if k.real {
		return w, nil // the story starts it itself
	}
	return w, w.start(k.setup.env)
}

func (w *world) tmp() string    { return filepath.Join(w.dir, "tmp") }
func (w *world) socket() string { return filepath.Join(w.tmp(), "s") }

func (w *world) options() *materialize.Options {
	o := &materialize.Options{Table: w.Table, Golden: w.Golden, Home: w.state, UserHome: w.home()}
	if w.Program == nil {
		o.Scope = materialize.ProjectScope // an imitation reads the clone's file
	}
	return o
}

// materialize puts hooks for every event into the clone, as a user would.
func (w *world) materialize(s setup) error {
	if err := link(w.Dispatcher, w.options().Dispatcher()); err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(w.clone, "lorimer.yaml"), []byte(w.yaml(s)), 0o600); err != nil {
		return err
	}
	_, err := materialize.Materialize(w.clone, *w.options())
	return err
}

// yaml has the same handler on every event that the harness has.
func (w *world) yaml(s setup) string {
	var b strings.Builder
	fmt.Fprintf(&b, "version: 1\nharnesses: [%s]\nself_protect: false\n%s\nhandlers:\n", w.ID, s.yaml)
	for _, bound := range w.row.Events {
		argv := append(append([]string{}, w.Handler...), string(w.board), string(bound.Event))
		quoted := make([]string, len(argv))
		for i, a := range argv {
			quoted[i] = harness.Quoted(a)
		}
		fmt.Fprintf(&b, "  - name: %s\n    event: %s\n    argv: [%s]\n", strings.ToLower(string(bound.Event)), bound.Event, strings.Join(quoted, ", "))
		if more := s.handler[bound.Event]; more != "" {
			b.WriteString("    " + more + "\n")
		}
	}
	return b.String()
}

// link makes a program available under another name; a copy where the file system has no links.
func link(from, to string) error {
	err := os.Link(from, to)
	if err == nil || errors.Is(err, fs.ErrExist) {
		return nil
	}
	data, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	return os.WriteFile(to, data, 0o755)
}

// start puts the host on its stage.
func (w *world) start(more []string) error {
	env := w.environment()
	for _, v := range more {
		env = append(env, strings.ReplaceAll(v, "{socket}", w.socket()))
	}
	if w.row.Kind != harness.Generative {
		w.stage = newCommand(w, env)
		return nil
	}
	imitation, err := fs.ReadFile(w.Golden, harness.FakeModule(w.ID))
	if err != nil {
		return err
	}
	shim := filepath.Join(w.clone, filepath.FromSlash(w.row.Shim.Project))
	m, err := startModule(w.ctx, w.place, w.dir, w.clone, shim, imitation, env)
	if m != nil {
		w.stage = m
	}
	return err
}

// environment is all that the host has: nothing of the caller's leaks in.
func (w *world) environment() []string {
	env := []string{
		"HOME=" + w.home(), "TMPDIR=" + w.tmp(), "PATH=" + os.Getenv("PATH"), "LANG=C.UTF-8",
		"LORIMER_HOME=" + w.state,
	}
	if runtime.GOOS == "windows" {
		env = append(env, "SYSTEMROOT="+os.Getenv("SYSTEMROOT"), "TEMP="+w.tmp(), "USERPROFILE="+w.home())
	}
	return append(env, w.Env...)
}

// close ends the host and takes everything away. The error says what nobody may see in any case.
func (w *world) close() error {
	defer os.RemoveAll(w.dir)
	if w.stage == nil {
		return nil
	}
	said, err := w.stage.close()
	if err == nil && said.stdout != "" {
		err = fmt.Errorf("written to the host's standard output: %s", shown(said.stdout))
	}
	if err == nil && w.row.Kind == harness.Generative && w.Program == nil {
		err = onlyLoud(said.stderr)
	}
	return err
}

// onlyLoud: what is on a host's standard error is for the user, so nothing but loud lines may be there.
func onlyLoud(stderr string) error {
	for line := range strings.Lines(stderr) {
		if !strings.HasPrefix(line, "lorimer: ") {
			return fmt.Errorf("written to the host's standard error: %s", shown(line))
		}
	}
	return nil
}

// note puts something into the row.
func (w *world) note(format string, args ...any) {
	w.noted = append(w.noted, fmt.Sprintf(format, args...))
}

// log is Lorimer's own log of this world.
func (w *world) log() string {
	data, _ := os.ReadFile(filepath.Join(w.state, "log"))
	return string(data)
}

// get returns the value at a path of a payload: a string as it reads, anything else as JSON.
func (c Call) get(path string) string { return gjson.GetBytes(c.Payload, path).String() }

// has says whether the payload has the path.
func (c Call) has(path string) bool { return gjson.GetBytes(c.Payload, path).Exists() }
