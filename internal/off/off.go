// Package off is `lorimer off` and `lorimer on`: a clone's hooks, or one handler, switched off by the user for a while.
//
// What is off stands in the user's state home, one file a clone, and there is none while nothing is off: the dispatcher pays
// one failed open for the question. A clone cannot bring the file along, and a file that cannot be read switches nothing off.
package off

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/lorimer-dev/lorimer/internal/fastfile"
	"github.com/lorimer-dev/lorimer/internal/state"
)

// Entry is one thing that is off.
type Entry struct {
	Handler string    `json:"handler,omitempty"` // empty = all of the clone
	Since   time.Time `json:"since"`
	Until   time.Time `json:"until,omitzero"` // zero = until it is switched on
}

// Holds says whether the entry is in force.
func (e Entry) Holds(now time.Time) bool { return e.Until.IsZero() || now.Before(e.Until) }

// String says what is off and until when, for a person.
func (e Entry) String() string {
	until := strings.TrimSpace("lorimer on " + e.Handler)
	if e.Until.IsZero() {
		return fmt.Sprintf("%s off until `%s`", e.what(), until)
	}
	return fmt.Sprintf("%s off until %s, or until `%s`", e.what(), e.Until.Local().Format("2006-01-02 15:04:05"), until)
}

func (e Entry) what() string {
	if e.Handler == "" {
		return "all hooks"
	}
	return "handler " + e.Handler
}

type file struct {
	Root string  `json:"root"`
	Off  []Entry `json:"off"`
}

// Read returns what is off in a clone now. root must be absolute, its links resolved.
func Read(home, root string, now time.Time) []Entry {
	src, err := fastfile.Read(path(home, root))
	if err != nil {
		return nil
	}
	var f file
	if json.Unmarshal(src, &f) != nil || f.Root != root {
		return nil
	}
	return slices.DeleteFunc(f.Off, func(e Entry) bool { return !e.Holds(now) })
}

// Find returns the entry that switches a handler off.
func Find(list []Entry, handler string) (Entry, bool) {
	for _, e := range list {
		if e.Handler == "" || e.Handler == handler {
			return e, true
		}
	}
	return Entry{}, false
}

// Forget switches on what is off in a clone, without a trace: the clone is to be forgotten. One of which nothing is off is no
// error.
func Forget(home, root string) error { return write(home, root, nil) }

// with is a list in which the entry replaces that of the same handler.
func with(list []Entry, e Entry) []Entry {
	return append(slices.DeleteFunc(list, func(x Entry) bool { return x.Handler == e.Handler }), e)
}

// without divides a list: what a handler, or with "" everything, is off by, and the rest.
func without(list []Entry, handler string) (was, rest []Entry) {
	for _, e := range list {
		if handler == "" || e.Handler == handler {
			was = append(was, e)
		} else {
			rest = append(rest, e)
		}
	}
	return was, rest
}

// put switches off by an entry, and leaves a trace.
func put(home, root string, e Entry) error {
	if err := write(home, root, with(Read(home, root, e.Since), e)); err != nil {
		return err
	}
	return receipt(home, root, act{Time: e.Since, Did: "off", Handler: e.Handler, Until: e.Until})
}

// drop switches a handler on, or with "" everything, and leaves a trace if something was off.
func drop(home, root, handler string, now time.Time) error {
	was, rest := without(Read(home, root, now), handler)
	if err := write(home, root, rest); err != nil || len(was) == 0 {
		return err
	}
	return receipt(home, root, act{Time: now, Did: "on", Handler: handler})
}

func write(home, root string, list []Entry) error {
	if len(list) == 0 {
		if err := os.Remove(path(home, root)); !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		return nil
	}
	src, err := json.Marshal(file{Root: root, Off: list})
	if err != nil {
		return err
	}
	return state.Write(path(home, root), append(src, '\n'))
}

func path(home, root string) string { return filepath.Join(home, "off", state.CloneName(root)+".json") }

// act is one line of what was switched, kept after the switch is back.
type act struct {
	Time    time.Time `json:"time"`
	Did     string    `json:"did"` // off | on
	Handler string    `json:"handler,omitempty"`
	Until   time.Time `json:"until,omitzero"`
}

// MaxActs is the size in bytes at which the list of what was switched is put aside as off.jsonl.1 and begun anew.
const MaxActs = 64 << 10

// receipt leaves a line beside the clone's other receipts.
func receipt(home, root string, a act) error {
	path := filepath.Join(home, "receipts", state.CloneName(root), "off.jsonl")
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	if info, err := os.Stat(path); err == nil && info.Size() > MaxActs {
		_ = os.Rename(path, path+".1") // it stays too long, or is moved twice: lines of long ago
	}
	f, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	defer f.Close()
	line, err := json.Marshal(a)
	if err != nil {
		return err
	}
	_, err = f.Write(append(line, '\n'))
	return err
}
