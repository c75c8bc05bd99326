package dispatch

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"
)

func notTold() bool { return false }

// The contract of program.run, with what every Windows has.
func TestProgramOnWindows(t *testing.T) {
	dir := os.TempDir()
	run := func(t *testing.T, line string, stdin string, timeout time.Duration) (ended, error) {
		t.Helper()
		begin := time.Now()
		end, err := program{line: line, dir: dir, env: os.Environ(), stdin: []byte(stdin), timeout: timeout}.run(notTold)
		if d := time.Since(begin); d > timeout+5*time.Second {
			t.Errorf("took %v", d)
		}
		return end, err
	}
	t.Run("streams and exit code", func(t *testing.T) {
		end, err := run(t, `echo "out" & echo err>&2 & exit 2`, "", 30*time.Second)
		if err != nil || end.exit != 2 || !strings.Contains(end.stdout.String(), `"out"`) || !strings.Contains(end.stderr.String(), "err") {
			t.Errorf("%+v, %v", end, err)
		}
	})
	t.Run("a payload that nobody reads", func(t *testing.T) {
		end, err := run(t, `exit 0`, strings.Repeat("x", 4<<20), 30*time.Second)
		if err != nil || end.exit != 0 {
			t.Errorf("exit %d, %v", end.exit, err)
		}
	})
	t.Run("time is up", func(t *testing.T) {
		_, err := run(t, `ping -n 60 127.0.0.1 >nul`, "", 500*time.Millisecond)
		if !errors.Is(err, errTimeout) {
			t.Errorf("got %v", err)
		}
	})
	t.Run("a grandchild that holds the streams", func(t *testing.T) {
		begin := time.Now()
		end, err := run(t, `start /b ping -n 60 127.0.0.1 & exit 2`, "", 30*time.Second)
		if d := time.Since(begin); err != nil || end.exit != 2 || d > 5*time.Second {
			t.Errorf("%v, exit %d, after %v", err, end.exit, d)
		}
	})
	t.Run("a program by its path", func(t *testing.T) {
		cmd := os.Getenv("ComSpec")
		end, err := program{argv: []string{cmd, "/c", "exit 2"}, dir: dir, env: os.Environ(), timeout: 30 * time.Second}.run(notTold)
		if err != nil || end.exit != 2 {
			t.Errorf("exit %d, %v", end.exit, err)
		}
		_, err = program{argv: []string{"./absent"}, dir: dir, env: os.Environ(), timeout: 30 * time.Second}.run(notTold)
		if err == nil || !strings.Contains(fmt.Sprint(err), "does not exist") {
			t.Errorf("got %v", err)
		}
	})
}
