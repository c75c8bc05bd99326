package conform

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/lorimer-dev/lorimer/internal/fakemodel"
	"github.com/lorimer-dev/lorimer/internal/harness"
	"github.com/lorimer-dev/lorimer/internal/materialize"
	"github.com/lorimer-dev/lorimer/internal/procgroup"
)

// realLimit is the time of one case on the installed program: some start slowly.
const realLimit = 3 * time.Minute

// run is the stage of the installed program: what came of one run of it. What a case wants of the model is its script.
type run struct {
	model   *fakemodel.Server
	escapes [][2]string // what the program makes of context
	exit    int
	output  bytes.Buffer
}

func (*run) play(context.Context, act) (seen, error) {
	return seen{}, errors.New("the installed program fires its own events")
}

func (r *run) close() (streams, error) { return streams{}, r.model.Close() }

// requests are what the model was asked, in the conversation.
func (r *run) requests() fakemodel.Log { return r.model.Requests() }

// startReal makes the model, and the program's own files.
func (w *world) startReal(script fakemodel.Script) (*run, error) {
	model, err := fakemodel.Start(script)
	if err != nil {
		return nil, err
	}
	r := &run{model: model, escapes: w.fake.Real.Escapes}
	w.stage = r
	for path, content := range w.fake.Real.Files {
		if err := w.ownFile(path, content, model.URL()); err != nil {
			return nil, err
		}
	}
	return r, nil
}

func (w *world) ownFile(path string, content json.RawMessage, url string) error {
	place := filepath.Join(w.clone, filepath.FromSlash(path))
	if rest, ok := strings.CutPrefix(path, "~/"); ok {
		place = w.below(rest)
	}
	text := filledJSON(content, map[string]string{"url": harness.Quoted(url), "clone": harness.Quoted(w.clone)})
	var plain string
	if json.Unmarshal([]byte(text), &plain) == nil {
		text = plain
	}
	if err := os.MkdirAll(filepath.Dir(place), 0o700); err != nil {
		return err
	}
	return os.WriteFile(place, []byte(text), 0o600)
}

// below is where a path of HOME, without "~/", really lies.
func (w *world) below(path string) string {
	if rest, ok := strings.CutPrefix(path+"/", w.moved+"/"); ok && w.moved != "" {
		return filepath.Join(w.movedTo, filepath.FromSlash(rest))
	}
	return filepath.Join(w.home(), filepath.FromSlash(path))
}

// ask runs the program with one prompt to its end. With a session it is forked from that.
func (w *world) ask(r *run, prompt, session string) error {
	argv := w.fake.Real.Argv
	if session != "" {
		argv = w.fake.Real.Fork
	}
	if w.argv != nil {
		argv = w.argv
	}
	tokens := strings.NewReplacer("{prompt}", prompt, "{session}", session, "{url}", r.model.URL(), "{home}", w.home(), "{shared}", w.shared())
	words := append([]string{}, w.Program[1:]...)
	for _, a := range argv {
		words = append(words, tokens.Replace(a))
	}
	cmd := exec.CommandContext(w.ctx, w.Program[0], words...)
	cmd.Dir, cmd.Env = w.clone, w.environment()
	cmd.Env = append(cmd.Env, "TERM=dumb", "SHELL=/bin/sh", "USER=conform")
	for _, v := range w.fake.Real.Env {
		cmd.Env = append(cmd.Env, tokens.Replace(v))
	}
	r.output.Reset()
	cmd.Stdout, cmd.Stderr = &r.output, &r.output
	cmd.WaitDelay = 2 * time.Second
	procgroup.Bind(cmd)
	err := cmd.Run()
	r.exit = cmd.ProcessState.ExitCode()
	if w.ctx.Err() != nil {
		return broken{fmt.Errorf("the program did not end within %v: %s", realLimit, shown(r.output.String()))}
	}
	var failed *exec.ExitError
	if err != nil && !errors.As(err, &failed) && !errors.Is(err, exec.ErrWaitDelay) {
		return err
	}
	return nil
}

// shared is a directory that all cases, and later runs, have in common: the user's own, because programs are unpacked there.
func (w *world) shared() string {
	cache, err := os.UserCacheDir()
	if err != nil {
		return filepath.Join(w.dir, "shared")
	}
	return filepath.Join(cache, "lorimer", "conform", w.ID)
}

func (w *world) home() string { return filepath.Join(w.dir, "home") }

// clean takes Lorimer out of the clone again.
func (w *world) clean() error {
	_, err := materialize.Clean(w.clone, *w.options())
	return err
}

// shellCall is a call of the host's shell, as the model makes it.
func (w *world) shellCall(line string) fakemodel.Step {
	c := w.modelCall("Bash", map[string]string{"command": line})
	return fakemodel.Use(c.Name, c.Input)
}
