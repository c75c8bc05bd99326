package plan

import (
	"reflect"
	"strings"
	"testing"

	"github.com/lorimer-dev/lorimer/gen/descriptor"
)

// leaves calls f with each place below v that holds a value, filled so that every place is there: pointers point, lists have one
// element. Recursive types (Tree) are followed once.
func leaves(v reflect.Value, path string, f func(path string, leaf reflect.Value)) {
	if strings.Count(path, ".") > 12 || asides[v.Type()] && v.Kind() != reflect.Struct {
		return
	}
	switch v.Kind() {
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		leaves(v.Elem(), path, f)
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 1, 1))
		leaves(v.Index(0), path+"[0]", f)
	case reflect.Struct:
		for i := range v.NumField() {
			if field := v.Type().Field(i); field.IsExported() && strings.Count(path, "."+field.Name) < 2 {
				leaves(v.Field(i), path+"."+field.Name, f)
			}
		}
	default:
		f(path, v)
	}
}

// change gives a leaf another value.
func change(t *testing.T, leaf reflect.Value) {
	t.Helper()
	switch leaf.Kind() {
	case reflect.String:
		leaf.SetString(leaf.String() + "x")
	case reflect.Int, reflect.Int64:
		leaf.SetInt(leaf.Int() + 1)
	case reflect.Bool:
		leaf.SetBool(!leaf.Bool())
	default:
		t.Fatalf("what is another %s?", leaf.Type())
	}
}

// TestEveryFieldOfARowCounts: whatever two rows of an event say differently is seen, but for what is each row's own and where it
// stands. A new field is looked at by itself.
func TestEveryFieldOfARowCounts(t *testing.T) {
	full := func(at string) (row descriptor.ExternalRow, found bool) {
		leaves(reflect.ValueOf(&row).Elem(), "", func(path string, leaf reflect.Value) {
			if path == at {
				change(t, leaf)
				found = true
			}
		})
		return row, found
	}
	var row descriptor.ExternalRow
	var paths []string
	leaves(reflect.ValueOf(&row).Elem(), "", func(path string, _ reflect.Value) { paths = append(paths, path) })
	counted := map[string]int{}
	for _, path := range paths {
		a, _ := full("")
		b, found := full(path)
		if !found {
			t.Fatalf("there is no %s", path)
		}
		top, rest, _ := strings.Cut(path[1:], ".")
		top = strings.TrimSuffix(top, "[0]")
		beside := strings.Contains(rest, "Pos.") || strings.HasSuffix(rest, "Comment")
		key := differs(a, b)
		if want := !ownOfRow[top] && !beside; (key != "") != want {
			t.Errorf("%s: seen as %q", path, key)
		}
		if key != "" && !strings.EqualFold(key, top) {
			t.Errorf("%s is said to be `%s`", path, key)
		}
		counted[top]++
	}
	fields := reflect.TypeFor[descriptor.ExternalRow]()
	for i := range fields.NumField() {
		if name := fields.Field(i).Name; counted[name] == 0 {
			t.Errorf("nothing of %s was changed", name)
		}
		delete(counted, fields.Field(i).Name)
	}
	for name := range ownOfRow {
		if _, ok := fields.FieldByName(name); !ok {
			t.Errorf("a row has no %s", name)
		}
	}
	if len(paths) < 60 {
		t.Errorf("only %d places", len(paths))
	}
}

// TestWhatIsNotThereCounts: a list that is longer, a section that one row lacks.
func TestWhatIsNotThereCounts(t *testing.T) {
	some := descriptor.Str{Text: "x"}
	for key, row := range map[string]descriptor.ExternalRow{
		"tool":   {Tool: &descriptor.ToolPaths{}},
		"fields": {Fields: descriptor.Map[descriptor.Source]{{Key: "a"}}},
		"answer": {Answer: descriptor.Map[descriptor.Str]{{Key: "block", Value: some}}},
		"wrong":  {Wrong: []descriptor.Str{some}},
		"later":  {Later: descriptor.EventName{Text: "PostToolUse"}},
	} {
		for _, got := range []string{differs(row, descriptor.ExternalRow{}), differs(descriptor.ExternalRow{}, row)} {
			if got != key {
				t.Errorf("%s: %q", key, got)
			}
		}
		if got := differs(row, row); got != "" {
			t.Errorf("%s differs from itself in %q", key, got)
		}
	}
}
