package arch

import (
	"go/ast"
	"go/types"
	"reflect"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/go/packages"
)

// later lists descriptor fields that are loaded and validated already but have no consumer yet, with what will read them.
// The list only ever gets shorter: a field that has found its consumer must leave it.
var later = map[string]string{
	"Descriptor.Skills": "skills",
	"Skills.*":          "skills",
}

// through lists fields that are read by a method of the model, which then has to be called from outside.
var through = map[string]string{"GenerativeRow.Via": "ChannelOf"}

// TestEveryDescriptorFieldHasAConsumer: a key that nothing reads is a promise that nobody keeps.
func TestEveryDescriptorFieldHasAConsumer(t *testing.T) {
	if testing.Short() {
		t.Skip("type-checks the generator")
	}
	declared, consumed := descriptorFields(t)
	used := map[string]bool{}
	for _, f := range declared {
		entry := laterEntry(f)
		switch {
		case consumed[f] && entry == f:
			t.Errorf("%s has a consumer now: take it off the list", f)
		case !consumed[f] && entry == "":
			t.Errorf("nothing outside gen/descriptor reads %s", f)
		}
		used[entry] = used[entry] || !consumed[f]
	}
	for entry := range later {
		if !used[entry] {
			t.Errorf("%s stands on the list for nothing", entry)
		}
	}
	if len(declared) < 100 {
		t.Errorf("only %d fields were found", len(declared))
	}
}

func laterEntry(field string) string {
	for _, e := range []string{field, strings.Split(field, ".")[0] + ".*"} {
		if _, ok := later[e]; ok {
			return e
		}
	}
	return ""
}

// descriptorFields returns every field that a YAML key fills, as Struct.Field, and those that code outside of gen/descriptor
// selects.
func descriptorFields(t *testing.T) (declared []string, consumed map[string]bool) {
	t.Helper()
	const pkg = module + "gen/descriptor"
	cfg := &packages.Config{Mode: packages.NeedName | packages.NeedTypes | packages.NeedTypesInfo | packages.NeedSyntax | packages.NeedImports | packages.NeedDeps}
	loaded, err := packages.Load(cfg, module+"gen/...")
	if err != nil || packages.PrintErrors(loaded) > 0 {
		t.Fatalf("load gen: %v", err)
	}
	consumed, owner := map[string]bool{}, map[types.Object]string{}
	calls := map[string]bool{} // methods of the model that are called from outside
	for _, p := range loaded {
		if p.PkgPath == pkg {
			declared = structFields(p.Types, owner)
		}
	}
	for _, p := range loaded {
		if p.PkgPath == pkg {
			continue
		}
		for _, file := range p.Syntax {
			ast.Inspect(file, func(n ast.Node) bool {
				if sel, ok := n.(*ast.SelectorExpr); ok {
					switch s := p.TypesInfo.Selections[sel]; {
					case s != nil && s.Kind() == types.FieldVal:
						consumed[owner[s.Obj()]] = true
					case s != nil:
						calls[s.Obj().Name()] = true
					}
				}
				return true
			})
		}
	}
	for field, method := range through {
		consumed[field] = consumed[field] || calls[method]
	}
	return declared, consumed
}

func structFields(p *types.Package, owner map[types.Object]string) (names []string) {
	for _, name := range p.Scope().Names() {
		s, ok := p.Scope().Lookup(name).Type().Underlying().(*types.Struct)
		if !ok || !p.Scope().Lookup(name).Exported() {
			continue
		}
		for i := range s.NumFields() {
			tag := reflect.StructTag(s.Tag(i)).Get("yaml")
			owner[s.Field(i)] = name + "." + s.Field(i).Name()
			if tag != "" && tag != "-" {
				names = append(names, name+"."+s.Field(i).Name())
			}
		}
	}
	slices.Sort(names)
	return names
}
