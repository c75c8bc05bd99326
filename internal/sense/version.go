package sense

import (
	"regexp"
	"strings"
	"sync"

	"github.com/lorimer-dev/lorimer/internal/harness"
)

// rangeOf returns what holds for a version: the first range that it is below, and for one that is not known the last.
func rangeOf(row *harness.Runtime, version string, w *warnings) harness.Range {
	if len(row.Ranges) == 0 {
		return nothing.Ranges[0]
	}
	last := row.Ranges[len(row.Ranges)-1]
	if version == "" {
		return last
	}
	v := numbers(version)
	if v == nil {
		w.add("there is no version in %q, so the newest is assumed", version)
		return last
	}
	for _, r := range row.Ranges {
		if r.Until == "" || below(v, numbers(r.Until)) {
			return r
		}
	}
	return last
}

var dotted = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`[0-9]+(?:\.[0-9]+)*`) })

// numbers finds the version in what a program says of itself ("codex-cli 0.171.0") and returns its numbers without leading
// zeros; nil when there is none.
func numbers(text string) []string {
	found := dotted().FindString(text)
	if found == "" {
		return nil
	}
	parts := strings.Split(found, ".")
	for i, p := range parts {
		parts[i] = strings.TrimLeft(p, "0")
	}
	return parts
}

// below compares part by part; a part that is missing is 0, which has no digits left.
func below(a, b []string) bool {
	for i := range max(len(a), len(b)) {
		x, y := part(a, i), part(b, i)
		if len(x) != len(y) {
			return len(x) < len(y)
		}
		if x != y {
			return x < y
		}
	}
	return false
}

func part(list []string, i int) string {
	if i < len(list) {
		return list[i]
	}
	return ""
}
