package platform

import (
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

func TestMain(m *testing.M) {
	Stage()
	os.Exit(m.Run())
}

// start runs a shell line in a session of its own and ends it with the test.
func start(t *testing.T, line string, env ...string) *exec.Cmd {
	t.Helper()
	cmd := exec.Command("/bin/sh", "-c", line)
	cmd.Env = append(os.Environ(), env...)
	cmd.SysProcAttr = NewPosix().ProcAttr(true)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
		cmd.Wait()
	})
	return cmd
}

// eventually waits up to five seconds.
func eventually(t *testing.T, what string, holds func() bool) {
	t.Helper()
	for end := time.Now().Add(5 * time.Second); !holds(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("not within 5 s: %s", what)
		}
	}
}

func TestAProcessIsItsPidAndItsBirth(t *testing.T) {
	p := NewPosix()
	cmd := start(t, "exec sleep 60")
	pid := cmd.Process.Pid
	born, ok := p.Ctime(pid)
	if !ok || born <= 0 {
		t.Fatalf("%d, %v", born, ok)
	}
	if !p.Alive(pid, born) || !p.Alive(pid, 0) {
		t.Error("a live process is not alive")
	}
	if p.Alive(pid, born-1) {
		t.Error("a pid that is used again is taken for the old process")
	}
	now, ok := p.CtimeOf(float64(time.Now().UnixNano()) / 1e9)
	if !ok || now < born-200 || now > born+6000 {
		t.Errorf("born at %d, and it is %d now", born, now)
	}
	eventually(t, "the shell became sleep, and is still the same process", func() bool {
		return strings.TrimSpace(readFile("/proc/"+strconv.Itoa(pid)+"/comm")) == "sleep" && p.Alive(pid, born)
	})
}

func TestNobodyIsNoProcess(t *testing.T) {
	p := NewPosix()
	for _, pid := range []int{-1, 0, 1 << 30} {
		if _, ok := p.Ctime(pid); ok || p.Alive(pid, 0) || p.Terminate(pid) {
			t.Errorf("%d is a process", pid)
		}
	}
	if p.Terminate(1) {
		t.Error("init was ended")
	}
}

func TestAZombieHasEnded(t *testing.T) {
	p := NewPosix()
	cmd := start(t, "exit 0")
	eventually(t, "a zombie", func() bool { s, ok := readStat(cmd.Process.Pid); return ok && s.state == 'Z' })
	if p.Alive(cmd.Process.Pid, 0) {
		t.Error("a zombie is alive")
	}
	for _, q := range p.Processes() {
		if q.PID == cmd.Process.Pid {
			t.Error("a zombie is listed")
		}
	}
}

func TestTheTableKnowsParentsAndOddNames(t *testing.T) {
	odd := filepath.Join(t.TempDir(), "a) b (c")
	sleep, err := exec.LookPath("sleep")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(sleep, odd); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(odd, "60")
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { cmd.Process.Kill(); cmd.Wait() })
	eventually(t, "the row", func() bool {
		for _, q := range NewPosix().Processes() {
			if q.PID == cmd.Process.Pid {
				return q.Parent == os.Getpid() && q.Name == "a) b (c"
			}
		}
		return false
	})
}

func TestBrokenStatLines(t *testing.T) {
	for _, line := range []string{"", "1", "1 (a", "1 a) R 1", "1 (a) R 1 2 3", "1 (a) R x" + strings.Repeat(" 1", 20)} {
		if s, ok := parseStat(line); ok {
			t.Errorf("%q: %+v", line, s)
		}
	}
}

func TestEnvironFindsWhoCarriesTheEntry(t *testing.T) {
	entry := "LORIMER_PLATFORM_TEST=" + strconv.Itoa(os.Getpid())
	cmd := start(t, "sleep 60 & wait", entry)
	start(t, "sleep 60", entry+"0")
	eventually(t, "the shell and its child", func() bool { return len(Environ(entry)) == 2 })
	NewPosix().TreeKill(cmd.Process.Pid)
	eventually(t, "both ended", func() bool { return len(Environ(entry)) == 0 })
}

