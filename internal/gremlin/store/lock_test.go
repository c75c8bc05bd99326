//go:build linux

package store

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/lorimer-dev/lorimer/internal/platform"
)

func within(t *testing.T, limit time.Duration) context.Context {
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	t.Cleanup(cancel)
	return ctx
}

// stranger is a live process that is not ours to judge by anything but pid and birth.
func stranger(t *testing.T) Owner {
	t.Helper()
	cmd := exec.Command("sleep", "60")
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { cmd.Process.Kill(); cmd.Wait() })
	host, _ := os.Hostname()
	ctime, _ := platform.Current.Ctime(cmd.Process.Pid)
	return Owner{PID: cmd.Process.Pid, Ctime: ctime, Host: host, Boot: platform.Boot(), Nonce: "other"}
}

func TestALockIsTakenOverOnProofAlone(t *testing.T) {
	live := stranger(t)
	with := func(change func(*Owner)) Owner { o := live; change(&o); return o }
	for name, c := range map[string]struct {
		owner Owner
		taken bool
	}{
		"a live owner":            {live, false},
		"no such process":         {with(func(o *Owner) { o.PID = 1 << 30 }), true},
		"a pid used again":        {with(func(o *Owner) { o.Ctime-- }), true},
		"birth unknown":           {with(func(o *Owner) { o.Ctime = 0 }), false},
		"another boot":            {with(func(o *Owner) { o.Boot = "before" }), true},
		"another host":            {with(func(o *Owner) { o.Host, o.PID = "elsewhere", 1<<30 }), false},
		"a lock that says no pid": {with(func(o *Owner) { o.PID = 0 }), false},
	} {
		t.Run(name, func(t *testing.T) {
			d := Open(t.TempDir(), platform.Current)
			path := d.File("registry.lock")
			b, _ := json.Marshal(c.owner)
			os.WriteFile(path, b, 0o600)
			old := time.Now().Add(-1000 * time.Hour) // age is no proof
			os.Chtimes(path, old, old)
			l, err := d.Lock(within(t, 100*time.Millisecond), path)
			var held *HeldError
			switch {
			case c.taken && err != nil:
				t.Error(err)
			case c.taken:
				if err := l.Release(); err != nil {
					t.Error(err)
				}
			case !errors.As(err, &held) || held.Owner != c.owner || !strings.Contains(err.Error(), path):
				t.Errorf("%v", err)
			}
			if left, _ := filepath.Glob(path + ".*.dead"); len(left) > 0 {
				t.Error("the dead lock is still there", left)
			}
		})
	}
}

func TestALockWithoutWordsIsLeftAlone(t *testing.T) {
	d := Open(t.TempDir(), platform.Current)
	os.WriteFile(d.File("l"), nil, 0o600)
	_, err := d.Lock(within(t, 20*time.Millisecond), d.File("l"))
	if err == nil || !strings.Contains(err.Error(), "does not say by whom") {
		t.Error(err)
	}
}

func TestReleaseLeavesAnotherOnesLock(t *testing.T) {
	d := Open(t.TempDir(), platform.Current)
	l, err := d.Lock(within(t, time.Second), d.File("l"))
	if err != nil {
		t.Fatal(err)
	}
	b, _ := json.Marshal(stranger(t))
	os.WriteFile(d.File("l"), b, 0o600)
	if err := l.Release(); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(d.File("l")); err != nil {
		t.Error("it removed a lock that was not its own")
	}
}

// Many find the same dead lock at once: one at a time may hold it.
func TestADeadLockIsTakenOverOnce(t *testing.T) {
	d := Open(t.TempDir(), platform.Current)
	path, inside := d.File("l"), d.File("inside")
	dead := stranger(t)
	dead.Ctime--
	var all sync.WaitGroup
	for range 16 {
		all.Go(func() {
			for i := range 10 {
				l, err := d.Lock(within(t, 20*time.Second), path)
				if err != nil {
					t.Error(err)
					return
				}
				f, err := os.OpenFile(inside, os.O_CREATE|os.O_EXCL, 0o600)
				if err != nil {
					t.Error("two hold the lock:", err)
				}
				f.Close()
				os.Remove(inside)
				if i%3 == 0 { // die with it
					b, _ := json.Marshal(dead)
					os.WriteFile(path+".tmp"+l.nonce, b, 0o600)
					os.Rename(path+".tmp"+l.nonce, path)
				} else if err := l.Release(); err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
}

func TestAJudgedLockThatIsAnotherByNowGoesBack(t *testing.T) {
	d := Open(t.TempDir(), platform.Current)
	live := stranger(t)
	judged := live
	judged.Nonce = "judged"
	b, _ := json.Marshal(judged)
	os.WriteFile(d.File("l"), b, 0o600)
	d.Before = func(op, path string) error { // the moment between the second look and the move
		if op == "takeover" {
			b, _ := json.Marshal(live)
			return os.WriteFile(path, b, 0o600)
		}
		return nil
	}
	if err := d.takeAway(d.File("l"), judged); err != nil {
		t.Error(err)
	}
	if o, err := readOwner(d.File("l")); err != nil || o != live {
		t.Errorf("%+v, %v", o, err)
	}
}
