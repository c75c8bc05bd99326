package matrix

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"

	"github.com/lorimer-dev/lorimer/internal/harness"
)

// Record is what suites saw one real program do: harnesses/proofs/<id>.json.
type Record struct {
	Version string            `json:"version"` // of the program
	Date    string            `json:"date"`    // of the run that first saw all of it
	Seen    map[string]string `json:"seen"`    // "Event" or "Event effect" to the suite that saw it
}

// key names a cell in a record; an event of its own has no effect.
func key(event harness.Event, effect harness.Effect) string {
	if effect == "" {
		return string(event)
	}
	return string(event) + " " + string(effect)
}

// recordOf reads a harness's record; one that is not there proves nothing.
func recordOf(proofs fs.FS, id string) (r Record, err error) {
	src, err := fs.ReadFile(proofs, "proofs/"+id+".json")
	if errors.Is(err, fs.ErrNotExist) {
		return r, nil
	}
	if err == nil {
		err = json.Unmarshal(src, &r)
	}
	if err != nil {
		return r, fmt.Errorf("harnesses/proofs/%s.json: %w; its suite writes it anew with -update", id, err)
	}
	return r, nil
}

// by says by what a cell was proven; "" = it was not.
func (r Record) by(event harness.Event, effect harness.Effect) string {
	suite, ok := r.Seen[key(event, effect)]
	if !ok {
		return ""
	}
	return fmt.Sprintf("%s, %s, %s", suite, r.Version, r.Date)
}
