package certify

import (
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/lorimer-dev/lorimer/internal/lazyre"
)

// Unknown is what a program reported that said nothing.
const Unknown = "unknown"

// maxReported is the length, in characters, of what is shown of an output that has no version in it.
const maxReported = 200

var (
	// controls are a terminal's sequences: colours, titles, links.
	controls = lazyre.Pattern{Expr: `\x1b(\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(\x07|\x1b\\)|[@-Z\\-_])`}
	plain    = lazyre.Pattern{Expr: `^\d+\.\d+\.\d+$`}
)

// Reported reads a version out of what a program printed: the one that whole lines match pattern with (group 1), or an output
// that is nothing but X.Y.Z. Anything else, and so an output with several versions, is returned as it reads, on one line and cut
// short; an output of nothing is Unknown. It never returns what a terminal would act on.
func Reported(pattern *regexp.Regexp, output string) string {
	output = controls.Re().ReplaceAllString(output, "")
	var found []string
	for line := range strings.Lines(output) {
		if m := pattern.FindStringSubmatch(strings.TrimSpace(line)); len(m) == 2 && !slices.Contains(found, m[1]) {
			found = append(found, m[1])
		}
	}
	text := oneLine(output)
	switch {
	case len(found) == 1:
		return found[0]
	case text == "":
		return Unknown
	case plain.Re().MatchString(text):
		return text
	}
	return cut(text, maxReported)
}

// oneLine joins the words of a text and drops what cannot be shown.
func oneLine(text string) string {
	text = strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r):
			return ' '
		case !unicode.IsPrint(r) || r == unicode.ReplacementChar:
			return -1
		}
		return r
	}, text)
	return strings.Join(strings.Fields(text), " ")
}

func cut(text string, length int) string {
	if runes := []rune(text); len(runes) > length {
		return string(runes[:length]) + "..."
	}
	return text
}
