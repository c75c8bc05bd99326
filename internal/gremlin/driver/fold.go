package driver

import (
	"slices"
	"strconv"

	"github.com/tidwall/gjson"

	"github.com/lorimer-dev/lorimer/internal/harness"
)

// folder gathers one fact from a stream.
type folder struct {
	pick   harness.Pick
	values []string // all of them for a set, else the one that counts
	sum    float64
	count  int
}

func (f *folder) line(kind string, raw []byte) {
	if f.pick.On != "*" && f.pick.On != kind || !holds(f.pick.Where, raw) {
		return
	}
	for _, v := range valuesAt(raw, f.pick.Path) {
		f.add(v)
	}
}

func (f *folder) add(v gjson.Result) {
	f.count++
	f.sum += v.Num
	text := v.String()
	switch f.pick.Fold {
	case harness.FoldSet:
		if !slices.Contains(f.values, text) {
			f.values = append(f.values, text)
		}
	case harness.FoldFirst:
		if f.values == nil {
			f.values = []string{text}
		}
	default:
		f.values = []string{text}
	}
}

// value is the fact as rules read it; of a set, the newest. False: the stream did not tell it.
func (f *folder) value() (string, bool) {
	switch {
	case f.count == 0:
		return "", false
	case f.pick.Fold == harness.FoldSum:
		return strconv.FormatFloat(f.sum, 'f', -1, 64), true
	case f.pick.Fold == harness.FoldCount:
		return strconv.Itoa(f.count), true
	}
	return f.values[len(f.values)-1], true
}

// valuesAt finds what stands at a path: the elements, where that is a list. null is nothing.
func valuesAt(raw []byte, path string) []gjson.Result {
	r := gjson.GetBytes(raw, path)
	list := []gjson.Result{r}
	if r.IsArray() {
		list = r.Array()
	}
	return slices.DeleteFunc(list, func(v gjson.Result) bool { return v.Type == gjson.Null })
}

// holds tests a line. null is absent.
func holds(where []harness.Predicate, raw []byte) bool {
	return harness.AllHold(where, func(key string) (string, bool) {
		v := gjson.GetBytes(raw, key)
		return v.String(), v.Type != gjson.Null
	})
}