func TestTreeKillMissesOtherSessions(t *testing.T) {
	p := NewPosix()
	entry := "LORIMER_PLATFORM_TEST=session" + strconv.Itoa(os.Getpid())
	cmd := start(t, "setsid sleep 60 & sleep 60", entry)
	eventually(t, "both sleeps", func() bool {
		sleeps := 0
		for _, q := range Environ(entry) {
			if q.Name == "sleep" {
				sleeps++
			}
		}
		return sleeps == 2
	})
	if rc := p.TreeKill(cmd.Process.Pid); rc != nil {
		t.Errorf("exit code %d", *rc)
	}
	eventually(t, "one is left", func() bool { return len(Environ(entry)) == 1 })
	for _, q := range Environ(entry) {
		if !p.Terminate(q.PID) {
			t.Error("it could not be ended")
		}
	}
	eventually(t, "none is left", func() bool { return len(Environ(entry)) == 0 })
}

func TestDetachedProcessesHaveNoTieToUs(t *testing.T) {
	p, dir := NewPosix(), t.TempDir()
	log := filepath.Join(dir, "log")
	if err := os.WriteFile(log, []byte("before\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	d, err := p.Detach([]string{"/bin/sh", "-c", `echo "$0 $PWD"; echo err >&2; cat; exec sleep 60`, "x y"}, dir, log)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { p.Terminate(d.PID) })
	if d.Method != "setsid" || d.Warning != "" || !p.Alive(d.PID, d.Ctime) || d.Ctime == 0 {
		t.Errorf("%+v", d)
	}
	eventually(t, "its output, and no input", func() bool { return readFile(log) == "before\nx y "+dir+"\nerr\n" })
	f := strings.Fields(readFile("/proc/" + strconv.Itoa(d.PID) + "/stat"))
	ours, _ := unix.Getsid(0)
	if sid, _ := strconv.Atoi(f[5]); sid == ours || sid == d.PID {
		t.Errorf("session %d: expected neither ours (%d) nor one that it leads (%d)", sid, ours, d.PID)
	}
	if s, _ := readStat(d.PID); s.parent == os.Getpid() {
		t.Error("it is our child")
	}
	if strings.Contains(readFile("/proc/"+strconv.Itoa(d.PID)+"/environ"), stageVar) {
		t.Error("it carries the mark of the stage between")
	}
}

func TestDetachSaysWhyNot(t *testing.T) {
	p, dir := NewPosix(), t.TempDir()
	for name, c := range map[string]struct {
		argv     []string
		cwd, log string
		want     string
	}{
		"no program":         {nil, dir, filepath.Join(dir, "log"), "no program"},
		"no such program":    {[]string{"/no/such"}, dir, filepath.Join(dir, "log"), "no such file"},
		"no such folder":     {[]string{"/bin/true"}, "/no/such", filepath.Join(dir, "log"), "no such file"},
		"log not to be made": {[]string{"/bin/true"}, dir, "/no/such/log", "no such file"},
	} {
		if _, err := p.Detach(c.argv, c.cwd, c.log); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestRestoreReplacesNothing(t *testing.T) {
	p, dir := NewPosix(), t.TempDir()
	a, b := filepath.Join(dir, "a"), filepath.Join(dir, "b")
	for name, text := range map[string]string{a: "a", b: "b"} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := p.RestoreNoReplace(a, b); !os.IsExist(err) {
		t.Errorf("%v", err)
	}
	if readFile(a) != "a" || readFile(b) != "b" {
		t.Error("something was lost")
	}
	os.Remove(b)
	if err := p.RestoreNoReplace(a, b); err != nil || readFile(b) != "a" || readFile(a) != "" {
		t.Errorf("%v", err)
	}
}

func TestWindowsAnswersOnAnotherHost(t *testing.T) {
	w := NewWindows()
	if w.Alive(os.Getpid(), 0) || w.Terminate(os.Getpid()) || len(w.Processes()) > 0 || w.TreeKill(os.Getpid()) != nil {
		t.Error("it found a process of Windows here")
	}
	if _, err := w.Detach([]string{"x"}, "", ""); err == nil {
		t.Error("it detached")
	}
	if _, shown := w.VisibleWindows(); shown {
		t.Error("it sees windows")
	}
}
