// Package receipt is the proof that hooks run: settings are a claim. For each clone, harness and handler there is one small
// file in the state home that says when the handler ran last, how often, how often it blocked and what it cost; and there is
// one bounded list of the last dispatches (last.go). Receipts hold no content; the list holds the head of each payload.
//
// All of it is written by the dispatcher once its answer is known, while the host waits for the process to end, so it is
// bounded: a receipt that is locked by somebody else for some milliseconds is left alone. What cannot be read counts as none.
package receipt

import (
	"cmp"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/lorimer-dev/lorimer/internal/state"
)

// wait is how long a receipt that another process writes is waited for.
const wait = 5 * time.Millisecond

// kept is of how many of the newest runs the time is kept.
const kept = 50

// Receipt is what is known of one handler in one harness and clone.
type Receipt struct {
	Harness string    `json:"harness"`
	Handler string    `json:"handler"`
	Last    time.Time `json:"last"`
	Count   int       `json:"count"`
	Blocked int       `json:"blocked"`
	Faults  int       `json:"faults"` // it gave no answer
	Micros  []int64   `json:"us"`     // of the newest runs, in microseconds
}

// Run is one run of a handler.
type Run struct {
	Handler string
	Took    time.Duration
	Blocked bool
	Fault   bool
}

// Add counts a run. An error means that it was not counted.
func Add(home, root, harness string, now time.Time, run Run) error {
	path := filepath.Join(dir(home, root), harness+"--"+state.FileName(run.Handler)+".json")
	return state.Edit(path, wait, func(old []byte) []byte {
		var r Receipt
		if json.Unmarshal(old, &r) != nil || r.Harness != harness || r.Handler != run.Handler {
			r = Receipt{}
		}
		r.Harness, r.Handler, r.Last = harness, run.Handler, now.UTC().Round(time.Millisecond)
		r.Count++
		if run.Blocked {
			r.Blocked++
		}
		if run.Fault {
			r.Faults++
		}
		r.Micros = append(r.Micros[max(0, len(r.Micros)-kept+1):], run.Took.Microseconds())
		data, err := json.Marshal(r)
		if err != nil {
			return old
		}
		return append(data, '\n')
	})
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
	files, _ := filepath.Glob(filepath.Join(dir(home, root), "*--*.json"))
	for _, path := range files {
		var r Receipt
		if src, err := os.ReadFile(path); err == nil && json.Unmarshal(src, &r) == nil {
			all = append(all, r)
		}
	}
	slices.SortFunc(all, func(a, b Receipt) int {
		return cmp.Or(cmp.Compare(a.Harness, b.Harness), cmp.Compare(a.Handler, b.Handler))
	})
	return all
}

// dir is where the receipts of a clone lie. root must be absolute, with its links resolved.
func dir(home, root string) string { return filepath.Join(home, "receipts", state.CloneName(root)) }
