package prove

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/lorimer-dev/lorimer/internal/fakemodel"
	"github.com/lorimer-dev/lorimer/internal/gate"
	"github.com/lorimer-dev/lorimer/internal/procgroup"
)

// limit is the time of one run: some programs start slowly.
const limit = 3 * time.Minute

// run is the program, run once.
type run struct {
	dir    string // everything lies below it
	asked  fakemodel.Log
	output string
	exit   int
}

// play runs the program behind a gate, nil for none, with a model that makes the calls. A request that offers no tools is not
// taken for one of the conversation, because some agents ask for a title so; unless there is no other.
func (p *proof) play(ctx context.Context, config *gate.Config) (*run, error) {
	r, err := p.once(ctx, config, false)
	if err == nil && len(r.asked) == 0 {
		r, err = p.once(ctx, config, true)
	}
	if err == nil && len(r.asked) == 0 {
		err = fmt.Errorf("the program asked its model nothing; exit status %d, output: %s", r.exit, shown(r.output))
	}
	return r, err
}

// once runs the program; every: requests without tools are of the conversation, too.
func (p *proof) once(ctx context.Context, config *gate.Config, every bool) (*run, error) {
	dir, err := os.MkdirTemp("", "lg")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	if dir, err = filepath.EvalSymlinks(dir); err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	r := &run{dir: dir}
	model, err := fakemodel.Start(p.script(r.clone(), every))
	if err != nil {
		return nil, err
	}
	defer model.Close()
	if every {
		model.UseEveryRequest()
	}
	if err := p.furnish(r, model.URL()); err != nil {
		return nil, err
	}
	var o gate.Overlay
	if config != nil {
		o = config.In(r.place(p.Gate.Dir))
		if _, err := o.Write(gate.OS); err != nil {
			return nil, err
		}
	}
	err = p.start(ctx, r, o, model.URL())
	r.asked = model.Requests()
	return r, err
}

func (r *run) home() string  { return filepath.Join(r.dir, "home") }
func (r *run) clone() string { return filepath.Join(r.home(), "clone") }
func (r *run) tmp() string   { return filepath.Join(r.dir, "tmp") }

// place is where a path of a descriptor lies: below the home or in the clone; without one, in a directory of our own.
func (r *run) place(path string) string {
	if path == "" {
		return filepath.Join(r.home(), "gate")
	}
	if rest, ok := strings.CutPrefix(path, "~/"); ok {
		return filepath.Join(r.home(), filepath.FromSlash(rest))
	}
	return filepath.Join(r.clone(), filepath.FromSlash(path))
}

// furnish writes the program's own files, and what there is to be seen.
func (p *proof) furnish(r *run, url string) error {
	for _, d := range []string{r.clone(), r.tmp()} {
		if err := os.MkdirAll(d, 0o700); err != nil {
			return err
		}
	}
	server := append([]any{}, anyOf(p.Server)...)
	tokens := map[string]any{"url": url, "server": server, "command": server[0], "args": server[1:]}
	for _, files := range []map[string]json.RawMessage{p.Real.Files, p.Gate.Prove.Files} {
		for path, content := range files {
			if err := writeFile(r.place(path), content, tokens); err != nil {
				return err
			}
		}
	}
	return nil
}

func anyOf(list []string) (out []any) {
	for _, s := range list {
		out = append(out, s)
	}
	return out
}

func writeFile(path string, content json.RawMessage, tokens map[string]any) error {
	var v any
	if err := json.Unmarshal(content, &v); err != nil {
		return err
	}
	v = filled(v, tokens)
	text, plain := v.(string)
	if !plain {
		b, err := json.Marshal(v)
		if err != nil {
			return err
		}
		text = string(b)
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	return os.WriteFile(path, []byte(text), 0o600)
}

// filled replaces tokens: a text that is one token becomes the value itself.
func filled(v any, tokens map[string]any) any {
	switch v := v.(type) {
	case map[string]any:
		for key, x := range v {
			v[key] = filled(x, tokens)
		}
	case []any:
		for i, x := range v {
			v[i] = filled(x, tokens)
		}
	case string:
		for name, value := range tokens {
			if v == "{"+name+"}" {
				return value
			}
			if s, ok := value.(string); ok {
				v = strings.ReplaceAll(v, "{"+name+"}", s)
			}
		}
		return v
	}
	return v
}

// start runs the program with one prompt to its end.
func (p *proof) start(ctx context.Context, r *run, o gate.Overlay, url string) error {
	args, err := json.Marshal(p.Server[1:])
	if err != nil {
		return err
	}
	tokens := strings.NewReplacer("{prompt}", "go", "{url}", url, "{home}", r.home(), "{command}", p.Server[0], "{args}", string(args))
	words := append(append([]string{}, p.Program[1:]...), o.Argv...)
	for _, a := range append(append([]string{}, p.Gate.Prove.Argv...), p.Real.Argv...) {
		words = append(words, tokens.Replace(a))
	}
	cmd := exec.CommandContext(ctx, p.Program[0], words...)
	cmd.Dir, cmd.Env = r.clone(), environment(r)
	for _, v := range p.Real.Env {
		cmd.Env = append(cmd.Env, tokens.Replace(v))
	}
	cmd.Env = append(cmd.Env, o.Env...)
	var output bytes.Buffer
	cmd.Stdout, cmd.Stderr = &output, &output
	cmd.WaitDelay = 2 * time.Second
	procgroup.Bind(cmd)
	err = cmd.Run()
	r.output, r.exit = output.String(), cmd.ProcessState.ExitCode()
	if ctx.Err() != nil {
		return fmt.Errorf("the program did not end within %v: %s", limit, shown(r.output))
	}
	var failed *exec.ExitError
	if err != nil && !errors.As(err, &failed) && !errors.Is(err, exec.ErrWaitDelay) {
		return err
	}
	return nil
}

// environment is all that the program has: nothing of the caller's leaks in.
func environment(r *run) []string {
	env := []string{"HOME=" + r.home(), "TMPDIR=" + r.tmp(), "PATH=" + os.Getenv("PATH"), "LANG=C.UTF-8", "TERM=dumb", "SHELL=/bin/sh", "USER=prove"}
	if runtime.GOOS == "windows" {
		env = append(env, "SYSTEMROOT="+os.Getenv("SYSTEMROOT"), "TEMP="+r.tmp(), "USERPROFILE="+r.home())
	}
	return env
}

// shown is foreign output on one short line.
func shown(text string) string {
	text = strings.Join(strings.Fields(text), " ")
	if len(text) > 300 {
		text = strings.ToValidUTF8(text[:300], "") + "..."
	}
	return text
}
