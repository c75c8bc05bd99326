package state

import (
	"os"
	"path/filepath"
	"strings"
	"time"
)

// MaxLog is the size in bytes at which the log is put aside as log.1 and begun anew.
const MaxLog = 1 << 20

// Log appends one line, with the time before it, to <home>/log. A log that cannot be written is no reason to fail anything,
// so it returns nothing: every loud line has gone to its own channel as well.
func Log(home, line string) {
	if home == "" || os.MkdirAll(home, 0o700) != nil {
		return
	}
	path := filepath.Join(home, "log")
	if info, err := os.Stat(path); err == nil && info.Size() > MaxLog {
		_ = os.Rename(path, path+".1") // two at once: the second moves a fresh log, at worst some lines early
	}
	f, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return
	}
	defer f.Close()
	line = strings.ReplaceAll(strings.TrimRight(line, "\n"), "\n", `\n`)
	// One write: lines of processes that run at the same time do not mix.
	_, _ = f.WriteString(time.Now().UTC().Format(time.RFC3339) + " " + line + "\n")
}
