package descriptor

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

// The comments of the model are the format's documentation, so none may be missing.
func TestEveryFieldIsDocumented(t *testing.T) {
	files, err := filepath.Glob("model*.go")
	if err != nil || len(files) < 5 {
		t.Fatal(files, err)
	}
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(f, func(n ast.Node) bool {
			switch x := n.(type) {
			case *ast.GenDecl:
				if x.Tok == token.TYPE && x.Doc == nil {
					t.Errorf("%s: a type has no comment", name)
				}
			case *ast.TypeSpec:
				documented(t, name, x)
			}
			return true
		})
	}
}

// plainFields say what they are by their name.
var plainFields = map[string]bool{
	"Pos": true, "Text": true, "Name": true, "Input": true, "UseID": true, "Output": true, "In": true, "Out": true, "Read": true,
	"Write": true, "Write1": true, "Window": true, "Env": true, "Files": true, "File": true, "Session": true, "Default": true,
	"Native": true, "Event": true, "When": true, "Version": true, "Value": true, "Stderr": true, "On": true, "Module": true, "Host": true,
}

func documented(t *testing.T, file string, spec *ast.TypeSpec) {
	s, ok := spec.Type.(*ast.StructType)
	if !ok {
		return
	}
	for _, f := range s.Fields.List {
		if f.Doc == nil && f.Comment == nil && ast.IsExported(f.Names[0].Name) && !plainFields[f.Names[0].Name] {
			t.Errorf("%s: %s.%s has no comment", file, spec.Name.Name, f.Names[0].Name)
		}
	}
}

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
