//go:build linux

package rig

import (
	"context"
	"crypto/rand"
	_ "embed"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/lorimer-dev/lorimer/internal/fakemodel"
)

//go:embed handler.sh
var handler string

// Labels are the events that the project of a rig has a handler for.
var Labels = []string{"SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse", "Stop", "SessionEnd"}

// Rig is one scratch world for one host.
type Rig struct {
	Host  *Host
	Dir   string // everything lies below it
	Home  string
	Clone string // the project: has a lorimer.yaml, nothing of Lorimer's own yet
	Model *fakemodel.Server

	install Install
	bin     string   // directory of the built binaries
	mark    string   // variable that only processes of this rig carry
	Extra   []string // more variables (NAME=value) for the host
	started []*Process
	etc     string // see Etc; empty = the machine's own
}

// Config is what a rig is made of.
type Config struct {
	Install Install
	Bin     string // directory with lorimer and lorimer-dispatch
	Host    *Host
	Script  fakemodel.Script
	YAML    string // the project's lorimer.yaml; empty = Handlers()
	NoYAML  bool   // the project has none

	// Files are the project's other files: slash path to content; a content that begins with "#!" is made executable.
	// nil = hooks/handler, which is what Handlers() names.
	Files map[string]string
}

// New makes the directories and starts the model. Close it.
func New(c Config) (*Rig, error) {
	dir, err := os.MkdirTemp("", "lorimer") // a short path: a socket's may have 104 bytes at most
	if err != nil {
		return nil, err
	}
	r := &Rig{Host: c.Host, Dir: dir, install: c.Install, bin: c.Bin, Home: filepath.Join(dir, "home"), Clone: filepath.Join(dir, "home", "project")}
	id := make([]byte, 8)
	rand.Read(id)
	r.mark = "LORIMER_E2E_RUN=" + hex.EncodeToString(id)
	if err := r.fill(c); err != nil {
		return nil, errors.Join(err, r.Close())
	}
	return r, nil
}

func (r *Rig) fill(c Config) error {
	yaml := c.YAML
	if yaml == "" {
		yaml = Handlers()
	}
	if !slices.Contains(All, c.Host) && !strings.Contains(yaml, c.Host.ID) {
		yaml = strings.Replace(yaml, "harnesses: [", "harnesses: ["+c.Host.ID+", ", 1)
	}
	for _, d := range []string{r.tmp(), r.path("e2e", "calls"), r.path("e2e", "count"), r.path("e2e", "ctl")} {
		if err := os.MkdirAll(d, 0o700); err != nil {
			return err
		}
	}
	files := maps.Clone(c.Files)
	if files == nil {
		files = map[string]string{"hooks/handler": handler}
	}
	if !c.NoYAML {
		files["lorimer.yaml"] = yaml
	}
	for path, content := range files {
		if err := r.put(path, content); err != nil {
			return err
		}
	}
	return r.serve(c.Script)
}

func (r *Rig) put(path, content string) error {
	file := filepath.Join(r.Clone, filepath.FromSlash(path))
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		return err
	}
	mode := os.FileMode(0o644)
	if strings.HasPrefix(content, "#!") {
		mode = 0o755
	}
	return os.WriteFile(file, []byte(content), mode)
}

// serve starts the model and tells the host of it.
func (r *Rig) serve(script fakemodel.Script) error {
	var err error
	if r.Model, err = fakemodel.Start(script); err != nil {
		return err
	}
	if r.Host.prepare == nil {
		return nil
	}
	return r.Host.prepare(r.Home, r.Model.URL())
}

// Also returns a rig for another host in the same home and project, with a model of its own. Stop it before r is closed.
func (r *Rig) Also(h *Host, script fakemodel.Script) (*Rig, error) {
	other := &Rig{Host: h, Dir: r.Dir, Home: r.Home, Clone: r.Clone, Extra: r.Extra, install: r.install, bin: r.bin, mark: r.mark}
	return other, other.serve(script)
}

// Handlers returns a lorimer.yaml with the handler of handler.sh on each of Labels. Lines of more are put behind it.
func Handlers(more ...string) string {
	var b strings.Builder
	b.WriteString("version: 1\nharnesses: [")
	for i, h := range All {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(h.ID)
	}
	b.WriteString("]\nhandlers:\n")
	for _, l := range Labels {
		fmt.Fprintf(&b, "  - name: %s\n    event: %s\n    argv: [./hooks/handler, %s]\n", strings.ToLower(l), l, l)
	}
	for _, m := range more {
		b.WriteString(m + "\n")
	}
	return b.String()
}

