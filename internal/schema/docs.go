package schema

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"reflect"
	"strings"
	"unicode"
)

// Docs are the comments of structs and their fields, from Go source.
type Docs struct {
	types  map[string]string // "Handler"
	fields map[string]string // "Handler.Name"
}

// ReadDocs reads the comments of every Go file at the root of the file systems.
func ReadDocs(sources ...fs.FS) (Docs, error) {
	d := Docs{types: map[string]string{}, fields: map[string]string{}}
	for _, fsys := range sources {
		names, err := fs.Glob(fsys, "*.go")
		if err != nil {
			return d, err
		}
		for _, name := range names {
			if err := d.file(fsys, name); err != nil {
				return d, fmt.Errorf("read comments of %s: %w", name, err)
			}
		}
	}
	return d, nil
}

func (d Docs) file(fsys fs.FS, name string) error {
	src, err := fs.ReadFile(fsys, name)
	if err != nil {
		return err
	}
	f, err := parser.ParseFile(token.NewFileSet(), name, src, parser.ParseComments)
	if err != nil {
		return err
	}
	for _, decl := range f.Decls {
		gen, ok := decl.(*ast.GenDecl)
		if !ok || gen.Tok != token.TYPE {
			continue
		}
		for _, spec := range gen.Specs {
			d.typeSpec(gen, spec.(*ast.TypeSpec))
		}
	}
	return nil
}

func (d Docs) typeSpec(gen *ast.GenDecl, spec *ast.TypeSpec) {
	doc := spec.Doc
	if doc == nil && len(gen.Specs) == 1 {
		doc = gen.Doc
	}
	d.types[spec.Name.Name] = withoutName(spec.Name.Name, doc.Text())
	st, ok := spec.Type.(*ast.StructType)
	if !ok {
		return
	}
	for _, f := range st.Fields.List {
		text := f.Comment.Text()
		if f.Doc != nil {
			text = f.Doc.Text() + text
		}
		for _, n := range f.Names {
			d.fields[spec.Name.Name+"."+n.Name] = withoutName(n.Name, text)
		}
	}
}

// Type returns what a struct is, as a sentence without its Go name; "" when nobody says.
func (d Docs) Type(t reflect.Type) string { return d.types[t.Name()] }

// Field returns what a field means, as a sentence; "" when nobody says.
func (d Docs) Field(t reflect.Type, field string) string { return d.fields[t.Name()+"."+field] }

// withoutName makes "Handler is one program." a text for people who do not know the Go name: "One program."
func withoutName(name, text string) string {
	if rest, ok := strings.CutPrefix(text, name+" "); ok {
		text = strings.TrimPrefix(strings.TrimPrefix(rest, "is "), "are ")
	}
	return sentence(text)
}

// sentence joins the lines of each paragraph, begins with a capital where that changes no name, and ends with a stop.
func sentence(text string) string {
	paragraphs := strings.Split(strings.TrimSpace(text), "\n\n")
	for i, p := range paragraphs {
		paragraphs[i] = strings.Join(strings.Fields(p), " ")
	}
	text = strings.Join(paragraphs, "\n\n")
	if text == "" {
		return ""
	}
	word, rest, _ := strings.Cut(text, " ")
	if isWord(word) {
		r := []rune(word)
		r[0] = unicode.ToUpper(r[0])
		text = strings.TrimSpace(string(r) + " " + rest)
	}
	if strings.ContainsRune(".?!)", rune(text[len(text)-1])) && !strings.HasSuffix(text, ")") {
		return text
	}
	return text + "."
}

// isWord says whether a text is a word of prose and no name or value: letters alone, perhaps with a comma or a colon behind.
func isWord(s string) bool {
	s = strings.TrimRight(s, ",:;.")
	if s == "true" || s == "false" {
		return false
	}
	return s != "" && strings.IndexFunc(s, func(r rune) bool { return !unicode.IsLower(r) && r != '-' }) < 0
}
