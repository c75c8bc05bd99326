package dispatch

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/lorimer-dev/lorimer/internal/verdict"
)

const (
	// maxOutput is how many bytes of each of a handler's streams are kept; the rest is read and thrown away, so that the
	// handler is not stopped by a full pipe.
	maxOutput = 16 << 20

	// grace is how long the streams of a handler that has ended may stay open. Something else holds them then.
	grace = 500 * time.Millisecond
)

// program is a handler as a process. Its method run starts it and waits for its end; it is written once for Unix and once for
// Windows, to the same contract:
//
//   - the process and all that it starts can be ended together, and are when the time is up, when the call is interrupted, or
//     when the process has ended but something that it started still holds a stream;
//   - what it does not read of stdin is no fault;
//   - the error says why there is no answer, and is errTimeout when the time was up.
type program struct {
	argv    []string
	line    string // for the shell, when argv is empty
	dir     string // absolute
	env     []string
	stdin   []byte
	timeout time.Duration

	// What is done while the process runs, before it is waited for; nil = nothing. It must be quick. On Windows it is not called:
	// there nobody can remove a file that is open.
	meanwhile func()
}

// ended is what a process left behind.
type ended struct {
	exit           int    // -1: a signal ended it
	how            string // the same in words
	stdout, stderr capture
}

// errTimeout is in the error of a program that was ended because its time was up.
var errTimeout = errors.New("no answer")

var errInterrupted = errors.New("ended, because the host ended lorimer-dispatch")

func (p program) timedOut() error {
	return fmt.Errorf("%w within %v, so it was ended", errTimeout, p.timeout.Round(time.Millisecond))
}

// path returns what is to be started: with a slash argv[0] is a path, and paths are relative to the clone; without one it is
// looked for on PATH.
func (p program) path() (string, error) {
	name := p.argv[0]
	if !strings.ContainsAny(name, "/"+string(filepath.Separator)) {
		return lookPath(name, p.env)
	}
	if filepath.IsAbs(name) {
		return name, nil
	}
	return filepath.Join(p.dir, name), nil
}

// lookPath looks for a program on the PATH of the environment that it will run in, which settings may have changed.
func lookPath(name string, env []string) (string, error) {
	path := os.Getenv("PATH")
	for _, entry := range slices.Backward(env) { // the last one holds
		if value, ok := strings.CutPrefix(entry, "PATH="); ok {
			if value == path {
				break
			}
			for _, dir := range filepath.SplitList(value) {
				if found, err := exec.LookPath(filepath.Join(dir, name)); err == nil && filepath.IsAbs(dir) {
					return found, nil
				}
			}
			return "", &exec.Error{Name: name, Err: exec.ErrNotFound}
		}
	}
	return exec.LookPath(name)
}

// startFault says what is wrong with a program that could not be started, and what to do.
func startFault(path string, err error) error {
	info, statErr := os.Stat(path)
	switch {
	case statErr == nil && info.IsDir():
		return fmt.Errorf("%s is a directory, not a program", path)
	case errors.Is(err, exec.ErrNotFound) && !filepath.IsAbs(path):
		return fmt.Errorf("%s; install it, or name it by its path", err)
	case errors.Is(err, fs.ErrNotExist) && statErr == nil:
		return fmt.Errorf("%s cannot be started: the interpreter in its first line does not exist", path)
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, exec.ErrNotFound):
		return fmt.Errorf("%s does not exist; correct its argv, or put it there", path)
	case errors.Is(err, fs.ErrPermission):
		return fmt.Errorf("%s is not executable; chmod +x it", path)
	case errors.Is(err, syscall.ENOEXEC):
		return fmt.Errorf("%s is neither a program nor a script with a #! line", path)
	}
	return fmt.Errorf("%s could not be started: %w", path, err)
}

// fault says why an end is no answer, or nil when it is one. A whole answer on stdout is one, however the program ended.
func (e ended) fault() error {
	if e.exit != 0 && e.exit != verdict.Blocked && !verdict.IsAnswer(e.stdout.String()) {
		if said := oneLine(e.stderr.String()); said != "" {
			return fmt.Errorf("%s, saying: %.300s", e.how, said)
		}
		return errors.New(e.how)
	}
	if e.exit == 0 && e.stdout.cut && bytes.HasPrefix(bytes.TrimSpace(e.stdout.kept), []byte("{")) {
		return fmt.Errorf("its answer is longer than %d MiB", maxOutput>>20)
	}
	return nil
}

// capture keeps the first maxOutput bytes of a stream.
type capture struct {
	kept []byte
	cut  bool // there was more
}

func (c *capture) String() string { return string(c.kept) }

// Write keeps what still fits and takes all.
func (c *capture) Write(b []byte) (int, error) {
	fits := min(len(b), maxOutput-len(c.kept))
	c.kept = append(c.kept, b[:fits]...)
	c.cut = c.cut || fits < len(b)
	return len(b), nil
}
