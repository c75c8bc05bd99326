package store

import (
	"errors"
	"io/fs"
	"os"
	"time"

	"github.com/gofrs/flock"
)

// takeAway removes a lock whose owner is dead. Between the judgement and the deed another process may have done the same, and
// a third may hold a new lock of that name by now. So those who take away go one at a time (the kernel frees that turn with
// its process), look again, and move the lock aside before they remove it: if it is not the judged one after all, it goes back.
func (d *Dir) takeAway(path string, judged Owner) error {
	turn := flock.New(path + ".takeover")
	if ok, err := turn.TryLock(); !ok || err != nil {
		time.Sleep(time.Millisecond)
		return err
	}
	defer turn.Unlock()
	now, err := readOwner(path)
	if err != nil || now.Nonce != judged.Nonce {
		return ignoreAbsent(err)
	}
	aside := path + "." + nonce() + ".dead"
	if err := d.before("takeover", path); err != nil {
		return err
	}
	if err := insist(func() error { return os.Rename(path, aside) }); err != nil {
		return ignoreAbsent(err)
	}
	if moved, err := readOwner(aside); err == nil && moved.Nonce != judged.Nonce {
		return d.Platform.RestoreNoReplace(aside, path)
	}
	return insist(func() error { return os.Remove(aside) })
}

func ignoreAbsent(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}
