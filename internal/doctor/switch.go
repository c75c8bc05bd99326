package doctor

import (
	"encoding/json"
	"fmt"
	"path"

	"github.com/BurntSushi/toml"
	"github.com/tailscale/hujson"
	"github.com/tidwall/gjson"

	"github.com/lorimer-dev/lorimer/internal/harness"
	"github.com/lorimer-dev/lorimer/internal/plainfile"
)

// switchedOff looks for a switch of the host's own with which somebody turned all its hooks off. Of the files that say anything of it
// the first one counts.
func (p *patient) switchedOff(h *harness.Harness) {
	for _, s := range h.Hooks.Switches {
		src, err := plainfile.Settings(p.place(s.File))
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

// boolean reads a value of a settings file, by its path with dots; set is false when it is not there, or no boolean.
func boolean(name string, src []byte, key string) (value, set bool) {
	std, err := asJSON(name, src)
	if err != nil {
		return false, false
	}
	v := gjson.GetBytes(std, key)
	return v.Bool(), v.IsBool()
}

func asJSON(name string, src []byte) ([]byte, error) {
	if path.Ext(name) != ".toml" {
		return hujson.Standardize(src)
	}
	var top map[string]any
	if err := toml.Unmarshal(src, &top); err != nil {
		return nil, err
	}
	return json.Marshal(top)
}
