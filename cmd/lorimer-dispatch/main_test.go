package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/lorimer-dev/lorimer/golden/go/table"
	"github.com/lorimer-dev/lorimer/internal/harness"
	"github.com/lorimer-dev/lorimer/internal/inittrace"
	"github.com/lorimer-dev/lorimer/internal/manifest"
	"github.com/lorimer-dev/lorimer/internal/trust"
)

// What every tool call waits for links nothing that it does not need: each package is start-up time.
func TestLinksNoMoreThanItNeeds(t *testing.T) {
	out, err := exec.Command("go", "list", "-deps", ".").Output()
	if err != nil {
		t.Fatal(err)
	}
	deps := strings.Fields(string(out))
	if !slices.Contains(deps, "github.com/tidwall/gjson") {
		t.Fatalf("not a list of dependencies: %.200s", out)
	}
	for _, d := range deps {
		for _, heavy := range []string{
			"github.com/spf13/cobra", "gopkg.in/yaml.v3", "github.com/evanw/esbuild", "github.com/tailscale/hujson", "github.com/dave/jennifer",
			"github.com/lorimer-dev/lorimer/gen", "github.com/lorimer-dev/lorimer/harnesses", "github.com/lorimer-dev/lorimer/runtime-js",
			"github.com/lorimer-dev/lorimer/internal/materialize", "github.com/lorimer-dev/lorimer/internal/strictyaml",
			"net", "os/user", "text/template", "html/template", "flag", "log", "go/ast",
		} {
			if d == heavy || strings.HasPrefix(d, heavy+"/") {
				t.Errorf("it links %s", d)
			}
		}
	}
}

// What the dispatcher's packages make before main runs, every tool call of every session waits for: a compiled pattern, or the tables
// of harnesses that nobody asked for, were dearer than all that a call without a handler needs.
func TestStartsWithoutWork(t *testing.T) {
	bin := filepath.Join(t.TempDir(), "lorimer-dispatch")
	if out, err := exec.Command("go", "build", "-o", bin, ".").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	for name, n := range inittrace.Allocations(t, bin, "--version") {
		const most = 16 // a pattern that is compiled here takes some hundred, one that is compiled when it is asked for none
		if n > most {
			t.Errorf("%s allocates %d times before main; at most %d", name, n, most)
		}
	}
}

// The real binary, with the generated table: every harness's PreToolUse can be blocked, and a trusted handler is obeyed.
func TestBinary(t *testing.T) {
	bin := filepath.Join(t.TempDir(), "lorimer-dispatch")
	if out, err := exec.Command("go", "build", "-o", bin, ".").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	root, home := t.TempDir(), t.TempDir()
	var m manifest.Manifest
	m.Protocol = manifest.Protocol
	m.Events = map[string][]manifest.Handler{"PreToolUse": {{Name: "guard", Run: "echo no >&2; exit 2", Block: true}}}
	for _, h := range table.All {
		m.Harnesses = append(m.Harnesses, h.ID)
	}
	if err := os.MkdirAll(filepath.Dir(manifest.Path(root)), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(manifest.Path(root), m.Encode(), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := trust.Record(home, root, m.Encode()); err != nil {
		t.Fatal(err)
	}
	served := 0
	for _, h := range table.All {
		if _, ok := h.Binding(harness.PreToolUse); !ok {
			continue
		}
		served++
		code, stdout, stderr := start(t, bin, home, `{"session_id":"`+h.ID+`","tool_name":"Bash","tool_input":{}}`, "--root", root, h.ID, "PreToolUse")
		// Some read an answer on standard error, and nothing else where the exit status is 2.
		if !strings.Contains(stdout, `"no"`) && (code != 2 || !strings.Contains(stderr, "no")) {
			t.Errorf("%s: exit %d, stdout %q, stderr %q", h.ID, code, stdout, stderr)
		}
	}
	if served < 2 {
		t.Errorf("only %d harnesses were asked", served)
	}
	for _, args := range [][]string{nil, {"--help"}, {"nobody", "Stop"}, {"-root"}} {
		code, stdout, stderr := start(t, bin, home, "", args...)
		if code != 0 || stdout != "" || !strings.HasPrefix(stderr, "lorimer: ") {
			t.Errorf("%q: exit %d, stdout %q, stderr %q", args, code, stdout, stderr)
		}
	}
	if code, stdout, _ := start(t, bin, home, "", "--version"); code != 0 || stdout != "lorimer-dispatch dev, protocol 1\n" {
		t.Errorf("exit %d, %q", code, stdout)
	}
}

func start(t *testing.T, bin, home, stdin string, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	cmd := exec.Command(bin, args...)
	cmd.Env = append(os.Environ(), "LORIMER_HOME="+home)
	var out, errOut strings.Builder
	cmd.Stdin, cmd.Stdout, cmd.Stderr = strings.NewReader(stdin), &out, &errOut
	if err := cmd.Run(); err != nil && cmd.ProcessState == nil {
		t.Fatal(err)
	}
	return cmd.ProcessState.ExitCode(), out.String(), errOut.String()
}
