//go:build linux

package e2e

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/lorimer-dev/lorimer/e2e/rig"
	runtimes "github.com/lorimer-dev/lorimer/golden/go/certified"
	"github.com/lorimer-dev/lorimer/internal/certify"
	"github.com/lorimer-dev/lorimer/internal/fakemodel"
)

// alwaysLaunched are the agents that are launched in every run; the others cost more, and are launched with LORIMER_GATES_ALL=1.
var alwaysLaunched = []*rig.Host{rig.Claude, rig.Pi, rig.Omp, rig.Codex}

// TestCertifiedRuntimes installs the packages that are here below a root of Lorimer's, launches a session from there in a clone
// with hooks, which hold there as they do elsewhere, and holds what it does against its contract. The user's own home stays as it
// was, to the byte.
func TestCertifiedRuntimes(t *testing.T) {
	need(t)
	for _, h := range rig.Cased {
		if !slices.Contains(alwaysLaunched, h) && !allGates {
			continue
		}
		t.Run(h.ID, func(t *testing.T) {
			t.Parallel()
			o := &outcome{Rig: &rig.Rig{Host: h}, mode: h.Modes[0]}
			o.Rig = world(t, h, fakemodel.Steps(shell(o, "touch ran"), fakemodel.Say("early"), fakemodel.Say("done")), rig.Handlers())
			ctx, cancel := context.WithTimeout(t.Context(), 2*patience(h))
			defer cancel()
			canaries(t, o.Rig)
			ensured(ctx, t, o.Rig)
			must(t, materialize(ctx, o.Rig), o.Answer("PreToolUse", "block 'NO TOOLS'"), o.Answer("Stop", "first_stop && block 'NOT YET'"))
			before := homeOf(t, o.Rig)

			p, err := o.Launch(rig.Options{Prompt: prompt})
			must(t, err)
			o.exit, err = p.Wait(ctx)
			must(t, err)
			hold(t, o, exits(0), requests(3), dispatched("SessionStart", 1), dispatched("PreToolUse", 1), dispatched("Stop", 2), goesOn(3, "NOT YET"), gone("ran"))
			if !strings.HasPrefix(o.exit.Stderr, "lorimer: "+h.Name+" "+versionOf(h)+"; its home is ") {
				t.Errorf("it says %s", o.exit.Stderr)
			}
			strictly(ctx, t, o)
			statusComes(ctx, t, o.Rig)
			if after := homeOf(t, o.Rig); !maps.Equal(before, after) {
				t.Errorf("the user's home was changed:\n%v\n%v", before, after)
			}
			contract(ctx, t, o.Rig, h.ID)
		})
	}
}

// statusComes: the exit status of a session is the agent's own.
func statusComes(ctx context.Context, t *testing.T, r *rig.Rig) {
	t.Helper()
	for _, x := range []struct {
		args []string
		fail bool
	}{{[]string{"--version"}, false}, {[]string{"--no-such-flag-as-this"}, true}} {
		_, err := r.Lorimer(ctx, append([]string{"runtime", "launch", r.Host.ID, "--"}, x.args...)...)
		if code := exitCode(err); x.fail != (code != 0) {
			t.Errorf("%v: exit status %d, %v", x.args, code, err)
		}
	}
}

func exitCode(err error) int {
	for err != nil {
		if failed, ok := err.(*exec.ExitError); ok {
			return failed.ExitCode()
		}
		wrapper, ok := err.(interface{ Unwrap() error })
		if !ok {
			return -1
		}
		err = wrapper.Unwrap()
	}
	return 0
}

// canaries are what the user has in their home.
func canaries(t *testing.T, r *rig.Rig) {
	t.Helper()
	for path, text := range map[string]string{
		".claude/settings.json": `{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"touch ~/FIRED"}]}]}}`,
		".claude.json":          `{"userID":"canary"}`,
		".codex/config.toml":    "model = \"canary\"\n",
		".codex/auth.json":      `{"OPENAI_API_KEY":"canary"}`,
		".omp/agent/canary.yml": "a: 1\n",
		".pi/agent/canary.json": "{}\n",
	} {
		file := filepath.Join(r.Home, filepath.FromSlash(path))
		must(t, os.MkdirAll(filepath.Dir(file), 0o700), os.WriteFile(file, []byte(text), 0o600))
	}
}

