//go:build linux

package store

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/lorimer-dev/lorimer/internal/platform"
)

// The test binary is also the process that dies at its n-th change of the disk, and the one of twenty that count.
func TestMain(m *testing.M) {
	switch dir := os.Getenv("STORE_TEST_DIR"); os.Getenv("STORE_TEST_ROLE") {
	case "die":
		n, _ := strconv.Atoi(os.Getenv("STORE_TEST_STEP"))
		d := Open(dir, platform.Current)
		d.Before = func(op, path string) error {
			if n--; n < 0 {
				syscall.Kill(os.Getpid(), syscall.SIGKILL)
			}
			return nil
		}
		if err := transaction(d); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	case "count":
		d := Open(dir, platform.Current)
		for range 10 {
			if err := transaction(d); err != nil {
				fmt.Fprintln(os.Stderr, err)
				os.Exit(1)
			}
		}
	default:
		os.Exit(m.Run())
	}
}

type counter struct{ N int }

// transaction is what every command does: lock, read, change, write, tell the ledger, unlock.
func transaction(d *Dir) error {
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	l, err := d.Lock(ctx, d.File("registry.lock"))
	if err != nil {
		return err
	}
	var c counter
	if err := ReadJSON(d.File("registry.json"), &c); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	c.N++
	if err := d.WriteJSON(d.File("registry.json"), c); err != nil {
		return err
	}
	if _, err := d.Append(d.File("ledger.jsonl"), c); err != nil {
		return err
	}
	return l.Release()
}

func child(dir, role string, step int) *exec.Cmd {
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), "STORE_TEST_DIR="+dir, "STORE_TEST_ROLE="+role, "STORE_TEST_STEP="+strconv.Itoa(step))
	cmd.Stderr = os.Stderr
	return cmd
}

func count(t *testing.T, dir string) int {
	t.Helper()
	var c counter
	if err := ReadJSON(filepath.Join(dir, "registry.json"), &c); err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	return c.N
}

func ledger(t *testing.T, path string) (lines []string, torn string) {
	t.Helper()
	rest, err := Lines(path, func(line []byte) error {
		if !json.Valid(line) {
			t.Errorf("a broken line: %s", line)
		}
		lines = append(lines, string(line))
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return lines, string(rest)
}

func TestKilledAtAnyStepTheStateIsOldOrNewAndTheNextGoesOn(t *testing.T) {
	died := 0
	for step := 0; ; step++ {
		dir := t.TempDir()
		if err := transaction(Open(dir, platform.Current)); err != nil {
			t.Fatal(err)
		}
		err := child(dir, "die", step).Run()
		if n := count(t, dir); n != 1 && n != 2 {
			t.Fatalf("step %d: the count is %d", step, n)
		}
		before := count(t, dir)
		if err := transaction(Open(dir, platform.Current)); err != nil {
			t.Fatalf("after step %d: %v", step, err)
		}
		if n := count(t, dir); n != before+1 {
			t.Errorf("step %d: %d became %d", step, before, n)
		}
		if _, torn := ledger(t, filepath.Join(dir, "ledger.jsonl")); torn != "" {
			t.Errorf("step %d: a torn line %q", step, torn)
		}
		if err == nil {
			break // it got through
		}
		died++
	}
	if died < 6 {
		t.Errorf("it died at %d steps only", died)
	}
}

func TestTwentyCommandsLoseNothing(t *testing.T) {
	dir := t.TempDir()
	var all []*exec.Cmd
	for range 20 {
		cmd := child(dir, "count", 0)
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		all = append(all, cmd)
	}
	for _, cmd := range all {
		if err := cmd.Wait(); err != nil {
			t.Error(err)
		}
	}
	lines, _ := ledger(t, filepath.Join(dir, "ledger.jsonl"))
	if n := count(t, dir); n != 200 || len(lines) != 200 {
		t.Errorf("count %d, %d lines; want 200", n, len(lines))
	}
	for i, line := range lines {
		if line != fmt.Sprintf(`{"N":%d}`, i+1) {
			t.Fatalf("line %d is %s", i+1, line)
		}
	}
	left, _ := filepath.Glob(filepath.Join(dir, ".*"))
	if len(left) > 0 {
		t.Errorf("left over: %v", left)
	}
}

func TestDocumentsAreReadableAndPlain(t *testing.T) {
	d := Open(t.TempDir(), platform.Current)
	if err := d.WriteJSON(d.File("a"), map[string]string{"k": "<&>"}); err != nil {
		t.Fatal(err)
	}
	b, _ := os.ReadFile(d.File("a"))
	if string(b) != "{\n  \"k\": \"<&>\"\n}\n" {
		t.Errorf("%q", b)
	}
	os.WriteFile(d.File("bad"), []byte("{"), 0o600)
	if err := ReadJSON(d.File("bad"), &counter{}); err == nil || !strings.Contains(err.Error(), "bad is not the JSON that we write there") {
		t.Error(err)
	}
}

// A full disk, a read-only one: whatever fails, the old file stays, and nothing is left beside it.
func TestWhatFailsLeavesTheOld(t *testing.T) {
	for _, op := range []string{"create", "write", "rename"} {
		d := Open(t.TempDir(), platform.Current)
		if err := d.Write(d.File("a"), []byte("old")); err != nil {
			t.Fatal(err)
		}
		d.Before = func(o, path string) error {
			if o == op {
				return &fs.PathError{Op: o, Path: path, Err: syscall.ENOSPC}
			}
			return nil
		}
		if err := d.Write(d.File("a"), []byte("new")); !errors.Is(err, syscall.ENOSPC) || !strings.Contains(err.Error(), d.File("a")) {
			t.Errorf("%s: %v", op, err)
		}
		if b, _ := os.ReadFile(d.File("a")); string(b) != "old" {
			t.Errorf("%s: %q", op, b)
		}
		if names, _ := os.ReadDir(d.Path); len(names) != 1 {
			t.Errorf("%s: left over: %v", op, names)
		}
	}
}
