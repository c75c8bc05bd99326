package dispatch

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/lorimer-dev/lorimer/internal/state"
)

// notice is a line that holds for a whole session and is said at the session's first event alone.
type notice struct{ key, line string }

// note keeps a notice until the session is known, which is when the payload was read.
func (c *call) note(key, line string) { c.notices = append(c.notices, notice{key, line}) }

// speakNotices says what this session has not heard yet.
func (c *call) speakNotices() {
	for _, n := range c.notices {
		if c.firstInSession(n.key) {
			c.say(n.line)
		}
	}
	c.notices = nil
}

// firstInSession says whether nobody asked for the key in this session before; of several that ask at the same time one is the
// first. Where the session has no name, or nothing can be kept, everybody is: twice is better than never.
func (c *call) firstInSession(key string) bool {
	home, session := c.stateHome(), c.text("session_id")
	if home == "" || session == "" {
		return true
	}
	path := filepath.Join(state.SessionDir(home, session), "said-"+key)
	const flags = os.O_CREATE | os.O_EXCL | os.O_WRONLY
	f, err := os.OpenFile(path, flags, 0o600)
	if errors.Is(err, fs.ErrNotExist) && os.MkdirAll(filepath.Dir(path), 0o700) == nil {
		f, err = os.OpenFile(path, flags, 0o600)
	}
	if err == nil {
		f.Close()
	}
	return !errors.Is(err, fs.ErrExist)
}
