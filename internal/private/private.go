// Package private keeps what the dispatcher has to know of harnesses that are not built in: the user's own descriptors, which
// generate a module. `lorimer materialize --harness-dir` writes a row of each into the state home; the dispatcher looks there when
// a hook names a harness that it does not know. Such a row is data alone, so only a harness whose payload is Claude's can have one.
package private

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/lorimer-dev/lorimer/internal/harness"
	"github.com/lorimer-dev/lorimer/internal/state"
)

// row is a file of the state home.
type row struct {
	Protocol int               `json:"protocol"`
	ID       string            `json:"id"`
	Name     string            `json:"name"`
	Events   []harness.Binding `json:"events"`
	Patches  []harness.Patch   `json:"patches,omitempty"`
	Dirs     []harness.Dir     `json:"dirs,omitempty"`
}

// isID says whether an id may name a file. Descriptors hold their ids to the same rule; here it is spelled out, because a compiled
// pattern would cost each start of the dispatcher more than the whole table of harnesses.
func isID(id string) bool {
	const letters, rest = "abcdefghijklmnopqrstuvwxyz", "0123456789-"
	return len(id) <= 64 && strings.IndexAny(id, letters) == 0 && strings.Trim(id, letters+rest) == ""
}

func place(home, id string) string { return filepath.Join(home, "harnesses", id+".json") }

// Write keeps the row of a generative harness.
func Write(home string, h *harness.Harness) error {
	if h.Kind != harness.Generative || !isID(h.ID) {
		return fmt.Errorf("%q generates no module, so the dispatcher cannot know it unbuilt", h.ID)
	}
	src, err := json.Marshal(row{harness.Protocol, h.ID, h.Name, h.Events, h.Patches, h.Dirs})
	if err != nil {
		return err
	}
	return state.Write(place(home, h.ID), append(src, '\n'))
}

// Read returns the row of a harness; nil when there is none, or none that this build understands.
func Read(home, id string) *harness.Harness {
	if !isID(id) {
		return nil
	}
	src, err := os.ReadFile(place(home, id))
	var r row
	if err != nil || json.Unmarshal(src, &r) != nil || r.Protocol != harness.Protocol || r.ID != id {
		return nil
	}
	return &harness.Harness{Protocol: r.Protocol, ID: r.ID, Name: r.Name, Kind: harness.Generative, Events: r.Events, Patches: r.Patches, Dirs: r.Dirs}
}
