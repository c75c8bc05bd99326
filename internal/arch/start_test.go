package arch

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// Every command starts with all packages of its program. What they compile before main costs each start some ten microseconds a
// pattern: lazyre.Pattern, or sync.OnceValue for what is no pattern, does it when it is asked for.
func TestNothingIsCompiledBeforeMain(t *testing.T) {
	patterns := 0
	for dir, files := range sources(t) {
		consts := constants(files)
		for _, f := range files {
			for _, d := range f.Decls {
				if g, ok := d.(*ast.GenDecl); ok && g.Tok == token.VAR {
					ast.Inspect(g, func(n ast.Node) bool {
						if call, ok := n.(*ast.CallExpr); ok && compiles(call) {
							t.Errorf("%s: %s is called before main", dir, called(call))
						}
						_, later := n.(*ast.FuncLit)
						return !later
					})
				}
			}
			ast.Inspect(f, func(n ast.Node) bool {
				lit, ok := n.(*ast.CompositeLit)
				if !ok || called(lit.Type) != "lazyre.Pattern" {
					return true
				}
				patterns++
				if len(lit.Elts) != 1 {
					t.Errorf("%s: a pattern without Expr", dir)
					return true
				}
				text, ok := constant(lit.Elts[0].(*ast.KeyValueExpr).Value, consts)
				if _, err := regexp.Compile(text); err != nil || !ok || text == "" {
					t.Errorf("%s: %q (a constant of the package: %v): %v", dir, text, ok, err)
				}
				return true
			})
		}
	}
	if patterns < 40 {
		t.Errorf("only %d patterns were found", patterns)
	}
}

// sources are the parsed sources of all that is built, without tests and what is no part of a program.
func sources(t *testing.T) map[string][]*ast.File {
	t.Helper()
	out, set := map[string][]*ast.File{}, token.NewFileSet()
	for _, top := range []string{"cmd", "gen", "hal", "internal", "harnesses", "golden", "runtime-js"} {
		err := filepath.WalkDir("../../"+top, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") || strings.Contains(path, "testdata") {
				return err
			}
			f, err := parser.ParseFile(set, path, nil, parser.SkipObjectResolution)
			out[filepath.Dir(path)] = append(out[filepath.Dir(path)], f)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return out
}

func compiles(call *ast.CallExpr) bool {
	switch called(call) {
	case "regexp.MustCompile", "regexp.Compile", "template.Must", "template.New":
		return true
	}
	return false
}

// called is a selector's text, also that of a call: regexp.MustCompile.
func called(n ast.Node) string {
	switch n := n.(type) {
	case *ast.CallExpr:
		return called(n.Fun)
	case *ast.SelectorExpr:
		if x, ok := n.X.(*ast.Ident); ok {
			return x.Name + "." + n.Sel.Name
		}
	}
	return ""
}

func constants(files []*ast.File) map[string]ast.Expr {
	out := map[string]ast.Expr{}
	for _, f := range files {
		for _, d := range f.Decls {
			g, ok := d.(*ast.GenDecl)
			if !ok || g.Tok != token.CONST {
				continue
			}
			for _, s := range g.Specs {
				v := s.(*ast.ValueSpec)
				for i, value := range v.Values {
					out[v.Names[i].Name] = value
				}
			}
		}
	}
	return out
}

// constant is the text of a constant expression: literals and constants of the package, joined.
func constant(e ast.Expr, consts map[string]ast.Expr) (string, bool) {
	switch e := e.(type) {
	case *ast.BasicLit:
		text, err := strconv.Unquote(e.Value)
		return text, err == nil
	case *ast.Ident:
		value, ok := consts[e.Name]
		if !ok {
			return "", false
		}
		return constant(value, consts)
	case *ast.BinaryExpr:
		a, ok := constant(e.X, consts)
		b, also := constant(e.Y, consts)
		return a + b, ok && also
	}
	return "", false
}
