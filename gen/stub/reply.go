package stub

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/dave/jennifer/jen"

	"github.com/lorimer-dev/lorimer/gen/descriptor"
	"github.com/lorimer-dev/lorimer/gen/plan"
	"github.com/lorimer-dev/lorimer/internal/lazyre"
	"github.com/lorimer-dev/lorimer/internal/strictyaml"
)

// reply writes one form of an answer as a harness.Reply literal.
func reply(form descriptor.Form) jen.Code {
	var f fields
	if form.Exit.N != 0 {
		f.add("Exit", jen.Lit(form.Exit.N))
	}
	if form.Stdout.Set() {
		f.add("Stdout", said(form.Stdout))
	}
	if form.Stderr.Set() {
		f.add("Stderr", said(form.Stderr))
	}
	return jen.Qual(library, "Reply").Values(f.end()...)
}

// said writes a tree as the JSON that it is, with the tokens' values quoted in; a string is said as it stands.
func said(t descriptor.Tree) jen.Code {
	if t.Kind == strictyaml.String {
		return concat(line(plain(t.Text)))
	}
	return concat(line(quoted(plan.JSON(t, ""))))
}

var (
	token      = lazyre.Pattern{Expr: `\{(?:reason|context|event|host_event|input|output_text|result|output|why|notice)\}`}
	rawToken   = lazyre.Pattern{Expr: `^\{(?:input|output)\}$`} // JSON already
	tokenInStr = lazyre.Pattern{Expr: `"(?:[^"\\]|\\.)*"`}
)

// piece is a part of an answer: text, or a token with what it becomes.
type piece struct {
	text string
	code jen.Code
}

// plain splits text at its tokens.
func plain(text string) (out []piece) {
	for len(text) > 0 {
		at := token.Re().FindStringIndex(text)
		if at == nil {
			return append(out, piece{text: text})
		}
		out = append(out, piece{text: text[:at[0]]}, piece{code: value(text[at[0]:at[1]])})
		text = text[at[1]:]
	}
	return out
}

// quoted splits JSON at the strings that hold tokens; such a string becomes a call that quotes its parts together, or, where
// it is a token for JSON and nothing else, that JSON.
func quoted(text string) (out []piece) {
	for len(text) > 0 {
		at := firstStringWithToken(text)
		if at == nil {
			return append(out, piece{text: text})
		}
		inner := unquoted(text[at[0]:at[1]])
		code := value(inner)
		if !rawToken.Re().MatchString(inner) {
			code = jen.Qual(library, "Quoted").Call(concat(plain(inner)))
		}
		out = append(out, piece{text: text[:at[0]]}, piece{code: code})
		text = text[at[1]:]
	}
	return out
}

func unquoted(literal string) (s string) {
	if err := json.Unmarshal([]byte(literal), &s); err != nil {
		panic(err) // plan.JSON wrote it
	}
	return s
}

func firstStringWithToken(text string) []int {
	all := tokenInStr.Re().FindAllStringIndex(text, -1)
	i := slices.IndexFunc(all, func(at []int) bool { return token.Re().MatchString(text[at[0]:at[1]]) })
	if i < 0 {
		return nil
	}
	return all[i]
}

func value(token string) jen.Code {
	name := strings.Trim(token, "{}")
	if name == "event" {
		return jen.String().Call(jen.Id("event"))
	}
	if name == "host_event" {
		return jen.Id("host")
	}
	if name == "output_text" {
		return jen.Qual(library, "OutputText").Call(jen.Id("output"))
	}
	return jen.Id(name)
}

// line ends an answer with a newline.
func line(ps []piece) []piece {
	if n := len(ps); n > 0 && ps[n-1].code == nil {
		ps[n-1].text += "\n"
		return ps
	}
	return append(ps, piece{text: "\n"})
}

// concat joins pieces with +.
func concat(ps []piece) jen.Code {
	var terms []jen.Code
	for _, p := range ps {
		switch {
		case p.code != nil:
			terms = append(terms, p.code)
		case p.text != "":
			terms = append(terms, literal(p.text))
		}
	}
	if len(terms) == 0 {
		return jen.Lit("")
	}
	sum := jen.Add(terms[0])
	for _, t := range terms[1:] {
		sum.Op("+").Add(t)
	}
	return sum
}

// literal writes text as a raw string where that reads better.
func literal(text string) jen.Code {
	if strings.Contains(text, `"`) && !strings.ContainsAny(text, "`\n\r\x00\ufeff") {
		return jen.Id("`" + text + "`")
	}
	return jen.Lit(text)
}
