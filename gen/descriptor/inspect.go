package descriptor

import (
	"unsafe"

	"github.com/tdewolff/parse/v2"
	"github.com/tdewolff/parse/v2/js"
)

// inspect looks into a snippet that esbuild took: does it stay inside its wrapper (`a) + (b` parses too), and which names
// does it take from its surroundings? wrong says what is wrong with its form, or is "".
func inspect(text string, w wrapper, at ruler) (uses []Name, wrong string) {
	in := parse.NewInputString(w.before + text + w.after)
	buf := in.Bytes()
	ast, err := js.Parse(in, js.Options{})
	if err != nil {
		return nil, "cannot be searched for its names: " + err.Error()
	}
	for _, v := range ast.Undeclared {
		off := offset(buf, v.Data) - len(w.before)
		uses = append(uses, Name{string(v.Name()), at.offset(max(off, 0))})
	}
	return uses, wrongForm(ast, w)
}

// wrongForm says why a parsed wrapper does not hold exactly what the snippet was meant to be, or "".
func wrongForm(ast *js.AST, w wrapper) string {
	const leaves = "closes a bracket that it did not open"
	if len(ast.List) != 1 {
		return leaves
	}
	statement, ok := ast.List[0].(*js.ExprStmt)
	if !ok {
		return leaves
	}
	arrow, ok := statement.Value.(*js.ArrowFunc)
	if !ok {
		return leaves
	}
	if w.after != exprWrapper.after {
		return ""
	}
	if len(arrow.Body.List) != 1 {
		return leaves
	}
	value, ok := arrow.Body.List[0].(*js.ReturnStmt)
	if !ok {
		return leaves
	}
	group, ok := value.Value.(*js.GroupExpr)
	if !ok {
		return leaves
	}
	if _, comma := group.X.(*js.CommaExpr); comma {
		return "is two expressions with a comma between them (in parentheses they are one)"
	}
	return ""
}

// paramNames returns the names that one parameter declares.
func paramNames(text string) (names []string, wrong string) {
	const notOne = "is not one JavaScript parameter"
	ast, err := js.Parse(parse.NewInputString("("+text+"\n) => {}"), js.Options{})
	if err != nil || len(ast.List) != 1 {
		return nil, notOne
	}
	statement, ok := ast.List[0].(*js.ExprStmt)
	if !ok {
		return nil, notOne
	}
	arrow, ok := statement.Value.(*js.ArrowFunc)
	if !ok || len(arrow.Params.List) != 1 || len(arrow.Body.List) != 0 {
		return nil, notOne
	}
	if len(ast.Undeclared) > 0 {
		return nil, "uses the name " + string(ast.Undeclared[0].Name()) + ", which a parameter cannot"
	}
	for _, v := range arrow.Body.Scope.Declared {
		names = append(names, string(v.Name()))
	}
	return names, ""
}

// offset is where name, a slice of buf, begins in it; -1 when it is none. The parser keeps no positions, but its names are
// slices of its input.
func offset(buf, name []byte) int {
	off := int(uintptr(unsafe.Pointer(unsafe.SliceData(name))) - uintptr(unsafe.Pointer(unsafe.SliceData(buf))))
	if off < 0 || off+len(name) > len(buf) {
		return -1
	}
	return off
}
