package gate

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"gopkg.in/yaml.v3"
)

// mergeYAML edits line by line: a key at the top that does not change keeps its bytes, one that is ours in part keeps its
// comments, and what is new is put behind the last line. What was made is read again; were it not what it should be, nothing
// would be written.
func mergeYAML(g *Gate, f File, old []byte) ([]byte, error) {
	node, value, err := readYAML(old)
	if err != nil {
		return nil, err
	}
	theirs, err := g.check(value, f)
	if err != nil {
		return nil, err
	}
	if g.alone(theirs, f) && !commented(old) {
		return f.Text, nil
	}
	want := g.merged(theirs, f.tree, f.doc)
	lines := withoutHeader(old)
	text, err := spliced(node, theirs, want, lines)
	if err != nil {
		return nil, err
	}
	text = append([]byte(mergedHeader(g.rendered(f))), text...)
	if _, got, err := readYAML(text); err != nil || !same(got, want) {
		return nil, errors.New("the file is written in a way that the gate cannot be put into; put each key at its top on a line of its own")
	}
	return text, nil
}

// readYAML reads one document. The node is nil where there is nothing but comments.
func readYAML(src []byte) (*yaml.Node, any, error) {
	var doc yaml.Node
	d := yaml.NewDecoder(bytes.NewReader(src))
	if err := d.Decode(&doc); errors.Is(err, io.EOF) {
		return nil, nil, nil
	} else if err != nil {
		return nil, nil, fmt.Errorf("it is not valid YAML (%w)", err)
	}
	if err := d.Decode(new(yaml.Node)); !errors.Is(err, io.EOF) {
		return nil, nil, errors.New("it has more than one YAML document; leave one")
	}
	var value any
	if err := doc.Decode(&value); err != nil {
		return nil, nil, fmt.Errorf("it is not valid YAML (%w)", err)
	}
	plain, err := jsonLike(value)
	return doc.Content[0], plain, err
}

// jsonLike brings what YAML says into the form of a tree.
func jsonLike(v any) (any, error) {
	data, err := json.Marshal(v)
	if err != nil {
		return nil, fmt.Errorf("it says something that a config cannot (%w)", err)
	}
	return parsed(data)
}

// commented says whether there is a comment that is not ours.
func commented(src []byte) bool {
	for line := range strings.Lines(string(src)) {
		line = strings.TrimRight(line, "\r\n")
		if strings.HasPrefix(strings.TrimSpace(line), "#") && !isHeader(line) {
			return true
		}
	}
	return false
}

// withoutHeader are the lines of a document, those of ours emptied to nothing so that the numbers stay.
func withoutHeader(src []byte) (lines []string) {
	for line := range strings.Lines(string(src)) {
		if isHeader(strings.TrimRight(line, "\r\n")) {
			line = ""
		}
		lines = append(lines, line)
	}
	if n := len(lines); n > 0 && lines[n-1] != "" && !strings.HasSuffix(lines[n-1], "\n") {
		lines[n-1] += "\n"
	}
	return lines
}

// spliced puts what is wanted into the lines of a document.
func spliced(node *yaml.Node, theirs, want tree, lines []string) ([]byte, error) {
	if node != nil && node.Style&yaml.FlowStyle != 0 && len(node.Content) > 0 {
		return nil, errors.New("it is written in braces; put each key at its top on a line of its own")
	}
	fresh := clone(want)
	if node != nil {
		for i := 0; i < len(node.Content); i += 2 {
			key := node.Content[i].Value
			v, stays := want[key]
			delete(fresh, key)
			if stays && same(v, theirs[key]) {
				continue
			}
			end := len(lines)
			if i+2 < len(node.Content) {
				end = node.Content[i+2].Line - 1
			}
			text, err := rewritten(node.Content[i], node.Content[i+1], v, stays)
			if err != nil {
				return nil, err
			}
			replaceLines(lines, node.Content[i].Line-1, end, text)
		}
	}
	if len(fresh) > 0 {
		lines = append(lines, string(yamlText(fresh)))
	}
	return []byte(strings.Join(lines, "")), nil
}

// rewritten is the text of one key at the top with another value.
func rewritten(key, old *yaml.Node, v any, stays bool) (string, error) {
	if !stays {
		return "", nil
	}
	t, mapping := v.(tree)
	if !mapping || old.Kind != yaml.MappingNode {
		return string(yamlText(tree{key.Value: v})), nil
	}
	amend(old, t)
	var b bytes.Buffer
	e := yaml.NewEncoder(&b)
	e.SetIndent(2)
	name := *key
	name.HeadComment, name.FootComment = "", "" // they stand in lines of their own, which are kept
	if err := e.Encode(&yaml.Node{Kind: yaml.MappingNode, Content: []*yaml.Node{&name, old}}); err != nil {
		return "", err
	}
	return b.String(), nil
}

// amend makes a mapping say what it should, and keeps the nodes, with their comments, of what does not change.
func amend(n *yaml.Node, want tree) {
	rest, kept := clone(want), []*yaml.Node{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, value := n.Content[i], n.Content[i+1]
		v, stays := rest[key.Value]
		if !stays {
			continue
		}
		delete(rest, key.Value)
		inner, mapping := v.(tree)
		var old any
		switch err := value.Decode(&old); {
		case mapping && value.Kind == yaml.MappingNode:
			amend(value, inner)
		case err != nil || !same(plainOf(old), v):
			value = nodeOf(v)
		}
		kept = append(kept, key, value)
	}
	for _, key := range sorted(rest) {
		kept = append(kept, &yaml.Node{Kind: yaml.ScalarNode, Value: key}, nodeOf(rest[key]))
	}
	n.Content = kept
}

func plainOf(v any) any {
	plain, err := jsonLike(v)
	if err != nil {
		return nil
	}
	return plain
}

// nodeOf is a value as it is rendered.
func nodeOf(v any) *yaml.Node {
	var doc yaml.Node
	if err := yaml.Unmarshal(yamlText(tree{"v": v}), &doc); err != nil {
		panic(err) // it is our own
	}
	return doc.Content[0].Content[1]
}

// replaceLines puts a text in the place of the lines from..to, but for the empty ones and the comments at their end, which
// belong to what follows.
func replaceLines(lines []string, from, to int, text string) {
	for to > from+1 {
		if last := strings.TrimRight(lines[to-1], " \r\n"); last != "" && !strings.HasPrefix(last, "#") {
			break
		}
		to--
	}
	for i := from; i < to; i++ {
		lines[i] = ""
	}
	lines[from] = text
}
