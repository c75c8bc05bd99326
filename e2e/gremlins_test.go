//go:build linux

package e2e

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/lorimer-dev/lorimer/e2e/rig"
	"github.com/lorimer-dev/lorimer/internal/fakemodel"
	"github.com/lorimer-dev/lorimer/internal/gremlin/record"
)

// gremlins is a run of `lorimer gremlins` that drives the real Claude Code, against a model with a prompt cache.
type gremlins struct {
	*rig.Rig
	t     *testing.T
	ctx   context.Context
	cache *fakemodel.Cache
	env   []string // of every call
	calls []called // every one, and what it printed
}

type called struct{ args, out string }

const gremlinModel = "claude-opus-5-5"

// newGremlins is a run that is initialised, in a project that is no repository. The program is found on PATH.
func newGremlins(t *testing.T, script fakemodel.Script, env ...string) *gremlins {
	t.Helper()
	need(t)
	t.Parallel()
	g := &gremlins{Rig: world(t, rig.Claude, script, ""), t: t, cache: &fakemodel.Cache{}}
	g.Model.UseCache(g.cache)
	g.within(6 * time.Minute)
	g.env = append(g.Environ(), env...)
	g.env = append(g.env, "PATH="+filepath.Dir(g.Host.Program(install))+":/usr/local/bin:/usr/bin:/bin")
	g.ok(nil, "init", "--model", gremlinModel, "--allowed-tools", "Bash", "--permission-mode", "default")
	return g
}

func (g *gremlins) within(limit time.Duration) {
	var cancel context.CancelFunc
	g.ctx, cancel = context.WithTimeout(g.t.Context(), limit)
	g.t.Cleanup(cancel)
}

// print is one call of the command line: what it printed, and its exit status.
func (g *gremlins) print(command string, args ...string) (out []byte, exit int) {
	g.t.Helper()
	args = append([]string{command, "--run", "run.md"}, args...)
	cmd := exec.CommandContext(g.ctx, filepath.Join(bin, "lorimer"), append([]string{"gremlins"}, args...)...)
	cmd.Dir, cmd.Env = g.Clone, g.env
	if g.env == nil {
		cmd.Env = g.Environ()
	}
	out, err := cmd.Output()
	if cmd.ProcessState == nil {
		g.t.Fatal(err)
	}
	g.calls = append(g.calls, called{strings.Join(args, " "), string(out)})
	if exit = cmd.ProcessState.ExitCode(); exit != 0 {
		g.t.Logf("gremlins %s: exit %d\n%s", strings.Join(args, " "), exit, out)
	}
	return out, exit
}

// run is print for an answer in JSON.
func (g *gremlins) run(answer any, command string, args ...string) int {
	g.t.Helper()
	out, exit := g.print(command, args...)
	if err := json.Unmarshal(out, answer); err != nil {
		g.t.Fatalf("gremlins %s %v: %v\n%s", command, args, err, out)
	}
	return exit
}

func (g *gremlins) ok(answer any, command string, args ...string) {
	g.t.Helper()
	if answer == nil {
		answer = &map[string]any{}
	}
	if exit := g.run(answer, command, args...); exit != 0 {
		g.t.Fatalf("gremlins %s: exit %d, %v", command, exit, answer)
	}
}

// brief is a file with a prompt.
func (g *gremlins) brief(text string) string {
	g.t.Helper()
	return g.file(fmt.Sprintf("brief-%x.md", sha256.Sum256([]byte(text))), text)
}

// file puts a file into the project, and returns its name there.
func (g *gremlins) file(name, text string) string {
	g.t.Helper()
	path := filepath.Join(g.Clone, filepath.FromSlash(name))
	must(g.t, os.MkdirAll(filepath.Dir(path), 0o755))
	must(g.t, os.WriteFile(path, []byte(text+"\n"), 0o644))
	return name
}

// wait waits for all jobs and gives the results by job.
func (g *gremlins) wait() map[string]record.Result {
	g.t.Helper()
	var w struct{ Done []record.Result }
	g.run(&w, "wait", "--all")
	done := map[string]record.Result{}
	for _, r := range w.Done {
		done[r.Job] = r
	}
	return done
}

// how is a result's end in short: status/reason flags.
func how(r record.Result) string {
	reason := ""
	if r.Reason != nil {
		reason = *r.Reason
	}
	return strings.TrimSpace(r.Status + "/" + reason + " " + strings.Join(r.Flags, ","))
}

type launched struct {
	Job        string
	SessionID  string `json:"session_id"`
	BaseState  string `json:"base_state"`
	RebaseDue  bool   `json:"rebase_due"`
	RetrainDue bool   `json:"retrain_due"`
	Reasons    []string
}

type job struct {
	Job, Kind, Status string
	Flags             []string
}

// jobs waits until none runs, and lists all.
func (g *gremlins) jobs() []job {
	g.t.Helper()
	for {
		var l struct{ Jobs []job }
		g.ok(&l, "list")
		if !slices.ContainsFunc(l.Jobs, func(j job) bool { return j.Status == record.Running }) {
			return l.Jobs
		}
		if g.ctx.Err() != nil {
			g.t.Fatalf("still running: %+v", l.Jobs)
		}
		time.Sleep(100 * time.Millisecond)
	}
}

// transcript is a session's file, hashed; empty = there is none.
func (g *gremlins) transcript(session string) string {
	g.t.Helper()
	found, _ := filepath.Glob(filepath.Join(g.Home, ".claude", "projects", "*", session+".jsonl"))
	if len(found) != 1 {
		return ""
	}
	b, err := os.ReadFile(found[0])
	must(g.t, err)
	return fmt.Sprintf("%x", sha256.Sum256(b))
}

// git runs git in the clone, as its user would.
func (g *gremlins) git(args ...string) string {
	g.t.Helper()
	cmd := exec.CommandContext(g.ctx, "git", append([]string{"-c", "user.name=u", "-c", "user.email=u@example.com"}, args...)...)
	cmd.Dir, cmd.Env = g.Clone, g.Environ()
	out, err := cmd.CombinedOutput()
	if err != nil {
		g.t.Fatalf("git %v: %v\n%s", args, err, out)
	}
	return strings.TrimSpace(string(out))
}