// homeOf has the hash of every file of the user's home, without the project and what is Lorimer's own.
func homeOf(t *testing.T, r *rig.Rig) map[string]string {
	t.Helper()
	all := map[string]string{}
	err := filepath.WalkDir(r.Home, func(path string, d fs.DirEntry, err error) error {
		if err != nil || path == r.Clone || path == r.Root() {
			if d != nil && d.IsDir() && err == nil {
				return fs.SkipDir
			}
			return err
		}
		all[path] = d.Type().String()
		if d.Type().IsRegular() {
			data, err := os.ReadFile(path)
			sum := sha256.Sum256(data)
			all[path] = hex.EncodeToString(sum[:])
			return err
		}
		return nil
	})
	must(t, err)
	if len(all) < 6 {
		t.Fatalf("only %v", all)
	}
	return all
}

func ensure(ctx context.Context, t *testing.T, r *rig.Rig, id string) (info certify.Info) {
	t.Helper()
	began := time.Now()
	out, err := r.Lorimer(ctx, "runtime", "ensure", id, "--json", "--from", filepath.Dir(install.Modules))
	must(t, err, json.Unmarshal([]byte(out[strings.Index(out, "{"):]), &info))
	t.Logf("%s %s in %v, installed: %v", id, info.Version, time.Since(began).Round(time.Millisecond), info.Installed)
	return info
}

// versionOf is a host's version; that of its package for this system may have the system behind it.
func versionOf(h *rig.Host) string {
	version, _, _ := strings.Cut(h.Version(install), "-")
	return version
}

// ensured installs once, and finds it the second time.
func ensured(ctx context.Context, t *testing.T, r *rig.Rig) {
	t.Helper()
	for _, installs := range []bool{true, false} {
		info := ensure(ctx, t, r, r.Host.ID)
		if info.Installed != installs || info.Handshake.Status != certify.OK || info.Version != versionOf(r.Host) {
			t.Fatalf("%+v", info)
		}
	}
}

// strictly: where a host has a form for it, a shim that does not load stops it.
func strictly(ctx context.Context, t *testing.T, o *outcome) {
	t.Helper()
	if !strings.Contains(o.exit.Stderr, "a shim that does not load stops it") {
		return
	}
	shim := filepath.Join(o.Clone, ".omp", "extensions", "lorimer.js")
	good, err := os.ReadFile(shim)
	must(t, err, os.WriteFile(shim, []byte("export default 1 +;\n"), 0o644))
	p, err := o.Launch(rig.Options{Prompt: prompt})
	must(t, err)
	exit, err := p.Wait(ctx)
	must(t, err, os.WriteFile(shim, good, 0o644))
	if exit.Code != 1 || len(o.Model.Requests()) != 3 {
		t.Errorf("with a broken shim: exit status %d, %d requests\n%s", exit.Code, len(o.Model.Requests()), exit.Stderr)
	}
}

// TestContracts holds the agents that are not launched in every run against their contracts.
func TestContracts(t *testing.T) {
	need(t)
	for _, row := range runtimes.All {
		h := hostOf(row.ID)
		if h == nil || row.Contract == nil {
			t.Errorf("%s has no contract that can be seen", row.ID)
			continue
		}
		if slices.Contains(alwaysLaunched, h) {
			continue
		}
		t.Run(h.ID, func(t *testing.T) {
			t.Parallel()
			ctx, cancel := context.WithTimeout(t.Context(), patience(h))
			defer cancel()
			r := world(t, h, nil, "")
			var exe []string
			for _, word := range h.Argv(install) {
				exe = append(exe, "--exe", word)
			}
			contract(ctx, t, r, h.ID, exe...)
		})
	}
}

// contract holds an agent against its contract: the installed runtime, unless args name another.
func contract(ctx context.Context, t *testing.T, r *rig.Rig, id string, args ...string) {
	t.Helper()
	cmd := exec.CommandContext(ctx, filepath.Join(bin, "lorimer"), append([]string{"contract", id, "--json"}, args...)...)
	cmd.Env = append(os.Environ(), "LORIMER_HOME="+r.Root())
	out, err := cmd.Output()
	var facts []certify.Fact
	if json.Unmarshal(out, &facts) != nil || len(facts) < 5 {
		t.Fatalf("%v\n%s%s", err, out, stderrOf(err))
	}
	for _, f := range facts {
		if !f.Holds {
			t.Errorf("%s; seen: %s", f.Fact, f.Seen)
		}
	}
}
