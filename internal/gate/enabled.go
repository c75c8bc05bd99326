package gate

import (
	"slices"
	"strings"

	"github.com/lorimer-dev/lorimer/internal/harness"
)

// Enabled lists the capabilities that the rendered config leaves on, sorted. It reads the config as the agent does, and knows
// nothing of what was asked for.
func (c *Config) Enabled() (ids []string) {
	for _, x := range c.gate.capabilities(nil) {
		if c.on(c.gate.Surfaces[x.row], x.Name) {
			ids = append(ids, ID(x.GateName))
		}
	}
	return ids
}

func (c *Config) on(row harness.GateSurface, name string) bool {
	for _, key := range row.Also {
		if v, _ := get(c.trees[0], key); v != true {
			return false
		}
	}
	switch {
	case row.Order != nil:
		v, _ := get(c.trees[row.File], row.Set)
		mode, _ := v.(string)
		return slices.Index(row.Order, mode) >= slices.Index(row.Order, name)
	case row.Set != "":
		v, there := get(c.trees[row.File], strings.ReplaceAll(row.Set, "{name}", name))
		if row.Bool {
			return v == true
		}
		return !there || v != row.Locked
	case row.List != "":
		v, _ := get(c.trees[row.File], row.List)
		list, _ := v.([]any)
		return has(list, itemOf(row, name), row.Of)
	case row.Flag != "":
		var list []any
		if i := slices.Index(c.words, row.Flag); i >= 0 {
			for _, s := range strings.Split(c.words[i+1], ",") {
				list = append(list, s)
			}
		}
		return has(list, itemOf(row, name), row.Of)
	}
	return !contains(c.words, argvOf(row, name))
}

// has says whether a list of locked names lacks the item, or one of unlocked names has it, or all.
func has(list []any, item any, of string) bool {
	in := slices.ContainsFunc(list, func(v any) bool { return same(v, item) || of == "unlocked" && v == "*" })
	return in == (of == "unlocked")
}

// contains says whether the words stand in the list, one behind the other.
func contains(list, words []string) bool {
	for i := range list {
		if len(list)-i >= len(words) && slices.Equal(list[i:i+len(words)], words) {
			return true
		}
	}
	return false
}

// Violation is a capability that one step of a sequence loses.
type Violation struct {
	FromIndex  int    `json:"fromIndex"`
	ToIndex    int    `json:"toIndex"`
	Capability string `json:"capability"`
}

// Monotonic compares each config with the one before and returns every capability that is lost on the way, in the order of
// the steps and then of the ids.
func Monotonic(steps []*Config) (lost []Violation) {
	for i := 1; i < len(steps); i++ {
		after := steps[i].Enabled()
		for _, id := range steps[i-1].Enabled() {
			if !slices.Contains(after, id) {
				lost = append(lost, Violation{i - 1, i, id})
			}
		}
	}
	return lost
}

// Issue is a capability that is locked although everything is unlocked.
type Issue struct {
	Capability string `json:"capability"`
	Reason     string `json:"reason"`
}

// Parity holds that with every feature unlocked nothing of the catalog is locked: the agent is as it is without a gate.
func (g *Gate) Parity() ([]Issue, error) {
	c, err := g.Render(g.Features())
	if err != nil {
		return nil, err
	}
	on, issues := c.Enabled(), []Issue{}
	for _, id := range g.Capabilities() {
		if !slices.Contains(on, id) {
			issues = append(issues, Issue{id, "catalog surface is still locked in stock-parity config"})
		}
	}
	return issues, nil
}
