package state

import (
	"cmp"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// What is kept of sessions. A session has no end that everybody tells us of, so it counts as over when nothing of it changed
// for long; there may be many agents on a machine, so beyond a number the oldest go sooner, yet none that may still be open in
// some terminal over a week's leave.
const (
	SessionAge   = 30 * 24 * time.Hour // without a change: it is forgotten
	SessionGrace = 7 * 24 * time.Hour  // without a change: it is forgotten when there are more than MaxSessions
	MaxSessions  = 1000

	sweepEach = 24 * time.Hour // how often there is a look
)

// gone marks a directory that is on its way out; no session's is called so, see FileName.
const gone = ".gone-"

// Sweep forgets the sessions that are over, at most once a day, and one process at a time. look bounds how many sessions are
// looked at; 0 = all. It returns how many were forgotten. What cannot be removed stays until the next time.
func Sweep(home string, now time.Time, look int) (forgotten int) {
	marker := filepath.Join(home, "swept")
	if home == "" || sweptSince(marker, now) {
		return 0
	}
	file, err := openForEdit(marker)
	if err != nil {
		return 0
	}
	defer file.Close()
	if lock(file) != nil || sweptSince(marker, now) && !isFresh(file) {
		return 0 // somebody is at it, or just was
	}
	if _, err := file.WriteAt([]byte(now.UTC().Format(time.RFC3339)+"\n"), 0); err != nil || os.Chtimes(marker, now, now) != nil {
		return 0 // without a mark there would be a look at every session's begin and end
	}
	dir := filepath.Join(home, "sessions")
	for _, s := range over(dir, now, look) {
		if forget(dir, s) {
			forgotten++
		}
	}
	return forgotten
}

func sweptSince(marker string, now time.Time) bool {
	info, err := os.Stat(marker)
	return err == nil && now.Sub(info.ModTime()).Abs() < sweepEach
}

// isFresh says whether nobody ever wrote to the file: then it was made by the one who asks.
func isFresh(file *os.File) bool {
	info, err := file.Stat()
	return err == nil && info.Size() == 0
}

// session is the directory of one, with the time of its last change.
type session struct {
	name   string
	change time.Time
}

// over returns the sessions that are to be forgotten. Of many, those that are looked at differ from day to day.
func over(dir string, now time.Time, look int) (list []session) {
	entries, _ := os.ReadDir(dir) // none yet: nothing is over
	total := len(entries)
	if look > 0 && total > look {
		from := int(now.Unix()/int64(sweepEach.Seconds())) * look % total
		entries = append(entries[from:], entries[:from]...)[:look]
	}
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), gone) { // somebody was ended while removing it
			_ = os.RemoveAll(filepath.Join(dir, e.Name()))
		} else if e.IsDir() {
			list = append(list, session{e.Name(), lastChange(filepath.Join(dir, e.Name()))})
		}
	}
	slices.SortFunc(list, func(a, b session) int { return cmp.Compare(a.change.UnixNano(), b.change.UnixNano()) })
	excess := total - MaxSessions
	for i, s := range list { // the oldest first
		if age := now.Sub(s.change); age < SessionGrace || age < SessionAge && i >= excess {
			return list[:i]
		}
	}
	return list
}

// lastChange is the newest of the times of all that is in a directory, and its own. What cannot be looked at is new.
func lastChange(dir string) (newest time.Time) {
	err := filepath.WalkDir(dir, func(_ string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err == nil && info.ModTime().After(newest) {
			newest = info.ModTime()
		}
		return err
	})
	if err != nil {
		return time.Now()
	}
	return newest
}

// forget takes a session's directory out of the way in one step, so that a session which comes back in this moment finds none,
// and looks once more before it is removed: then nothing of it changed since it was found to be over.
func forget(dir string, s session) bool {
	from, to := filepath.Join(dir, s.name), filepath.Join(dir, gone+s.name)
	if os.Rename(from, to) != nil {
		return false
	}
	if lastChange(to).After(s.change) && os.Rename(to, from) == nil {
		return false
	}
	return os.RemoveAll(to) == nil
}
