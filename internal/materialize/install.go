package materialize

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"

	"github.com/lorimer-dev/lorimer/internal/state"
)

// BundledDispatcher returns the dispatcher that came with the running lorimer: it lies beside it.
func BundledDispatcher() (string, error) {
	exe, err := os.Executable()
	if err != nil {
		return "", err
	}
	if exe, err = filepath.EvalSymlinks(exe); err != nil {
		return "", err
	}
	path := filepath.Join(filepath.Dir(exe), executable(DispatcherName, runtime.GOOS))
	if _, err := os.Stat(path); err != nil {
		return "", fmt.Errorf("%s is missing: it belongs beside lorimer, hooks start it; install lorimer anew", path)
	}
	return path, nil
}

// InstallDispatcher copies the dispatcher from bundled to the path that hooks name, when the two differ. It returns whether
// it did, or with dry whether it would.
func (o *Options) InstallDispatcher(bundled string, dry bool) (changed bool, err error) {
	info, err := os.Stat(o.Dispatcher())
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return false, err
	}
	runs := err == nil && (runtime.GOOS == "windows" || info.Mode().Perm()&0o100 != 0)
	same, err := sameBytes(bundled, o.Dispatcher())
	if err != nil || runs && same {
		return false, err
	}
	if dry {
		return true, nil
	}
	want, err := os.ReadFile(bundled)
	if err != nil {
		return false, err
	}
	return true, install(o.Dispatcher(), want)
}

// sameBytes says whether two files hold the same; one that is not there holds nothing. They are not read into memory whole: every
// command asks this of programs of some megabytes.
func sameBytes(a, b string) (bool, error) {
	x, err := os.Open(a)
	if err != nil {
		return false, err
	}
	defer x.Close()
	y, err := os.Open(b)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	defer y.Close()
	if i, err := x.Stat(); err == nil {
		if j, err := y.Stat(); err == nil && i.Size() != j.Size() {
			return false, nil
		}
	}
	p, q := make([]byte, 64<<10), make([]byte, 64<<10)
	for {
		n, errX := io.ReadFull(x, p)
		m, errY := io.ReadFull(y, q)
		if !bytes.Equal(p[:n], q[:m]) {
			return false, nil
		}
		if errX != nil || errY != nil {
			return ended(errX) && ended(errY), errors.Join(failure(errX), failure(errY))
		}
	}
}

func ended(err error) bool { return errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) }

func failure(err error) error {
	if ended(err) {
		return nil
	}
	return err
}

// install replaces the program in one step, also while hooks are starting it.
func install(path string, program []byte) error {
	next := fmt.Sprintf("%s.new-%d", path, os.Getpid())
	if err := state.Write(next, program); err != nil {
		return err
	}
	defer os.Remove(next) // gone already when all went well
	if err := os.Chmod(next, 0o755); err != nil {
		return err
	}
	if err := os.Rename(next, path); err == nil || runtime.GOOS != "windows" {
		return err
	}
	// Windows does not replace a program that runs, but lets it be renamed.
	aside := fmt.Sprintf("%s.old-%d", path, os.Getpid())
	if err := os.Rename(path, aside); err != nil {
		return err
	}
	err := os.Rename(next, path)
	os.Remove(aside) // fails while it runs; harmless
	return err
}
