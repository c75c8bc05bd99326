package conform

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/lorimer-dev/lorimer/internal/harness"
)

// seen is what a host saw of one play.
type seen struct {
	Effects map[harness.Effect][]json.RawMessage `json:"effects"` // in the host's own form: texts, or JSON
	Report  []string                             `json:"report"`  // loud lines that the host has a place for
	Thrown  []string                             `json:"thrown"`  // errors that came out of handlers
	Ticks   int                                  `json:"ticks"`   // how often the host's own loop turned
	MS      int                                  `json:"ms"`      // how long it took
}

// texts returns what was seen of some effects: a text as it reads, anything else as JSON.
func (s seen) texts(effects ...harness.Effect) (all []string) {
	for _, e := range effects {
		for _, raw := range s.Effects[e] {
			var text string
			if json.Unmarshal(raw, &text) != nil {
				text = string(raw)
			}
			all = append(all, text)
		}
	}
	return all
}

// reasons are the texts with which the host was held up: a block, or at a stop what it goes on with.
func (s seen) reasons() []string { return s.texts(harness.Block, harness.Continue) }

// has says whether one of the texts contains the text.
func has(texts []string, text string) bool {
	return slices.ContainsFunc(texts, func(t string) bool { return strings.Contains(t, text) })
}

// shown is a text that fits into a line.
func shown(v any) string {
	text := fmt.Sprint(v)
	switch x := v.(type) {
	case string, [2][]string:
		text = fmt.Sprintf("%q", v)
	case []string:
		if text = fmt.Sprintf("%q", x); len(x) == 0 {
			text = "nothing"
		}
	}
	if len(text) > 300 {
		text = text[:300] + "..."
	}
	return text
}
