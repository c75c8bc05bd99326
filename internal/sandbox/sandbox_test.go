//go:build linux

package sandbox

import (
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestMain gives this binary a second face: with PROBE set it is the program that a test starts.
func TestMain(m *testing.M) {
	if probe := os.Getenv("PROBE"); probe != "" {
		if err := Enter(func() { fmt.Println("last") }, "ADDED=yes"); err != nil {
			fmt.Println("refused:", err)
			os.Exit(9)
		}
		os.Exit(probes[probe]())
	}
	os.Exit(m.Run())
}

var probes = map[string]func() int{
	"network": func() int {
		fmt.Println("args:", os.Args[1:], "added:", os.Getenv("ADDED"))
		ln, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			fmt.Println("loopback:", err)
			return 1
		}
		c, err := net.Dial("tcp", ln.Addr().String())
		fmt.Println("loopback:", err)
		if err == nil {
			c.Close()
		}
		_, err = net.DialTimeout("tcp", "192.0.2.1:80", 5*time.Second)
		fmt.Println("outside unreachable:", errors.Is(err, syscall.ENETUNREACH))
		return 7
	},
	"killed": func() int {
		syscall.Kill(os.Getpid(), syscall.SIGKILL)
		return 0
	},
	"stdin": func() int {
		var line string
		fmt.Scanln(&line)
		fmt.Println("read:", line)
		return 0
	},
}

// run starts the probe and returns its output and exit status. It skips, with the reason, where there are no namespaces;
// with LORIMER_E2E=1 that is a failure.
func run(t *testing.T, probe string, env ...string) (string, int) {
	t.Helper()
	cmd := exec.Command(os.Args[0], "one", "two")
	cmd.Env = append(append(os.Environ(), "PROBE="+probe), env...)
	cmd.Stdin = strings.NewReader("hello\n")
	out, err := cmd.CombinedOutput()
	var failed *exec.ExitError
	if err != nil && !errors.As(err, &failed) {
		t.Fatal(err)
	}
	if cmd.ProcessState.ExitCode() == 9 && len(env) == 0 {
		if os.Getenv("LORIMER_E2E") == "1" {
			t.Fatalf("%s", out)
		}
		t.Skipf("%s", out)
	}
	return string(out), cmd.ProcessState.ExitCode()
}

func TestInsideThereIsLoopbackAlone(t *testing.T) {
	out, code := run(t, "network")
	want := "args: [one two] added: yes\nloopback: <nil>\noutside unreachable: true\nlast\n"
	if out != want || code != 7 {
		t.Errorf("exit %d, output:\n%s\nwant exit 7 and:\n%s", code, out, want)
	}
}

func TestStandardInputReachesTheSecondStart(t *testing.T) {
	if out, code := run(t, "stdin"); out != "read: hello\nlast\n" || code != 0 {
		t.Errorf("exit %d, output %q", code, out)
	}
}

func TestASignalBecomesTheShellsStatus(t *testing.T) {
	if _, code := run(t, "killed"); code != 128+9 {
		t.Errorf("exit %d", code)
	}
}

// A marker that was inherited by accident must not pass for a sandbox.
func TestTheMarkerAloneProvesNothing(t *testing.T) {
	if Sealed() == nil {
		t.Skip("this machine has no interface but loopback")
	}
	if out, code := run(t, "network", marker+"=1"); code != 9 || !strings.Contains(out, "not sealed") {
		t.Errorf("exit %d, output %q", code, out)
	}
}
