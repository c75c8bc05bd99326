package hal

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// A program of somebody else's: a module of its own, which requires this one from where it lies.
const (
	consumerMod = "module consumer\n\ngo 1.26.0\n\nrequire github.com/lorimer-dev/lorimer v0.0.0\n\nreplace github.com/lorimer-dev/lorimer => "

	consumerGo = `package main

import (
	"fmt"

	"github.com/lorimer-dev/lorimer/hal"
)

func main() {
	id, known := hal.GetSessionID()
	fmt.Println(hal.DetectProvider(), hal.GetStartupStrategy(), hal.GetStartupCommands(hal.Polecat), hal.SupportsHooks(),
		hal.SupportsNudge(), hal.SupportsRestart(), id, known, hal.GetGUPPStrategy(), hal.GetStallThreshold(), hal.GetNudgeInterval())
	old := hal.New(hal.Options{Runtime: string(hal.DetectProvider()), RuntimeVersion: "0"})
	fmt.Println(old.GetStartupStrategy() == hal.StartupFallback, old.GetStartupCommands(hal.Boot))
	var _ hal.RuntimeHAL = old
}
`

	consumerMJS = `import * as hal from "./hal.mjs";

console.log(hal.detectProvider(), hal.getStartupStrategy(), hal.getStartupCommands("polecat"), hal.supportsHooks(),
  hal.supportsNudge(), hal.supportsRestart(), hal.getSessionId(), hal.getGUPPStrategy(), hal.getStallThreshold(), hal.getNudgeInterval());
const old = hal.createHAL({ runtime: hal.detectProvider(), runtimeVersion: "0" });
console.log(old.getStartupStrategy(), old.getStartupCommands("boot"));
`
)

// consumerEnv is what both programs run in.
var consumerEnv = []string{"GT_RUNTIME=codex", "GT_STALL_THRESHOLD=90", "CODEX_SESSION_ID=c-1"}

// TestGoConsumer builds and runs the program with nothing but the module cache.
func TestGoConsumer(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a program")
	}
	root, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	sums, err := os.ReadFile(filepath.Join(root, "go.sum"))
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	write(t, dir, map[string]string{"go.mod": consumerMod + root + "\n", "main.go": consumerGo, "go.sum": string(sums)})
	run(t, dir, []string{"GOFLAGS=-mod=mod", "GOPROXY=off", "GOWORK=off", "CGO_ENABLED=0"}, "go", "build", "-o", "consumer", ".")
	got := run(t, dir, consumerEnv, filepath.Join(dir, "consumer"))
	want := "codex hook_injection [] true true true c-1 true hook_injection 1m30s 30s\ntrue [gt prime gt mail check --inject]\n"
	if got != want {
		t.Errorf("got  %q\nwant %q", got, want)
	}
	mod, err := os.ReadFile(filepath.Join(dir, "go.mod"))
	if err != nil || strings.Contains(string(mod), "cobra") || strings.Contains(string(mod), "esbuild") {
		t.Errorf("a consumer gets more than the HAL: %v\n%s", err, mod)
	}
}

// TestESMConsumer copies the module beside a program, and runs that.
func TestESMConsumer(t *testing.T) {
	if _, err := exec.LookPath("node"); err != nil {
		t.Skip("no node here: ", err)
	}
	module, err := os.ReadFile(filepath.Join("..", "golden", "hal", "hal.mjs"))
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	write(t, dir, map[string]string{"hal.mjs": string(module), "app.mjs": consumerMJS})
	got := run(t, dir, consumerEnv, "node", "app.mjs")
	want := "codex hook_injection [] true true true c-1 hook_injection 90 30\nstartup_fallback [ 'gt prime', 'gt mail check --inject' ]\n"
	if got != want {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}

func write(t *testing.T, dir string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

func run(t *testing.T, dir string, env []string, name string, args ...string) string {
	t.Helper()
	cmd := exec.Command(name, args...)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), env...)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%s %v: %v\n%s", name, args, err, out)
	}
	return string(out)
}
