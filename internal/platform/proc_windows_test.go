package platform

import (
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/windows"
)

// role makes the test binary a process that the tests look at: it sleeps, or has a child that does and writes its pid to a file.
const role = "PLATFORM_TEST_ROLE"

func TestMain(m *testing.M) {
	switch kind, file, _ := strings.Cut(os.Getenv(role), "="); kind {
	case "sleep":
		time.Sleep(time.Minute)
		os.Exit(0)
	case "tree":
		os.Setenv(role, "sleep")
		child := exec.Command(os.Args[0])
		if child.Start() == nil {
			os.WriteFile(file, []byte(strconv.Itoa(child.Process.Pid)), 0o600)
		}
		time.Sleep(time.Minute)
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// start starts the test binary in a role, and ends it with the test.
func start(t *testing.T, as string) int {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), role+"="+as)
	cmd.SysProcAttr = NewWindows().ProcAttr(true)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	go cmd.Wait()
	t.Cleanup(func() { cmd.Process.Kill() })
	return cmd.Process.Pid
}

// eventually waits up to twenty seconds: it may be an emulated machine.
func eventually(t *testing.T, what string, holds func() bool) {
	t.Helper()
	for end := time.Now().Add(20 * time.Second); !holds(); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("not within 20 s: %s", what)
		}
	}
}

// scratch is a directory that outlives the test where the system cannot remove it, as wine 8 cannot.
func scratch(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "platform")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	return dir
}

func TestAWindowsProcessIsItsPidAndItsBirth(t *testing.T) {
	w := NewWindows()
	pid := start(t, "sleep")
	born, ok := w.Ctime(pid)
	if !ok || born <= 0 {
		t.Fatalf("%d, %v", born, ok)
	}
	if now, _ := w.CtimeOf(float64(time.Now().Unix())); now < born-600e7 || now > born+600e7 {
		t.Errorf("it was born at %d, and now is %d: that is no ten minutes", born, now)
	}
	if !w.Alive(pid, born) || !w.Alive(pid, 0) {
		t.Error("a live process is not alive")
	}
	if w.Alive(pid, born-1) {
		t.Error("a pid that is used again is taken for the old process")
	}
	found := false
	for _, p := range w.Processes() {
		found = found || p.PID == pid && p.Parent == os.Getpid()
	}
	if !found {
		t.Errorf("%d, a child of ours, is not in the list: %v", pid, w.Processes())
	}
	if !w.Terminate(pid) {
		t.Error("the system refused to end it")
	}
	eventually(t, "it has ended", func() bool { return !w.Alive(pid, born) })
	if w.Terminate(4) {
		t.Error("the system's own process was to be ended")
	}
}

func TestAWindowsTreeEndsAsOne(t *testing.T) {
	w := NewWindows()
	file := filepath.Join(scratch(t), "pid")
	root, child := start(t, "tree="+file), 0
	eventually(t, "the child has started", func() bool {
		b, _ := os.ReadFile(file)
		child, _ = strconv.Atoi(string(b))
		return child > 0
	})
	born, _ := w.Ctime(child)
	defer w.Terminate(child)
	rc := w.TreeKill(root)
	if rc == nil {
		t.Fatal("taskkill does not run")
	}
	if wine() {
		t.Skipf("wine's taskkill knows no trees (it says %d); a job's processes are found in the list there", *rc)
	}
	if *rc != 0 {
		t.Errorf("taskkill: %d", *rc)
	}
	eventually(t, "both have ended", func() bool { return !w.Alive(root, 0) && !w.Alive(child, born) })
}

// wine says of itself what it is.
func wine() bool {
	return windows.NewLazySystemDLL("ntdll.dll").NewProc("wine_get_version").Find() == nil
}

func TestWhatIsDetachedGoesOn(t *testing.T) {
	dir := scratch(t)
	t.Setenv(role, "sleep")
	d, err := NewWindows().Detach([]string{os.Args[0]}, dir, filepath.Join(dir, "log"))
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%+v", d)
	defer NewWindows().Terminate(d.PID)
	if d.PID <= 0 || (d.Method == "cim-hidden") != (d.Warning == "") {
		t.Errorf("%+v", d)
	}
	if d.Method != "cim-hidden" && !NewWindows().Alive(d.PID, d.Ctime) { // a child of the WMI service has not our environment
		t.Error("it does not run")
	}
}

func TestARenameReplacesNothing(t *testing.T) {
	dir := scratch(t)
	a, b := filepath.Join(dir, "a"), filepath.Join(dir, "b")
	os.WriteFile(a, []byte("a"), 0o600)
	os.WriteFile(b, []byte("b"), 0o600)
	w := NewWindows()
	if err := w.RestoreNoReplace(a, b); err == nil {
		t.Error("b was replaced")
	}
	os.Remove(b)
	if err := w.RestoreNoReplace(a, b); err != nil {
		t.Error(err)
	}
	if got, _ := os.ReadFile(b); string(got) != "a" {
		t.Errorf("%q", got)
	}
}

func TestWindowsAreToldOrNot(t *testing.T) {
	if _, ok := NewWindows().VisibleWindows(); !ok {
		t.Error("Windows lists its windows")
	}
}
