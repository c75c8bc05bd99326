package dispatch

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/lorimer-dev/lorimer/internal/fastfile"
	"github.com/lorimer-dev/lorimer/internal/hookenv"
	"github.com/lorimer-dev/lorimer/internal/manifest"
	"github.com/lorimer-dev/lorimer/internal/rawjson"
)

// environments are what handlers of one call are started with: the host's environment, what settings add to it, and what is to be
// known of the host. Of equal names the last holds.
type environments struct {
	plain   []string
	managed []string // of handlers that an organization set; nil = plain
}

func (e environments) of(j job) []string {
	if j.Managed && e.managed != nil {
		return e.managed
	}
	return e.plain
}

func (c *call) environments() (e environments) {
	layers, facts := c.view.Env(), c.facts()
	e.plain = over(os.Environ(), settingsEnv(layers), facts)
	if len(layers) > 0 && slices.ContainsFunc(c.handlers, func(h manifest.Handler) bool { return h.Managed }) {
		outside := slices.DeleteFunc(layers, func(l manifest.Env) bool { return !l.Live() })
		e.managed = over(os.Environ(), settingsEnv(outside), facts)
	}
	return e
}

// over puts variables in the place of an environment's of the same names: of two of a name, C programs would take the first. env
// itself is changed.
func over(env []string, layers ...[]string) []string {
	for _, layer := range layers {
		for _, variable := range layer {
			name, _, _ := strings.Cut(variable, "=")
			i := slices.IndexFunc(env, func(old string) bool { return len(old) > len(name) && old[len(name)] == '=' && old[:len(name)] == name })
			if i >= 0 {
				env[i] = variable
			} else {
				env = append(env, variable)
			}
		}
	}
	return env
}

// settingsEnv returns what the layers say, the one that is overruled first. A file outside of the clone that is gone, or is no JSON
// any more, says nothing, as in the protocol's own host.
func settingsEnv(layers []manifest.Env) (env []string) {
	for _, l := range layers {
		values := l.Values
		if l.Live() {
			src, _ := fastfile.Read(filepath.FromSlash(l.Path))
			top, _ := rawjson.ParseObject(strings.TrimPrefix(string(src), "\ufeff"))
			values = hookenv.Of(top["env"], false)
		}
		env = append(env, hookenv.Pairs(values)...)
	}
	return env
}
