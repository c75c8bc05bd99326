package strictyaml

import (
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/lorimer-dev/lorimer/internal/lazyre"
)

// parse returns the top node of the one document, or reports why there is none.
func (c *Context) parse() *yaml.Node {
	dec := yaml.NewDecoder(strings.NewReader(c.text))
	var doc, more yaml.Node
	err := read(dec, &doc)
	if errors.Is(err, io.EOF) {
		c.ReportAt(Pos{}, Fault{What: "the file is empty", Expected: "a mapping"})
		return nil
	}
	if err == nil {
		err = read(dec, &more)
	}
	switch {
	case err == nil:
		c.Report(&more, Fault{What: "a second document begins here", Expected: "one document a file"})
	case !errors.Is(err, io.EOF):
		c.syntax(err)
	default:
		return doc.Content[0]
	}
	return nil
}

// read decodes one document. The parser is other people's and its input is anybody's, so a panic is a syntax error too.
func read(dec *yaml.Decoder, out *yaml.Node) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("the parser gave up: %v", p)
		}
	}()
	return dec.Decode(out)
}

var yamlMessage = lazyre.Pattern{Expr: `^yaml: (?:line (\d+): )?`}

// syntaxHints say what usually helps, by a part of the parser's message.
var syntaxHints = []struct{ message, hint string }{
	{"mapping values are not allowed", `a text with ": " in it needs quotes`},
	{"cannot start any token", "a text cannot begin with @, ` or %, and a tab cannot indent; use quotes or blanks"},
	{"expected ',' or '}'", "inside {} a text with a comma, brackets, quotes or ? needs single quotes"},
	{"expected ',' or ']'", "inside [] a text with a comma, brackets, quotes or ? needs single quotes"},
	{"did not find expected key", "look at the indentation, and for text behind a closing quote or bracket"},
	{"unexpected end of stream", "a quote that opens here is not closed"},
	{"unknown anchor", "a text that begins with * needs quotes"},
	{"unknown escape", `inside "" a backslash is written \\; inside '' it stands for itself`},
}

// syntax reports a parser's error at the place that broke the document.
func (c *Context) syntax(err error) {
	at := yamlMessage.Re().FindStringSubmatch(err.Error())
	line := 0
	message := err.Error()
	if at != nil {
		message = message[len(at[0]):]
		line, _ = strconv.Atoi(at[1])
	}
	pos, ok := breakingPoint(c.text)
	if !ok {
		pos = Pos{Line: max(line, 1)}
	}
	f := Fault{What: "not valid YAML: " + message, Hint: "all that stands before this place can be read"}
	for _, h := range syntaxHints {
		if strings.Contains(message, h.message) {
			f.Hint = h.hint
			break
		}
	}
	c.ReportAt(pos, f)
}

// breakingPoint finds where a text stops being YAML. The parser itself names a line at best, and often that of the
// collection around it; but what stands before the fault parses, and nothing that contains it does. ok is false when the
// text is too big to try.
func breakingPoint(text string) (pos Pos, ok bool) {
	const maxWork = 1 << 25 // bytes parsed, at most: a second or so
	lines := strings.SplitAfter(text, "\n")
	starts, at := make([]int, len(lines)), 0
	for i, l := range lines {
		starts[i] = at
		at += len(l)
	}
	// First by sections, then inside of the one that breaks: whoever validates on each key press waits for this.
	from, to, work := 0, len(lines), 0
	for i := len(lines) - 1; i > 0; i-- {
		if !beginsSection(lines[i]) {
			continue
		}
		if work += starts[i]; work > maxWork {
			return Pos{}, false
		}
		if parses(text[:starts[i]]) {
			from = i
			break
		}
		to = i
	}
	section, n := starts[from], to-1
	for ; n > from; n-- {
		if work += starts[n] - section; work > maxWork {
			return Pos{}, false
		}
		if parses(text[section:starts[n]]) {
			break
		}
	}
	return Pos{n + 1, breakingColumn(text[section:starts[n]], lines[n])}, true
}

// beginsSection says whether a line begins a key of the top.
func beginsSection(line string) bool {
	return line != "" && !strings.ContainsRune(" \t\r\n#-]}'\"", rune(line[0]))
}

// breakingColumn finds where in a line the text before it stops being YAML; the first column in a line too long to try.
func breakingColumn(before, line string) int {
	const maxRunes = 400
	runes := []rune(line)
	for col := min(len(runes), maxRunes+1); col > 1 && len(runes) <= maxRunes; col-- {
		if parses(before + string(runes[:col-1])) {
			return col
		}
	}
	return 1
}

func parses(text string) bool {
	dec := yaml.NewDecoder(strings.NewReader(text))
	for {
		var n yaml.Node
		if err := read(dec, &n); err != nil {
			return errors.Is(err, io.EOF)
		}
	}
}
