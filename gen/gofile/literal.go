package gofile

import (
	"maps"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/dave/jennifer/jen"
)

// library is where the types of generated values come from.
const library = "github.com/lorimer-dev/lorimer/internal/harness"

// Literal writes a value of a type of internal/harness as the Go code that makes it. Fields and elements that are zero are left out, long values get a line
// for each field, and what a slice's or map's type says already is not said again.
func Literal(v any) jen.Code { return full(reflect.ValueOf(v)) }

// full writes a value with its type, where one is needed.
func full(v reflect.Value) *jen.Statement {
	switch v.Kind() {
	case reflect.Pointer:
		return jen.Op("&").Add(full(v.Elem()))
	case reflect.Struct, reflect.Slice, reflect.Map:
		return typeOf(v.Type()).Add(bare(v))
	}
	return bare(v)
}

// bare writes a value of which the context gives the type.
func bare(v reflect.Value) *jen.Statement {
	switch v.Kind() {
	case reflect.Struct:
		return lay(v, fields(v))
	case reflect.Slice:
		return lay(v, elements(v))
	case reflect.Map:
		return lay(v, entries(v))
	case reflect.Int64:
		return duration(time.Duration(v.Int()))
	case reflect.String:
		if name := constant(v); name != "" {
			return jen.Qual(library, name)
		}
		if s := v.String(); strings.ContainsAny(s, `\"`) && !strings.ContainsAny(s, "`\n") {
			return jen.Op("`" + s + "`")
		}
		return jen.Lit(v.String())
	}
	return jen.Lit(v.Interface())
}

func fields(v reflect.Value) (codes []jen.Code) {
	for i := range v.NumField() {
		f := v.Field(i)
		switch {
		case f.IsZero():
		case v.Type().Field(i).Name == "Protocol":
			codes = append(codes, jen.Id("Protocol").Op(":").Qual(library, "Protocol1"))
		default:
			codes = append(codes, jen.Id(v.Type().Field(i).Name).Op(":").Add(full(f)))
		}
	}
	return codes
}

func elements(v reflect.Value) (codes []jen.Code) {
	for i := range v.Len() {
		codes = append(codes, bare(v.Index(i)))
	}
	return codes
}

func entries(v reflect.Value) (codes []jen.Code) {
	byName := map[string]reflect.Value{}
	for _, k := range v.MapKeys() {
		byName[k.String()] = v.MapIndex(k)
	}
	for _, k := range slices.Sorted(maps.Keys(byName)) {
		codes = append(codes, jen.Lit(k).Op(":").Add(bare(byName[k])))
	}
	return codes
}

// lay puts short values on one line and others on one line an entry.
func lay(v reflect.Value, codes []jen.Code) *jen.Statement {
	if width(v) <= 90 {
		return jen.Values(codes...)
	}
	return jen.ValuesFunc(func(g *jen.Group) {
		for _, c := range codes {
			g.Line().Add(c)
		}
		g.Line()
	})
}

// width is about how many characters a value takes on one line.
func width(v reflect.Value) (n int) {
	switch v.Kind() {
	case reflect.Pointer:
		return 1 + width(v.Elem())
	case reflect.String:
		return 2 + v.Len()
	case reflect.Slice:
		for i := range v.Len() {
			n += 2 + width(v.Index(i))
		}
		return n + len(v.Type().String())
	case reflect.Map:
		for _, k := range v.MapKeys() {
			n += 6 + k.Len() + width(v.MapIndex(k))
		}
		return n + len(v.Type().String())
	case reflect.Struct:
		for i := range v.NumField() {
			if f := v.Field(i); !f.IsZero() {
				n += 4 + len(v.Type().Field(i).Name) + width(f)
			}
		}
		return n
	}
	return 8
}

func typeOf(t reflect.Type) *jen.Statement {
	switch t.Kind() {
	case reflect.Slice:
		return jen.Index().Add(typeOf(t.Elem()))
	case reflect.Map:
		return jen.Map(typeOf(t.Key())).Add(typeOf(t.Elem()))
	}
	if t.PkgPath() == "" {
		return jen.Id(t.Name())
	}
	return jen.Qual(library, t.Name())
}

// constants are the named values of the string types.
var constants = map[string]map[string]string{
	"PromptBy": {"stdin": "ByStdin", "argument": "ByArgument", "file": "ByFile"},
	"Fold":     {"last": "FoldLast", "first": "FoldFirst", "sum": "FoldSum", "count": "FoldCount", "set": "FoldSet"},
}

func constant(v reflect.Value) string { return constants[v.Type().Name()][v.String()] }

// duration writes 90 s as 90 * time.Second, in the largest unit that fits.
func duration(d time.Duration) *jen.Statement {
	for _, u := range []struct {
		unit time.Duration
		name string
	}{{time.Hour, "Hour"}, {time.Minute, "Minute"}, {time.Second, "Second"}, {time.Millisecond, "Millisecond"}} {
		if d%u.unit == 0 {
			if d == u.unit {
				return jen.Qual("time", u.name)
			}
			return jen.Lit(int(d/u.unit)).Op("*").Qual("time", u.name)
		}
	}
	return jen.Lit(int64(d))
}
