package descriptor

import (
	"reflect"
	"strings"
	"testing"
)

// A template, a tree with tokens or a path is checked by its field's tag, so a field without the tag would not be.
func TestTagsOfCheckedTypes(t *testing.T) {
	seen := map[reflect.Type]bool{}
	var visit func(reflect.Type, string, reflect.StructTag)
	visit = func(rt reflect.Type, name string, tag reflect.StructTag) {
		switch rt {
		case reflect.TypeFor[Template]():
			if tag.Get("tokens") == "" {
				t.Errorf("%s is a template without tokens", name)
			}
			return
		case reflect.TypeFor[FilePath](), reflect.TypeFor[PerOS]():
			if pathForms[tag.Get("path")] == "" {
				t.Errorf("%s is a path whose tag says %q", name, tag.Get("path"))
			}
			return
		}
		switch rt.Kind() {
		case reflect.Pointer, reflect.Slice:
			visit(rt.Elem(), name, tag)
		case reflect.Struct:
			if seen[rt] && !strings.HasPrefix(rt.Name(), "Entry[") {
				return
			}
			seen[rt] = true
			for i := range rt.NumField() {
				f := rt.Field(i)
				inner := f.Tag
				if _, ok := f.Tag.Lookup("yaml"); !ok {
					inner = tag
				}
				if f.IsExported() && f.Name != "Node" {
					visit(f.Type, rt.Name()+"."+f.Name, inner)
				}
			}
		}
	}
	visit(reflect.TypeFor[Descriptor](), "", "")
}
