package certify

import (
	"fmt"
	"slices"
	"strings"

	"github.com/rogpeppe/go-internal/diff"
	"gopkg.in/yaml.v3"

	"github.com/lorimer-dev/lorimer/internal/harness"
)

// Change is what certifying a version changes in a descriptor, as a unified diff; empty when nothing. src is the descriptor, path
// its path for the diff, date the day of the proof. Comments and layout are kept: lines are changed, not the tree. What is
// installed changes only for a newer version: an older one is one more that was proven.
func Change(path string, src []byte, c *harness.Certified, version, date string) (string, error) {
	now, err := certified(src, c, version, date)
	if err != nil {
		return "", fmt.Errorf("%s: %w", path, err)
	}
	return string(diff.Diff("a/"+path, src, "b/"+path, now)), nil
}

func certified(src []byte, c *harness.Certified, version, date string) ([]byte, error) {
	var doc yaml.Node
	if err := yaml.Unmarshal(src, &doc); err != nil {
		return nil, err
	}
	lines := strings.SplitAfter(string(src), "\n")
	if len(doc.Content) == 0 {
		return src, nil
	}
	root := doc.Content[0]
	newer := Older(c.Version, version)
	if pin := at(root, "runtime", "install", "npm", c.Package); newer && pin != nil {
		if err := replace(lines, pin, version); err != nil {
			return nil, err
		}
	}
	entries := at(root, "certified")
	if entries == nil || len(entries.Content) == 0 || slices.ContainsFunc(entries.Content, func(n *yaml.Node) bool { return is(n, "version", version) && is(n, "package", c.Package) }) {
		return []byte(strings.Join(lines, "")), nil
	}
	last := entries.Content[len(entries.Content)-1]
	first, end := last.Line-1, lastLine(last)
	entry := slices.Clone(lines[first:end])
	for key, value := range map[string]string{"version": version, "date": date} {
		n := *at(last, key)
		n.Line -= first
		if err := replace(entry, &n, value); err != nil {
			return nil, err
		}
	}
	place := end
	if !newer {
		place = first // oldest first
	}
	return []byte(strings.Join(slices.Insert(lines, place, entry...), "")), nil
}

// Older says whether the version a comes before b.
func Older(a, b string) bool {
	number := func(version string) (n [3]int) {
		fmt.Sscanf(version, "%d.%d.%d", &n[0], &n[1], &n[2])
		return n
	}
	x, y := number(a), number(b)
	return slices.Compare(x[:], y[:]) < 0
}

// at follows keys of mappings; nil when one is not there.
func at(n *yaml.Node, keys ...string) *yaml.Node {
next:
	for _, key := range keys {
		for i := 0; i+1 < len(n.Content); i += 2 {
			if n.Content[i].Value == key {
				n = n.Content[i+1]
				continue next
			}
		}
		return nil
	}
	return n
}

func is(n *yaml.Node, key, value string) bool {
	found := at(n, key)
	return found != nil && found.Value == value
}

// replace puts another text into the place of a quoted scalar.
func replace(lines []string, n *yaml.Node, value string) error {
	line := lines[n.Line-1]
	head, tail := line[:n.Column-1], line[n.Column-1:]
	old := `"` + n.Value + `"`
	if !strings.HasPrefix(tail, old) {
		return fmt.Errorf("line %d: expected %s in column %d", n.Line, old, n.Column)
	}
	lines[n.Line-1] = head + `"` + value + `"` + tail[len(old):]
	return nil
}

// lastLine is the number of the last line of a node.
func lastLine(n *yaml.Node) int {
	last := n.Line
	for _, c := range n.Content {
		last = max(last, lastLine(c))
	}
	return last
}
