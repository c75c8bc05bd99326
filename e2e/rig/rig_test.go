//go:build linux

package rig

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/lorimer-dev/lorimer/internal/fakemodel"
)

// fake makes a rig for a host that is a shell script.
func fake(t *testing.T, script string) *Rig {
	t.Helper()
	h := &Host{
		ID: "fake", Name: "the fake", Modes: []string{"once", "talk"}, Talk: "talk",
		exe:  func(Install) []string { return []string{"/bin/sh"} },
		args: func(mode string, o Options) []string { return []string{"-c", script, mode, o.Prompt} },
		env:  func(url string) []string { return []string{"MODEL=" + url} },
	}
	r, err := New(Config{Host: h, Script: fakemodel.Steps()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { r.Close() })
	return r
}

func end(t *testing.T, r *Rig, o Options) Exit {
	t.Helper()
	p, err := r.Start(o)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	exit, err := p.Wait(ctx)
	if err != nil {
		t.Fatal(err)
	}
	return exit
}

func TestNothingOfTheCallersEnvironmentLeaksIn(t *testing.T) {
	t.Setenv("ANTHROPIC_API_KEY", "a real one")
	t.Setenv("SSH_AUTH_SOCK", "/somewhere")
	r := fake(t, "env | cut -d= -f1 | sort | tr '\\n' ' '")
	want := "E2E HOME LANG LORIMER_E2E_RUN MODEL PATH PWD SHELL TERM TMPDIR USER "
	if got := end(t, r, Options{}).Stdout; got != want {
		t.Errorf("got  %q\nwant %q", got, want)
	}
	r = fake(t, `echo "$HOME"; pwd`)
	if got := end(t, r, Options{}).Stdout; got != r.Home+"\n"+r.Clone+"\n" || !strings.HasPrefix(r.Home, r.Dir) {
		t.Errorf("home and project: %q", got)
	}
}

func TestHowAHostEnds(t *testing.T) {
	r := fake(t, `echo out $0 $1; echo err >&2; exit 7`)
	exit := end(t, r, Options{Prompt: "p"})
	if exit.Code != 7 || exit.Stdout != "out once p\n" || exit.Stderr != "err\n" {
		t.Errorf("%+v", exit)
	}
	if exit := end(t, fake(t, `kill -TERM $$`), Options{}); exit.Code != 128+15 {
		t.Errorf("killed: %+v", exit)
	}
}

func TestStandardInputIsClosedUnlessTheHostIsTalkedTo(t *testing.T) {
	if exit := end(t, fake(t, `cat; echo end`), Options{}); exit.Stdout != "end\n" {
		t.Errorf("%+v", exit)
	}
	p, err := fake(t, `read line; echo "got $line"; cat; echo end`).Start(Options{Mode: "talk"})
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Send(map[string]string{"a": "b"}); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	if err := p.Output(ctx, func(l []string) bool { return len(l) == 1 && l[0] == `got {"a":"b"}` }); err != nil {
		t.Fatal(err)
	}
	if exit, err := p.Wait(ctx); err != nil || !strings.HasSuffix(exit.Stdout, "end\n") {
		t.Errorf("%+v, %v", exit, err)
	}
}

func TestWaitingHasAnEnd(t *testing.T) {
	r := fake(t, `echo before; sleep 1000`)
	p, err := r.Start(Options{})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
	defer cancel()
	if err := p.Output(ctx, func([]string) bool { return false }); err == nil || !strings.Contains(err.Error(), "before") {
		t.Errorf("Output: %v", err)
	}
	if _, err := p.Wait(ctx); err == nil || !strings.Contains(err.Error(), "did not end") {
		t.Errorf("Wait: %v", err)
	}
	if syscall.Kill(p.Pid, 0) == nil {
		t.Error("it still runs")
	}
	if err := r.Stop(); err != nil {
		t.Errorf("its child still ran: %v", err)
	}
}

// What a host leaves behind is found in whatever group it hides, reported and ended; a process of nobody's business is not.
func TestWhatIsLeftBehindIsEnded(t *testing.T) {
	other := exec.Command("sleep", "1000")
	if err := other.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() { other.Process.Kill(); other.Wait() }()

	r := fake(t, `setsid sleep 2000 </dev/null >/dev/null 2>&1 &`)
	end(t, r, Options{})
	left := r.survivors()
	err := r.Stop()
	if len(left) != 1 || err == nil || !strings.Contains(err.Error(), "sleep 2000") || !strings.Contains(err.Error(), "left running by the fake") {
		t.Fatalf("%v: %v", left, err)
	}
	deadline := time.Now().Add(5 * time.Second)
	for len(r.survivors()) > 0 && time.Now().Before(deadline) {
		time.Sleep(10 * time.Millisecond)
	}
	if s := r.survivors(); len(s) > 0 {
		t.Errorf("still running: %v", s)
	}
	if err := other.Process.Signal(syscall.Signal(0)); err != nil {
		t.Errorf("a process that is not ours: %v", err)
	}
}

func TestCloseRemovesTheWorld(t *testing.T) {
	r := fake(t, "true")
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(r.Dir); err == nil {
		t.Error("the directory is still there")
	}
}

// The handler is run as a hook is: payload on stdin, answer by exit status and streams.
func TestHandler(t *testing.T) {
	r := fake(t, `printf '{"hook_event_name":"Stop","stop_hook_active":false,"n":{"b":[1],"a":"x"}}' | ./hooks/handler Stop; echo "exit $?"
		echo '{"stop_hook_active":true}' | ./hooks/handler Stop; echo "exit $?"
		./hooks/handler Other </dev/null; echo "exit $?"`)
	if err := r.Answer("Stop", `first_stop && block "no $nth"; context 'it'"'"'s fine'`); err != nil {
		t.Fatal(err)
	}
	exit := end(t, r, Options{})
	if exit.Stdout != "exit 2\nit's fine\nexit 0\nexit 0\n" || exit.Stderr != "no 1\n" {
		t.Errorf("%+v", exit)
	}
	calls := r.Calls("Stop")
	if len(calls) != 2 || len(r.Calls("")) != 3 {
		t.Fatalf("calls: %+v", r.Calls(""))
	}
	c := calls[0]
	if got := strings.Join(c.Keys(), " "); got != "hook_event_name stop_hook_active n" {
		t.Errorf("keys %q", got)
	}
	if c.Get("n", "a") != "x" || c.Get("n", "b") != "[1]" || c.Get("stop_hook_active") != "false" || c.Get("n", "a", "b") != "" || c.Get("none") != "" {
		t.Errorf("values of %s", c.Payload)
	}
	if c.Dir != r.Clone || c.Env["HOME"] != r.Home || calls[1].Payload != "{\"stop_hook_active\":true}\n" {
		t.Errorf("%+v", calls)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if err := r.WaitCalls(ctx, "Stop", 2); err != nil {
		t.Error(err)
	}
	if err := r.WaitCalls(ctx, "Stop", 3); err == nil || !strings.Contains(err.Error(), "2 times, waited for 3") {
		t.Errorf("%v", err)
	}
}

func TestTwoHostsInOneProject(t *testing.T) {
	r := fake(t, "true")
	other, err := r.Also(&Host{ID: "b", prepare: func(home, url string) error {
		return os.WriteFile(filepath.Join(home, "url"), []byte(url), 0o600)
	}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile(filepath.Join(r.Home, "url"))
	if err != nil || string(b) != other.Model.URL() || other.Model.URL() == r.Model.URL() || other.Clone != r.Clone {
		t.Errorf("%s, %v", b, err)
	}
	if err := other.Stop(); err != nil {
		t.Error(err)
	}
}

func TestWhatIsMissingIsSaid(t *testing.T) {
	_, err := Installed(t.TempDir(), Hosts...)
	if err == nil || !strings.Contains(err.Error(), "npm ci --ignore-scripts --prefix") {
		t.Errorf("%v", err)
	}
}
