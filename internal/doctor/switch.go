package doctor

import (
	"fmt"
	"os"
	"path"
	"strings"

	"github.com/tailscale/hujson"
	"github.com/tidwall/gjson"

	"github.com/lorimer-dev/lorimer/internal/harness"
)

// switchedOff looks for a switch of the host's own with which somebody turned all its hooks off. Of the files that say anything of it
// the first one counts.
func (p *patient) switchedOff(h *harness.Harness) {
	for _, s := range h.Hooks.Switches {
		src, err := os.ReadFile(p.place(s.File))
		if err != nil {
			continue // there is none
		}
		value, set := boolean(s.File, src, s.Key)
		if !set {
			continue
		}
		if value == s.Off {
			p.add(h.ID, Shadowed, Problem, fmt.Sprintf("%s is %t in %s, so %s runs no hook at all", s.Key, value, s.File, h.Name), "take it out of "+s.File)
		}
		return
	}
}

// boolean reads a value of a settings file; set is false when it is not there, or no boolean.
func boolean(name string, src []byte, key string) (value, set bool) {
	if path.Ext(name) == ".toml" {
		return tomlBoolean(string(src), key)
	}
	std, err := hujson.Standardize(src)
	if err != nil {
		return false, false
	}
	v := gjson.GetBytes(std, key)
	return v.Bool(), v.IsBool()
}

// tomlBoolean finds a boolean on a line of its own, below its table or with its whole key. What is written in other ways, like an
// inline table, is not seen: a switch that is overlooked is no worse than none.
func tomlBoolean(src, key string) (value, set bool) {
	table := ""
	for line := range strings.Lines(src) {
		line, _, _ = strings.Cut(line, "#")
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "[") {
			table = strings.Trim(line, "[] \t") + "."
			continue
		}
		name, text, ok := strings.Cut(line, "=")
		if text = strings.TrimSpace(text); ok && table+strings.TrimSpace(name) == key && (text == "true" || text == "false") {
			value, set = text == "true", true
		}
	}
	return value, set
}
