package pulse

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// Threshold returns the silence that a runtime allows, by its id; and the id that it is taken for, which is another one where
// it is not known.
type Threshold func(runtime string) (allowed time.Duration, as string)

// Silence is how long one agent has been silent.
type Silence struct {
	Agent     string  `json:"agent"`
	Status    string  `json:"status"`  // of its hook
	Runtime   string  `json:"runtime"` // its runtime; unknown where nobody wrote it down
	Last      string  `json:"last_activity"`
	Sign      string  `json:"sign"`      // where that is from: lastActivity, file, heartbeat or timeline
	Silent    float64 `json:"silent"`    // seconds
	Threshold float64 `json:"threshold"` // seconds that its runtime allows
	Stalled   bool    `json:"stalled"`   // silent for longer, and there is work for it
}

// Stalls returns the agents of a state directory in the order of their ids, and what was passed over. The error says that the
// directory itself cannot be read.
func Stalls(dir, home string, now time.Time, threshold Threshold) ([]Silence, []string, error) {
	if _, err := os.ReadDir(dir); err != nil {
		return nil, nil, fmt.Errorf("the state directory cannot be read: %w; name another with --state", err)
	}
	r := &reader{dir: dir, home: home, now: now}
	all := []Silence{}
	for _, id := range r.ids() {
		a, ok := r.agent(id)
		if !ok {
			continue
		}
		allowed, as := threshold(a.runtime)
		silent := max(now.Sub(a.active), 0)
		all = append(all, Silence{
			Agent: id, Status: a.status, Runtime: as, Last: a.active.UTC().Format(time.RFC3339), Sign: a.sign,
			Silent: silent.Round(time.Second).Seconds(), Threshold: allowed.Seconds(), Stalled: a.works() && silent > allowed,
		})
	}
	return all, append([]string{}, r.warnings...), nil
}

// ids are those of the agents that have a hook file.
func (r *reader) ids() (ids []string) {
	dir := filepath.Join(r.dir, "hooks")
	entries, err := os.ReadDir(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		r.warn(dir, err)
	}
	for _, e := range entries {
		if id, ok := strings.CutSuffix(e.Name(), ".json"); ok && !strings.HasPrefix(id, ".") {
			ids = append(ids, id)
		}
	}
	slices.Sort(ids)
	return ids
}
