//go:build linux

package engine_test

import (
	"os"
	"os/exec"
	"syscall"
	"testing"
	"time"

	"github.com/lorimer-dev/lorimer/internal/gremlin/record"
)

// A harness's shell tool ends what it started by its process group. A gremlin goes on.
func TestAGremlinOutlivesTheGroupOfWhoSpawnedIt(t *testing.T) {
	w := trained(t)
	cmd := exec.Command("/bin/sh", "-c", `"$0" _do spawn --run "$1" --with "$2"; sleep 60`, os.Args[0], w.log, w.brief(script{WorkMS: 1500}))
	cmd.Dir, cmd.Env = w.dir, w.Env
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	w.until("it runs", func(reg *record.Registry) bool { j := reg.Jobs["j2"]; return j != nil && j.Began })
	syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
	cmd.Wait()
	time.Sleep(100 * time.Millisecond)
	if reg := w.registry(); reg.Jobs["j2"].Status != record.Running {
		t.Fatalf("%+v", reg.Jobs["j2"])
	}
	if r := w.one(); how(r) != "ok/" {
		t.Errorf("%+v", r)
	}
}
