package config

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/lorimer-dev/lorimer/internal/configfile"
	"github.com/lorimer-dev/lorimer/internal/harness"
)

// Usable returns the harnesses of the table that hooks can be put into, by id.
func Usable(table []*harness.Harness) []*harness.Harness {
	all := slices.Clone(table)
	all = slices.DeleteFunc(all, func(h *harness.Harness) bool { return h.Shim == nil && h.Hooks == nil })
	slices.SortFunc(all, func(a, b *harness.Harness) int { return cmp.Compare(a.ID, b.ID) })
	return all
}

// Recognised returns the ids of the harnesses of the table that nothing can be put into, but for the unknown one of the HAL.
func Recognised(table []*harness.Harness) (ids []string) {
	for _, h := range table {
		if h.Kind == harness.Bare && len(h.Found.Exe) > 0 {
			ids = append(ids, h.ID)
		}
	}
	slices.Sort(ids)
	return ids
}

// NotHooked says what is to be said of one of them.
func NotHooked(id string) string {
	return fmt.Sprintf("harness %q can be recognised, but not be hooked yet", id)
}

// IDs returns the ids of the harnesses.
func IDs(table []*harness.Harness) []string {
	ids := make([]string, len(table))
	for i, h := range table {
		ids[i] = h.ID
	}
	return ids
}

// Select returns the harnesses that the file is for: the ones that it lists, else those that are found. It fails when none
// is found.
func (c *Config) Select(table []*harness.Harness, found func(*harness.Harness) bool) ([]*harness.Harness, error) {
	usable := Usable(table)
	picked := slices.DeleteFunc(slices.Clone(usable), func(h *harness.Harness) bool {
		if len(c.Harnesses) > 0 {
			return !configfile.Has(c.Harnesses, h.ID)
		}
		return !found(h)
	})
	if len(usable) == 0 {
		return nil, fmt.Errorf("%s: this build knows no coding agent at all", c.file)
	}
	if len(picked) == 0 {
		if c.inPlace {
			return nil, fmt.Errorf("%s: no coding agent is found, neither on PATH nor by its files in the clone; "+
				"name the ones to serve with --harness, for example `--harness %s`; known are %s",
				c.file, IDs(usable)[0], strings.Join(IDs(usable), ", "))
		}
		return nil, fmt.Errorf("%s: no coding agent is found, neither on PATH nor by its files in the clone; "+
			"say which ones to serve, for example `harnesses: [%s]`; known are %s",
			c.file, IDs(usable)[0], strings.Join(IDs(usable), ", "))
	}
	return picked, nil
}
