package store

import (
	"os"
	"time"

	"github.com/lorimer-dev/lorimer/internal/platform"
)

// patience is how long a file may be kept busy by others: a reader has it open for a moment.
const patience = 2 * time.Second

// insist does again what failed because another process had the file open: Windows neither removes such a file nor puts another
// one in its place. A lock that was not removed for that would be held until its process ends.
func insist(f func() error) error { return insistWhile(platform.Busy, f) }

func insistWhile(busy func(error) bool, f func() error) (err error) {
	for end := time.Now().Add(patience); ; time.Sleep(2 * time.Millisecond) {
		if err = f(); err == nil || !busy(err) || time.Now().After(end) {
			return err
		}
	}
}

func readFile(path string) (b []byte, err error) {
	err = insist(func() error { b, err = os.ReadFile(path); return err })
	return b, err
}
