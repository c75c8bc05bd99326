package rawjson

import (
	"cmp"
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"github.com/tidwall/gjson"
)

// Canonical writes a valid value in the one form that all texts of the same meaning share: no white space, keys sorted, of
// equal keys the last, strings and numbers spelled in one way. Programs that read a file and write it again change its layout
// and its escapes, and that is no change of what it says.
func Canonical(raw string) string {
	var b strings.Builder
	canonical(&b, gjson.Parse(raw))
	return b.String()
}

func canonical(b *strings.Builder, v gjson.Result) {
	switch {
	case v.IsObject():
		canonicalObject(b, v)
	case v.IsArray():
		b.WriteByte('[')
		for i, x := range v.Array() {
			if i > 0 {
				b.WriteByte(',')
			}
			canonical(b, x)
		}
		b.WriteByte(']')
	case v.Type == gjson.String:
		quoted, _ := json.Marshal(String(v.Raw)) // a string always encodes
		b.Write(quoted)
	case v.Type == gjson.Number:
		b.WriteString(strconv.FormatFloat(v.Num, 'g', -1, 64))
	default:
		b.WriteString(v.Raw)
	}
}

func canonicalObject(b *strings.Builder, v gjson.Result) {
	type member struct {
		key   string
		value gjson.Result
	}
	var all []member
	v.ForEach(func(key, value gjson.Result) bool {
		k := String(key.Raw)
		all = slices.DeleteFunc(all, func(m member) bool { return m.key == k })
		all = append(all, member{k, value})
		return true
	})
	slices.SortFunc(all, func(x, y member) int { return cmp.Compare(x.key, y.key) })
	b.WriteByte('{')
	for i, m := range all {
		if i > 0 {
			b.WriteByte(',')
		}
		quoted, _ := json.Marshal(m.key)
		b.Write(quoted)
		b.WriteByte(':')
		canonical(b, m.value)
	}
	b.WriteByte('}')
}
