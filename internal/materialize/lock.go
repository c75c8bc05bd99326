package materialize

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/gofrs/flock"

	"github.com/lorimer-dev/lorimer/internal/owned"
)

// lockWait is how long a run waits for another one on the same clone.
const lockWait = 30 * time.Second

// lock keeps other runs away from the clone. The file lies in the state home, not in the clone: a clone may be read-only,
// and taking the lock must leave no trace in it.
func (o Options) lock(root string) (unlock func(), err error) {
	locks := filepath.Join(o.Home, "locks")
	if err := os.MkdirAll(locks, 0o700); err != nil {
		return nil, fmt.Errorf("the state home cannot be written: %w; set LORIMER_HOME to a directory of your own", err)
	}
	path := filepath.Join(locks, owned.Hash([]byte(root))[:32]+".lock")
	l := flock.New(path, flock.SetPermissions(0o600))
	ctx, cancel := context.WithTimeout(context.Background(), lockWait)
	defer cancel()
	if ok, err := l.TryLockContext(ctx, 20*time.Millisecond); !ok {
		return nil, fmt.Errorf("%s: another lorimer is at work on this clone since %s; wait for it to end (lock %s: %v)",
			root, lockWait, path, err)
	}
	return func() { _ = l.Unlock() }, nil
}
