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
	src, err := os.ReadFile(path(home, root))
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

// put replaces the entry of the same handler.
func put(home, root string, e Entry) error {
	list := slices.DeleteFunc(Read(home, root, e.Since), func(x Entry) bool { return x.Handler == e.Handler })
	if err := write(home, root, append(list, e)); err != nil {
		return err
	}
	return receipt(home, root, act{Time: e.Since, Did: "off", Handler: e.Handler, Until: e.Until})
}

// drop switches a handler on, or with "" everything, and returns what was off.
func drop(home, root, handler string, now time.Time) (was []Entry, err error) {
	var rest []Entry
	for _, e := range Read(home, root, now) {
		if handler == "" || e.Handler == handler {
			was = append(was, e)
		} else {
			rest = append(rest, e)
		}
	}
	if err := write(home, root, rest); err != nil || len(was) == 0 {
		return was, err
	}
	return was, receipt(home, root, act{Time: now, Did: "on", Handler: handler})
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

// receipt leaves a line beside the clone's other receipts.
func receipt(home, root string, a act) error {
	dir := filepath.Join(home, "receipts", state.CloneName(root))
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	f, err := os.OpenFile(filepath.Join(dir, "off.jsonl"), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
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