// Answer tells the handler with that label what to do: shell lines as handler.sh explains them.
func (r *Rig) Answer(label, sh string) error {
	return os.WriteFile(r.path("e2e", "ctl", label), []byte(sh+"\n"), 0o600)
}

// Lorimer runs the built CLI in the rig's world and returns its two streams together.
func (r *Rig) Lorimer(ctx context.Context, args ...string) (string, error) {
	argv, env := r.within(append([]string{filepath.Join(r.bin, "lorimer")}, args...), r.env())
	cmd := exec.CommandContext(ctx, argv[0], argv[1:]...)
	cmd.Dir, cmd.Env = r.Clone, env
	out, err := cmd.CombinedOutput()
	if err != nil {
		err = fmt.Errorf("lorimer %s: %w\n%s", strings.Join(args, " "), err, out)
	}
	return string(out), err
}

// Start starts the host in the project.
func (r *Rig) Start(o Options) (*Process, error) {
	if o.Mode == "" {
		o.Mode = r.Host.Modes[0]
	}
	if o.Fork != "" && r.Host.newest != nil {
		o.Fork = r.Host.newest(r.Home)
	}
	argv := append(r.Host.exe(r.install), r.Host.args(o.Mode, o)...)
	argv, env := r.within(argv, append(append(r.env(), r.Host.env(r.Model.URL())...), r.Extra...))
	p, err := start(argv, r.Clone, env)
	if err != nil {
		return nil, err
	}
	r.started = append(r.started, p)
	if o.Mode == r.Host.Talk || o.Mode == r.Host.Prompts {
		return p, nil
	}
	if r.Host.Stdin && o.Mode != r.Host.Serve {
		_, err = io.WriteString(p.stdin, o.Prompt)
	}
	return p, errors.Join(err, p.CloseInput()) // an open one that says nothing makes a host wait for it
}

// env is the whole environment of what is run, but for what the host itself needs. Nothing of the caller's leaks in.
func (r *Rig) env() []string {
	env := []string{
		"HOME=" + r.Home, "TMPDIR=" + r.tmp(), "PATH=/usr/local/bin:/usr/bin:/bin" + r.own(),
		"LANG=C.UTF-8", "TERM=dumb", "SHELL=/bin/sh", "USER=probe",
		"E2E=" + r.path("e2e"), r.mark,
	}
	if r.install.Modules == "" {
		return env
	}
	// A third of what a start costs some of those that node runs is compiling, and every home is new here.
	env = append(env, "NODE_COMPILE_CACHE="+filepath.Join(r.install.Modules, ".cache", "node"))
	// And that one unpacks 230 MB into it.
	return append(env, "COPILOT_PKG_CACHE_HOME="+filepath.Join(r.install.Modules, ".cache", "copilot"))
}

// own is where the host's own program lies, for those that Lorimer asks what they trust.
func (r *Rig) own() string {
	if !r.Host.Trusts {
		return ""
	}
	return ":" + filepath.Dir(r.Host.exe(r.install)[0])
}

func (r *Rig) path(elem ...string) string { return filepath.Join(append([]string{r.Dir}, elem...)...) }
func (r *Rig) tmp() string                { return r.path("tmp") }

// Socket is a path that a rendezvous socket may be bound to.
func (r *Rig) Socket() string { return r.path("tmp", "s") }

// StateLog returns Lorimer's own log of this world; empty when it has none.
func (r *Rig) StateLog() string {
	b, _ := os.ReadFile(filepath.Join(r.Home, ".local", "state", "lorimer", "log"))
	return string(b)
}

// Stop ends what still runs, and stops the model. It returns an error that names the processes which were left behind by a
// host that had ended by itself. The directory stays.
func (r *Rig) Stop() error {
	for _, p := range r.started {
		p.kill()
	}
	err := r.sweep()
	if r.Model != nil {
		r.Model.Close()
	}
	return err
}

// Close stops everything and removes the directory.
func (r *Rig) Close() error { return errors.Join(r.Stop(), os.RemoveAll(r.Dir)) }
