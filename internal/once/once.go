// Package once lets one of several processes serve an event that several hook configs started them for: a host may read its
// user's config and the project's, its own and another host's. The processes know nothing of each other, and get the same
// bytes on stdin.
//
// Nobody stands down for a config that is merely there: it may be broken, not trusted or not loaded. Instead each process
// claims the event. What is counted is how often each origin (a config, told by the command line that it holds) brought an
// event: the n-th sight of one origin pairs with the n-th of another, and the first of a pair runs. So two equal stops in a
// row, which one origin brings both, stay two; and an event that a single config brings is never lost.
//
// The counts lie in <state home>/claims, in 256 files by the first byte of the key. None of them is ever removed, because a
// lock on a file that somebody unlinks holds nobody off; old counts go when their file is written the next time. Whatever
// cannot be read counts as never seen.
package once

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"github.com/lorimer-dev/lorimer/internal/state"
)

// Expiry is how long after its last sight the counts of an event are forgotten.
const Expiry = 2 * time.Minute

// wait is how long a lock is waited for. It is held for some microseconds; who holds it for longer was stopped.
const wait = 2 * time.Second

// Key tells events apart: parts are what makes two processes serve the same one.
type Key [sha256.Size]byte

// NewKey returns the key of the parts, each taken as a whole.
func NewKey(parts ...[]byte) (k Key) {
	h := sha256.New()
	for _, p := range parts {
		fmt.Fprintf(h, "%d:", len(p))
		h.Write(p)
	}
	h.Sum(k[:0])
	return k
}

// First says whether the origin is the first to bring this occurrence of the event. When that cannot be known, the answer is
// true and the error says why: an event that is served twice is better than one that nobody serves.
func First(home, origin string, key Key) (bool, error) {
	first := true
	err := change(home, key, time.Now(), func(b *bucket) { first = b.sight(origin, key) })
	return first || err != nil, err
}

// Renew puts the expiry off, for an event that took the origin long to serve: a host that starts its hooks one after the other
// brings the other origins only now.
func Renew(home, origin string, key Key) error { return renew(home, origin, key, time.Now()) }

// renew counts the sight again where it was forgotten meanwhile; that of all origins was forgotten at once, so one is enough.
func renew(home, origin string, key Key, now time.Time) error {
	return change(home, key, now, func(b *bucket) {
		if !b.has(key) {
			b.sight(origin, key)
		}
	})
}

// change lets f work on the counts of a key, under the lock.
func change(home string, key Key, now time.Time, f func(*bucket)) error {
	if home == "" {
		return errors.New("there is no state home; set LORIMER_HOME")
	}
	return state.Edit(filepath.Join(home, "claims", hex.EncodeToString(key[:1])), wait, func(src []byte) []byte {
		b := parse(src, now)
		f(&b)
		b.touch(key, now)
		return b.bytes()
	})
}
