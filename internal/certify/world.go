package certify

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"time"
)

// versionLimit is the time that a program has to tell its version. The slowest takes a second and a half.
const versionLimit = 30 * time.Second

// maxOutput is what is kept of each stream of a program, in bytes. What comes behind it is read and dropped.
const maxOutput = 64 << 10

// World returns the effects on the machine itself. i installs what is missing.
func World(i Installer) Effects {
	return Effects{
		Exists:  func(path string) bool { _, err := os.Stat(path); return err == nil },
		Mkdir:   func(path string) error { return os.MkdirAll(path, 0o700) },
		Read:    os.ReadFile,
		Resolve: filepath.EvalSymlinks,
		Hold:    i.hold,
		Install: i.install,
		Exec:    func(ctx context.Context, r Run) (Output, error) { return execute(ctx, r, versionLimit) },
	}
}

// execute runs a program to its end, or for a time; what it started goes with it.
func execute(ctx context.Context, r Run, limit time.Duration) (Output, error) {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	var stdout, stderr bounded
	cmd := exec.CommandContext(ctx, r.Argv[0], r.Argv[1:]...)
	cmd.Dir, cmd.Stdout, cmd.Stderr = r.Dir, &stdout, &stderr
	cmd.Env = append(systemVariables(), r.Env...)
	cmd.WaitDelay = time.Second
	endsWhole(cmd)
	err := cmd.Run()
	out := Output{Stdout: stdout.String(), Stderr: stderr.String()}
	var failed *exec.ExitError
	switch {
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		return out, fmt.Errorf("%s did not end within %v", r.Argv[0], limit)
	case errors.As(err, &failed):
		out.Exit = failed.ExitCode()
		return out, nil
	case errors.Is(err, exec.ErrWaitDelay): // it ended, and left something behind that holds its output
		return out, nil
	}
	return out, err
}

// systemVariables are those without which programs do not run well; they say nothing of the user.
func systemVariables() (all []string) {
	names := []string{"PATH", "LANG", "LC_ALL", "TMPDIR"}
	if runtime.GOOS == "windows" {
		names = append(names, "SYSTEMROOT", "TEMP", "TMP", "PATHEXT")
	}
	for _, name := range names {
		if value, ok := os.LookupEnv(name); ok {
			all = append(all, name+"="+value)
		}
	}
	return all
}

// bounded keeps the first bytes of a stream.
type bounded struct{ kept []byte }

func (b *bounded) Write(p []byte) (int, error) {
	b.kept = append(b.kept, p[:min(len(p), maxOutput-len(b.kept))]...)
	return len(p), nil
}

func (b *bounded) String() string { return string(b.kept) }
