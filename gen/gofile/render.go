// Package gofile prints Go files that jennifer has built, as people would lay them out.
package gofile

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/dave/jennifer/jen"

	"github.com/lorimer-dev/lorimer/gen/output"
	"github.com/lorimer-dev/lorimer/internal/lazyre"
)

// Render prints a file for the output folder. The error says that what was built is not Go.
func Render(path string, f *jen.File) (output.File, error) {
	var b bytes.Buffer
	if err := f.Render(&b); err != nil {
		return output.File{}, fmt.Errorf("%s does not parse: %w", path, err)
	}
	return output.File{Path: path, Data: groupImports(b.Bytes())}, nil
}

var importBlock = lazyre.Pattern{Expr: `(?s)\nimport \((.*?)\n\)`}

// groupImports puts the standard library's packages first, in a group of their own, as people do.
func groupImports(src []byte) []byte {
	block := importBlock.Re().FindSubmatch(src)
	if block == nil {
		return src
	}
	var std, other []string
	for _, l := range strings.Split(strings.TrimSpace(string(block[1])), "\n") {
		if l = strings.TrimSpace(l); strings.Contains(l, ".") {
			other = append(other, "\t"+l)
		} else {
			std = append(std, "\t"+l)
		}
	}
	groups := []string{}
	for _, g := range [][]string{std, other} {
		if len(g) > 0 {
			groups = append(groups, strings.Join(g, "\n"))
		}
	}
	return importBlock.Re().ReplaceAllLiteral(src, []byte("\nimport (\n"+strings.Join(groups, "\n\n")+"\n)"))
}
