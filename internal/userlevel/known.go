package userlevel

import (
	"maps"
	"os"
	"sync"
	"time"
)

// known is what this process knows of all clones' needs, so that a run over a thousand clones does not look at a thousand files
// for each of them. It holds as long as nobody else wrote: a file that comes, goes or is replaced changes its directory's time.
//
// A kernel's clock ticks every few milliseconds, and two writers within a tick leave the same time. So who writes sets the time
// to the nanosecond, and a time that nobody of us set is believed only when it is old enough to be past its tick.
type known struct {
	mu      sync.Mutex
	dir     string
	changed time.Time
	exact   time.Time        // that we set last; zero = none that a file system would keep
	clones  map[string]clone // by their file
	need    map[need]int     // how many clones need it
}

type need struct{ harness, event string }

// settled is how old the time of a directory is that has no other one to come. It allows for file systems that count in seconds.
const settled = 3 * time.Second

// now is what all clones need, as it is at this moment.
var now known

// changed is the time of a directory; false when it cannot be looked at.
func changed(dir string) (time.Time, bool) {
	info, err := os.Stat(dir)
	if err != nil {
		return time.Time{}, false
	}
	return info.ModTime(), true
}

// holds says whether nobody wrote since. The caller has the lock.
func (k *known) holds(dir string) bool {
	t, ok := changed(dir)
	return ok && k.clones != nil && k.dir == dir && t.Equal(k.changed)
}

// keep notes what stands in the directory, when it was read at a time at which it had not just been written.
func (k *known) keep(dir string, at time.Time, clones map[string]clone) {
	k.clones, k.need = nil, map[need]int{}
	if time.Since(at) < settled && !at.Equal(k.exact) {
		return
	}
	k.dir, k.changed, k.clones = dir, at, maps.Clone(clones)
	for _, c := range clones {
		k.count(c, 1)
	}
}

func (k *known) count(c clone, n int) {
	for id, x := range c.Needs {
		for _, e := range x.Events {
			k.need[need{id, string(e)}] += n
		}
	}
}

// wrote notes what this process is about to write by write: the clone's file, or with nothing needed, that there is none.
func (k *known) wrote(dir, file string, c clone, write func() error) error {
	k.mu.Lock()
	defer k.mu.Unlock()
	held := k.holds(dir)
	if err := write(); err != nil {
		k.clones = nil
		return err
	}
	exact := time.Now()
	t, ok := time.Time{}, os.Chtimes(dir, exact, exact) == nil
	if ok {
		t, ok = changed(dir)
	}
	if k.exact = t; !ok || t.Nanosecond()%int(time.Millisecond) == 0 { // a file system that does not count so finely
		k.exact = time.Time{}
	}
	if !held || k.exact.IsZero() {
		k.clones = nil
		return nil
	}
	k.count(k.clones[file], -1)
	delete(k.clones, file)
	if len(c.Needs) > 0 {
		k.clones[file] = c
		k.count(c, 1)
	}
	k.changed = t
	return nil
}

// others returns the clones that need something which nobody in all needs, but for the one of a file; false when it has to be read
// anew.
func (k *known) others(dir, except string, all union) (rest []clone, ok bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if !k.holds(dir) {
		return nil, false
	}
	own := k.clones[except]
	k.count(own, -1)
	defer k.count(own, 1)
	for n, clones := range k.need {
		if clones > 0 && !all.needs(n.harness, n.event) {
			for file, c := range k.clones {
				if file != except {
					rest = append(rest, c)
				}
			}
			return rest, true
		}
	}
	return nil, true
}
