package store

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"

	"github.com/lorimer-dev/lorimer/internal/platform"
)

// Owner is who holds a lock: a process by pid and creation time, on one boot of one host.
type Owner struct {
	PID   int            `json:"pid"`
	Ctime platform.Ctime `json:"ctime"`
	Host  string         `json:"host"`
	Boot  string         `json:"boot,omitempty"` // where the system counts creation times from boot
	Nonce string         `json:"nonce"`
}

// HeldError says that a lock could not be had in time.
type HeldError struct {
	Path  string
	Owner Owner // zero when the lock does not say
}

func (e *HeldError) Error() string {
	if e.Owner.PID == 0 {
		return fmt.Sprintf("%s is locked, and does not say by whom; if no command runs, remove it", e.Path)
	}
	return fmt.Sprintf("%s is locked by process %d on %s; wait for it, or end it", e.Path, e.Owner.PID, e.Owner.Host)
}

// Lock is a lock that we hold.
type Lock struct {
	dir   *Dir
	path  string
	nonce string
}

// Lock takes the lock file path, and waits for it until ctx ends; then the error is a [*HeldError]. A lock is taken over when
// its owner is proven dead, however young; while that is not proven it stays, however old.
func (d *Dir) Lock(ctx context.Context, path string) (*Lock, error) {
	l := &Lock{dir: d, path: path, nonce: nonce()}
	claim, err := l.prepare()
	if err != nil {
		return nil, err
	}
	defer os.Remove(claim)
	for pause := time.Millisecond; ; pause = min(2*pause, 50*time.Millisecond) {
		if err := d.before("lock", path); err != nil {
			return nil, err
		}
		if err := insist(func() error { return d.Platform.RestoreNoReplace(claim, path) }); err == nil {
			return l, nil
		} else if !errors.Is(err, fs.ErrExist) {
			return nil, err
		}
		owner, err := readOwner(path)
		if err == nil && d.dead(owner) {
			if err := d.takeAway(path, owner); err != nil {
				return nil, err
			}
			continue
		}
		select {
		case <-ctx.Done():
			return nil, &HeldError{Path: path, Owner: owner}
		case <-time.After(pause):
		}
	}
}

// prepare writes the lock's text to a file that only has to be given the lock's name: so a crash leaves no lock without an
// owner.
func (l *Lock) prepare() (claim string, err error) {
	b, err := json.Marshal(l.dir.self(l.nonce))
	if err != nil {
		return "", err
	}
	return l.dir.aside(l.path, append(b, '\n'))
}

// Release gives the lock back. A lock that is not ours any more is left alone.
func (l *Lock) Release() error {
	owner, err := readOwner(l.path)
	if err != nil || owner.Nonce != l.nonce {
		return err
	}
	return insist(func() error { return os.Remove(l.path) })
}

func (d *Dir) self(nonce string) Owner {
	host, _ := os.Hostname()
	ctime, _ := d.Platform.Ctime(os.Getpid())
	return Owner{PID: os.Getpid(), Ctime: ctime, Host: host, Boot: platform.Boot(), Nonce: nonce}
}

// dead is true when it is proven. An owner on another host may live.
func (d *Dir) dead(o Owner) bool {
	host, err := os.Hostname()
	switch {
	case err != nil || o.Host != host || o.PID <= 0:
		return false
	case o.Boot != platform.Boot():
		return true
	}
	return !d.Platform.Alive(o.PID, o.Ctime)
}

func readOwner(path string) (o Owner, err error) {
	b, err := readFile(path)
	if err != nil {
		return o, err
	}
	return o, json.Unmarshal(b, &o)
}

func nonce() string {
	var b [8]byte
	rand.Read(b[:])
	return hex.EncodeToString(b[:])
}
