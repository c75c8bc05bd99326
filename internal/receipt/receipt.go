// Package receipt is the proof that hooks run: settings are a claim. For each clone, harness and handler there is one small
// file in the state home that says when the handler ran last, how often, how often it blocked and what it cost; and there is
// one bounded list of the last dispatches (last.go). Receipts hold no content; the list holds the head of each payload.
//
// All of it is written by the dispatcher once its answer is known, while the host waits for the process to end, so it is
// bounded: beside a receipt that is locked by somebody else for some milliseconds a line is left (owed.go). What cannot be read
// counts as none.
package receipt

import (
	"bytes"
	"cmp"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/tidwall/gjson"

	"github.com/lorimer-dev/lorimer/internal/harness"
	"github.com/lorimer-dev/lorimer/internal/rawjson"
	"github.com/lorimer-dev/lorimer/internal/state"
)

// wait is how long a receipt that another process writes is waited for.
const wait = 5 * time.Millisecond

// kept is of how many of the newest runs the time is kept.
const kept = 50

// Receipt is what is known of one handler in one harness and clone.
type Receipt struct {
	Harness string
	Handler string
	Last    time.Time
	Count   int
	Blocked int
	Faults  int     // it gave no answer
	Version string  // of the harness at the last run; "" = the harness did not say
	Micros  []int64 // of the newest runs, in microseconds

	booked int64 // how many bytes of what is owed are in here
}

// Run is one run of a handler.
type Run struct {
	Handler string
	Took    time.Duration
	Blocked bool
	Fault   bool
	Version string // of the harness; "" = unknown
}

// Add counts a run. An error means that it was not counted.
func Add(home, root, id string, now time.Time, run Run) error {
	f, err := Open(home, root, id, run.Handler)
	if err != nil {
		return owe(file(home, root, id, run.Handler), id, now.UTC().Round(time.Millisecond), run)
	}
	return f.Add(now, run)
}

// File is the receipt of a handler, opened and read: what can be done before its run has ended.
type File struct {
	file        state.File
	path        string
	id, handler string
	src         []byte
	read        Receipt // of src
}

// Open opens the receipt of a handler in a harness and clone, for Add.
func Open(home, root, id, handler string) (*File, error) {
	f := &File{path: file(home, root, id, handler), id: id, handler: handler}
	opened, err := state.Open(f.path)
	if err != nil {
		return nil, err
	}
	f.file = opened
	f.src, _ = opened.Read() // out of reach: Add will say so
	f.read = parse(f.src)
	return f, nil
}

// Add counts a run of the handler and closes the receipt. An error means that it was not counted.
func (f *File) Add(now time.Time, run Run) error {
	now = now.UTC().Round(time.Millisecond)
	err := f.file.Edit(wait, func(old []byte) []byte {
		r := f.read
		if !bytes.Equal(old, f.src) { // somebody else counted in between
			r = parse(old)
		}
		if r.Harness != f.id || r.Handler != f.handler {
			r = Receipt{Harness: f.id, Handler: f.handler}
		}
		r.book(f.path)
		r.forgive(f.path)
		r.add(now, run)
		return r.bytes()
	})
	if err != nil {
		return owe(f.path, f.id, now, run)
	}
	return nil
}

func (r *Receipt) add(now time.Time, run Run) {
	if !now.Before(r.Last) {
		r.Last, r.Version = now, run.Version
	}
	r.Count++
	if run.Blocked {
		r.Blocked++
	}
	if run.Fault {
		r.Faults++
	}
	r.Micros = append(r.Micros[max(0, len(r.Micros)-kept+1):], run.Took.Microseconds())
}

// parse reads a receipt; what is none gives an empty one. It and bytes spell out what encoding/json would find out anew in each
// process, because every handler's run waits for them.
func parse(src []byte) (r Receipt) {
	o, ok := rawjson.ParseObject(string(src))
	if !ok {
		return r
	}
	number := func(key string) int { return int(gjson.Parse(o[key]).Int()) }
	last, err := time.Parse(time.RFC3339Nano, rawjson.String(o["last"]))
	if err != nil {
		return r
	}
	r = Receipt{
		Harness: rawjson.String(o["harness"]), Handler: rawjson.String(o["handler"]), Last: last,
		Count: number("count"), Blocked: number("blocked"), Faults: number("faults"),
		Version: rawjson.String(o["version"]), booked: gjson.Parse(o["booked"]).Int(),
	}
	r.Micros = make([]int64, 0, kept+1)
	gjson.Parse(o["us"]).ForEach(func(_, us gjson.Result) bool {
		r.Micros = append(r.Micros, us.Int())
		return true
	})
	return r
}

func (r Receipt) bytes() []byte {
	var p harness.Payload
	p.String("harness", r.Harness)
	p.String("handler", r.Handler)
	p.String("last", r.Last.Format(time.RFC3339Nano))
	p.Raw("count", strconv.Itoa(r.Count))
	p.Raw("blocked", strconv.Itoa(r.Blocked))
	p.Raw("faults", strconv.Itoa(r.Faults))
	p.Text("version", r.Version)
	us := []byte{'['}
	for i, n := range r.Micros {
		if i > 0 {
			us = append(us, ',')
		}
		us = strconv.AppendInt(us, n, 10)
	}
	p.Raw("us", string(append(us, ']')))
	if r.booked > 0 {
		p.Raw("booked", strconv.FormatInt(r.booked, 10))
	}
	return append(p.Bytes(), '\n')
}

// Quantile returns a quantile, 0 to 1, of the time that the newest runs took.
func (r Receipt) Quantile(q float64) time.Duration {
	if len(r.Micros) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(r.Micros))
	return time.Duration(sorted[int(q*float64(len(sorted)-1)+.5)]) * time.Microsecond
}

// Read returns the receipts of a clone, by harness and handler.
func Read(home, root string) (all []Receipt) {
	entries, _ := os.ReadDir(dir(home, root)) // nothing ran yet: none
	for _, e := range entries {
		name, isOwed := strings.CutSuffix(e.Name(), owed)
		path := filepath.Join(dir(home, root), name)
		if !isReceipt(name) {
			continue
		}
		src, err := os.ReadFile(path)
		if isOwed && err == nil {
			continue // it is booked where the receipt is read
		}
		r := parse(src)
		r.book(path)
		if r.Count > 0 {
			all = append(all, r)
		}
	}
	slices.SortFunc(all, func(a, b Receipt) int {
		return cmp.Or(cmp.Compare(a.Harness, b.Harness), cmp.Compare(a.Handler, b.Handler))
	})
	return all
}

// Forget takes away all receipts of a clone, with what is kept beside them. A clone that has none is no error.
func Forget(home, root string) error { return os.RemoveAll(dir(home, root)) }

// file is where the receipt of a handler in a harness lies. The name of a handler may hold anything: those that stand in a
// host's settings are called by their place there.
func file(home, root, id, handler string) string {
	return filepath.Join(dir(home, root), id+"--"+state.CaseName(handler)+".json")
}

func isReceipt(name string) bool {
	return strings.Contains(name, "--") && strings.HasSuffix(name, ".json")
}

// dir is where the receipts of a clone lie. root must be absolute, with its links resolved.
func dir(home, root string) string { return filepath.Join(home, "receipts", state.CloneName(root)) }
