package plan

import (
	"reflect"
	"regexp"

	"gopkg.in/yaml.v3"

	"github.com/lorimer-dev/lorimer/gen/descriptor"
)

// asides are types of fields that say where something stands, or once more what its text says.
var asides = map[reflect.Type]bool{
	reflect.TypeFor[descriptor.Pos]():    true,
	reflect.TypeFor[*regexp.Regexp]():    true,
	reflect.TypeFor[*yaml.Node]():        true,
	reflect.TypeFor[[]descriptor.Name](): true, // the names that a snippet uses
}

// same compares two parts of descriptors of one type by what they say, wherever they stand. It looks at every field, so at one that
// is new, too.
func same(a, b reflect.Value) bool {
	switch {
	case asides[a.Type()]:
		return true
	case a.Kind() == reflect.Struct:
		for i := range a.NumField() {
			if a.Type().Field(i).Name != "Comment" && !same(a.Field(i), b.Field(i)) {
				return false
			}
		}
		return true
	case a.Kind() == reflect.Pointer:
		return a.IsNil() == b.IsNil() && (a.IsNil() || same(a.Elem(), b.Elem()))
	case a.Kind() == reflect.Slice:
		if a.Len() != b.Len() {
			return false
		}
		for i := range a.Len() {
			if !same(a.Index(i), b.Index(i)) {
				return false
			}
		}
		return true
	}
	return a.Equal(b) // it panics on what descriptors are not made of
}
