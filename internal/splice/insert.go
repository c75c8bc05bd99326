package splice

import (
	"bytes"
	"strings"
)

// add puts the value behind the last element of the array at the path, and makes the containers that are missing.
func (d *doc) add(path []string, value []byte) error {
	if d.tree == nil {
		return d.create(path, value)
	}
	t, err := d.follow(path, true)
	if err != nil {
		return err
	}
	have := len(t.steps)
	if len(t.last().items) == 0 {
		if _, known := d.origin(path[:have]); !known {
			d.remember(Origin{At: path[:have]})
		}
	}
	if have == len(path) {
		return d.insert(t, path, "", value)
	}
	for n := have + 1; n <= len(path); n++ {
		d.remember(Origin{At: path[:n], Absent: true})
	}
	return d.insert(t, path[:have], path[have], nest(path[have+1:], value))
}

// create writes a whole document, where the file was missing, empty or white space alone.
func (d *doc) create(path []string, value []byte) error {
	st := style{newline: "\n", unit: "  ", space: " "}
	if bytes.Contains(d.text, []byte("\r\n")) {
		st.newline = "\r\n"
	}
	d.remember(Origin{Absent: true, Text: string(d.text)})
	for n := range path {
		d.remember(Origin{At: path[:n+1], Absent: true})
	}
	text, err := render(nest(path, value), st, "")
	if err != nil {
		return err
	}
	return d.set([]byte(text + st.newline))
}

// nest wraps the value in an array and that in an object for each key.
func nest(path []string, value []byte) []byte {
	var b bytes.Buffer
	for _, key := range path {
		b.WriteString("{" + quote(key) + ":")
	}
	b.WriteString("[")
	b.Write(value)
	b.WriteString("]")
	b.Write(bytes.Repeat([]byte("}"), len(path)))
	return b.Bytes()
}

// insert puts one item behind the last one of the box at the end of the trail, which stands at the path. It goes behind the
// comments there, so that a comment on the last item's line stays with that item.
func (d *doc) insert(t trail, path []string, key string, value []byte) error {
	b := t.last()
	comments, toLineEnd := lastComment(b.extra)
	doc := d.styleOf()
	st := d.styleIn(doc, b, t.boxes[:len(t.boxes)-1])
	if toLineEnd {
		st.newline = doc.newline
	}
	indent := d.childIndent(b, st)
	text, err := render(value, st, indent)
	if err != nil {
		return err
	}
	if b.open == '{' {
		text = keyColon(key, st) + text
	}
	text = between(st, indent, len(b.items) > 0) + text
	if b.trailing {
		text += ","
	}
	if len(b.items) == 0 && st.newline != "" && !hasBreak(b.extra[comments:]) {
		tail := strings.TrimSuffix(st.newline+d.indentAt(b.start), string(b.extra[comments:]))
		text += tail
		d.noteTail(path, tail)
	}
	place := b.end - 1 - len(b.extra) + comments
	return d.apply(append(d.commaBehindLast(b), edit{place, place, text})...)
}

// noteTail remembers the white space that was put in front of a closing bracket.
func (d *doc) noteTail(path []string, tail string) {
	if o, _ := d.origin(path); !o.Absent {
		d.remember(Origin{At: path, Text: tail})
	}
}

// commaBehindLast is the edit that makes room for one more item, none where there is no item or a comma already.
func (d *doc) commaBehindLast(b box) []edit {
	if len(b.items) == 0 || b.trailing {
		return nil
	}
	end := b.items[len(b.items)-1].end
	return []edit{{end, end, ","}}
}
