package conform

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/tidwall/gjson"

	"github.com/lorimer-dev/lorimer/internal/harness"
	"github.com/lorimer-dev/lorimer/internal/materialize"
	"github.com/lorimer-dev/lorimer/internal/plainfile"
)

// command is a stage: a host that starts the command of its hook config for each event, and reads the answer.
type command struct {
	hooks  *harness.Hooks
	fake   *harness.Fake
	config string // path of the hook config
	marks  string // path of the dispatcher, by which our entry is found
	cwd    string
	env    []string
	events []harness.Binding

	last   []byte // the payload that was sent last
	stderr strings.Builder
}

// play starts what the config says for each event, as often as it says.
func (c *command) play(ctx context.Context, a act) (seen, error) {
	s := seen{Effects: map[harness.Effect][]json.RawMessage{}}
	began := time.Now()
	for _, host := range a.Events {
		for range max(a.Times, 1) {
			if err := c.fire(ctx, host, a, &s); err != nil {
				return s, err
			}
		}
	}
	s.MS = int(time.Since(began).Milliseconds())
	return s, nil
}

func (c *command) fire(ctx context.Context, host string, a act, s *seen) error {
	argv, err := c.argv(host)
	if err != nil || argv == nil {
		return err
	}
	if c.last, err = c.payload(host, a); err != nil {
		return err
	}
	cmd := exec.CommandContext(ctx, argv[0], argv[1:]...)
	var stdout, stderr bytes.Buffer
	cmd.Dir, cmd.Env, cmd.Stdin, cmd.Stdout, cmd.Stderr = c.cwd, c.env, bytes.NewReader(c.last), &stdout, &stderr
	cmd.WaitDelay = time.Second
	err = cmd.Run()
	var failed *exec.ExitError
	if err != nil && !errors.As(err, &failed) {
		s.Report = append(s.Report, "the host cannot start the command: "+err.Error())
		return nil
	}
	c.stderr.Write(stderr.Bytes())
	for _, line := range strings.Split(stderr.String(), "\n") {
		if strings.HasPrefix(line, "lorimer: ") {
			s.Report = append(s.Report, line)
		}
	}
	for _, e := range harness.Effects {
		if v := c.read(host, e, cmd.ProcessState.ExitCode(), stdout.String(), stderr.String()); v != nil {
			s.Effects[e] = append(s.Effects[e], v)
		}
	}
	return nil
}

// argv is our entry in the host's config for an event; nil when there is none.
func (c *command) argv(host string) ([]string, error) {
	data, err := plainfile.Settings(c.config)
	if err != nil {
		return nil, err
	}
	if !gjson.ValidBytes(data) {
		return nil, fmt.Errorf("%s is no JSON that the host can read", c.config)
	}
	at := make([]string, len(c.hooks.At))
	for i, key := range c.hooks.At {
		at[i] = strings.NewReplacer("{host_event}", host, "{event}", host).Replace(key)
	}
	groups := gjson.GetBytes(data, strings.Join(at, "."))
	var argv []string
	walk(groups, func(entry gjson.Result) {
		if argv == nil {
			argv = c.entry(entry)
		}
	})
	return argv, nil
}

// entry reads an object of the config as an entry of ours: a string with the dispatcher in it, and with a host that needs no
// shell a list of arguments. The dispatcher may stand among these, behind the path of a program that looks whether it is there.
func (c *command) entry(object gjson.Result) (argv []string) {
	var program string
	object.ForEach(func(_, v gjson.Result) bool {
		switch {
		case v.Type == gjson.String && c.line(v.Str):
			argv = []string{"/bin/sh", "-c", v.Str}
		case v.Type == gjson.String && filepath.IsAbs(v.Str) && c.hooks.Quote != harness.QuoteShell:
			program = v.Str
		case v.IsArray() && c.hooks.Quote != harness.QuoteShell:
			for _, x := range v.Array() {
				argv = append(argv, x.Str)
			}
		}
		return true
	})
	if program != "" {
		argv = append([]string{program}, argv...)
	}
	if !slices.ContainsFunc(argv, func(a string) bool { return strings.Contains(a, c.marks) || c.line(a) }) {
		return nil
	}
	return argv
}

// line says whether a text is our entry as a line for the shell: a host that needs no shell is given one where it is committed.
func (c *command) line(text string) bool {
	return c.hooks.Quote == harness.QuoteShell && strings.Contains(text, c.marks) ||
		strings.Contains(text, materialize.DispatcherName) && strings.Contains(text, " --portable ")
}

func walk(v gjson.Result, f func(object gjson.Result)) {
	if v.IsObject() {
		f(v)
	}
	if v.IsObject() || v.IsArray() {
		v.ForEach(func(_, x gjson.Result) bool { walk(x, f); return true })
	}
}

// read looks for an effect in an answer, as the host does; nil when it is not there.
func (c *command) read(host string, e harness.Effect, exit int, stdout, stderr string) json.RawMessage {
	places, own := c.fake.Reads[host][e]
	if !own {
		places = c.fake.Reads["*"][e]
	}
	for _, p := range places {
		said := stdout
		if p.On == "stderr" {
			said = stderr
		}
		if p.Exit != exit || !allHold(p.Where, said) {
			continue
		}
		if p.Path == "" && strings.TrimSpace(stderr) != "" {
			return json.RawMessage(harness.Quoted(strings.TrimSpace(stderr)))
		}
		if v := gjson.Get(said, p.Path); p.Path != "" && gjson.Valid(said) && v.Exists() {
			return json.RawMessage(v.Raw)
		}
	}
	return nil
}

func allHold(predicates []harness.Predicate, said string) bool {
	valid := gjson.Valid(said)
	return harness.AllHold(predicates, func(key string) (string, bool) {
		v := gjson.Get(said, key)
		return v.String(), valid && v.Exists()
	})
}

func (c *command) close() (streams, error) { return streams{stderr: c.stderr.String()}, nil }

// newCommand makes the stage for a clone in which everything is materialized.
func newCommand(w *world, env []string) *command {
	h := w.row.Hooks
	file := h.Local
	if file == "" {
		file = h.Shared
	}
	for _, name := range h.ProjectEnv {
		env = append(env, name+"="+w.clone)
	}
	return &command{
		hooks: h, fake: &w.fake, config: filepath.Join(w.clone, filepath.FromSlash(file)), marks: w.options().Dispatcher(),
		cwd: w.clone, env: env, events: w.row.Events,
	}
}
