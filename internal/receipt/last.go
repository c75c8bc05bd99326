package receipt

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/lorimer-dev/lorimer/internal/fastfile"
	"github.com/lorimer-dev/lorimer/internal/harness"
)

// MaxLast is the size in bytes at which the list of dispatches is put aside as last.jsonl.1 and begun anew.
const MaxLast = 256 << 10

// Dispatch is one event as the dispatcher served it.
type Dispatch struct {
	Time     time.Time `json:"time"` // when it began
	Harness  string    `json:"harness"`
	Event    string    `json:"event"`
	Root     string    `json:"root,omitempty"` // of the clone; empty when there was none
	Session  string    `json:"session,omitempty"`
	Tool     string    `json:"tool,omitempty"`
	Verdict  string    `json:"verdict"` // allowed | blocked | asked | off | failed
	Why      string    `json:"why,omitempty"`
	Millis   float64   `json:"ms"`
	Handlers []Handler `json:"handlers"` // that were run, in the order in which their answers count
	Head     string    `json:"payload"`  // its first bytes
}

// Handler is what one handler said.
type Handler struct {
	Name    string  `json:"name"`
	Verdict string  `json:"verdict"` // allowed | blocked | asked | failed
	Millis  float64 `json:"ms"`
}

// List is the list of dispatches, opened: what can be done before one has ended.
type List struct{ file *os.File }

// OpenList opens the list of the last dispatches, for Note. It begins a new one when it has grown big; this dispatch still goes
// into the old one.
func OpenList(home string) (*List, error) {
	path := lastFile(home)
	f, err := fastfile.Open(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return nil, err
	}
	if info, err := f.Stat(); err == nil && info.Size() > MaxLast {
		_ = os.Rename(path, path+".1")
	}
	return &List{f}, nil
}

// Note appends a dispatch and closes the list. It is one write: lines of processes that run at the same time do not mix.
func (l *List) Note(d Dispatch) error {
	_, err := l.file.Write(append(d.bytes(), '\n'))
	return errors.Join(err, l.file.Close())
}

// bytes is the JSON that encoding/json would make of it, see parse.
func (d Dispatch) bytes() []byte {
	var p harness.Payload
	optional := func(key, value string) {
		if value != "" {
			p.String(key, value)
		}
	}
	p.String("time", d.Time.Format(time.RFC3339Nano))
	p.String("harness", d.Harness)
	p.String("event", d.Event)
	optional("root", d.Root)
	optional("session", d.Session)
	optional("tool", d.Tool)
	p.String("verdict", d.Verdict)
	optional("why", d.Why)
	p.Raw("ms", float(d.Millis))
	rows := make([]string, len(d.Handlers))
	for i, h := range d.Handlers {
		var row harness.Payload
		row.String("name", h.Name)
		row.String("verdict", h.Verdict)
		row.Raw("ms", float(h.Millis))
		rows[i] = string(row.Bytes())
	}
	p.Raw("handlers", "["+strings.Join(rows, ",")+"]")
	p.String("payload", d.Head)
	return p.Bytes()
}

func float(f float64) string { return strconv.FormatFloat(f, 'f', -1, 64) }

// Last returns the last n dispatches, the newest last.
func Last(home string, n int) (all []Dispatch) {
	for _, path := range []string{lastFile(home) + ".1", lastFile(home)} {
		src, err := os.ReadFile(path)
		if err != nil {
			continue
		}
		lines := bufio.NewScanner(bytes.NewReader(src))
		lines.Buffer(nil, len(src)+1)
		for lines.Scan() {
			var d Dispatch
			if json.Unmarshal(lines.Bytes(), &d) == nil {
				all = append(all, d)
			}
		}
	}
	return slices.Clip(all[max(0, len(all)-n):])
}

func lastFile(home string) string { return filepath.Join(home, "last.jsonl") }
