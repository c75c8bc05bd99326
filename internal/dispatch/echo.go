package dispatch

import (
	"strings"
	"unicode/utf8"
)

// isEcho says whether a prompt is the continuation that we asked for, which some hosts send through their prompt event. It may
// come until the next stop, also behind a prompt of the user's.
func (s stops) isEcho(prompt string) bool {
	known := s.read()
	if !known.echo {
		return false
	}
	return carries(prompt, known.reason) || len(prompt) > longestReason && carries(keptReason(prompt), known.reason)
}

// longReason is how many characters a reason has that nobody's words hold by chance.
const longReason = 24

// carries says whether a prompt is the reason and nothing of a user's: the reason alone, with tags around it, or, if it is long,
// with a host's words where one element encloses all. The shims have the same rule (runtime-js/stopgate.mjs), and both pass
// runtime-js/testdata/echoes.json.
func carries(prompt, reason string) bool {
	prompt, reason = flat(prompt), flat(reason)
	if reason == "" || !strings.Contains(prompt, reason) {
		return false
	}
	if prompt == reason {
		return true
	}
	if said := untagged(reason); said != "" && untagged(prompt) == said {
		return true
	}
	name := element(prompt)
	return name != "" && strings.HasSuffix(prompt, "</"+name+">") && utf8.RuneCountInString(reason) >= longReason
}

// element is the name of the one that a text begins with.
func element(s string) string {
	inside, tag := strings.CutPrefix(s, "<")
	end := strings.IndexFunc(inside, func(r rune) bool {
		return !('a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' || r == '_' || r == '-')
	})
	if !tag || end < 1 || inside[end] != ' ' && inside[end] != '>' {
		return ""
	}
	return inside[:end]
}

// flat: hosts indent and wrap what they are given.
func flat(s string) string {
	return strings.Join(strings.FieldsFunc(s, func(r rune) bool { return strings.ContainsRune(" \t\n\v\f\r", r) }), " ")
}

// untagged leaves the tags of a text out.
func untagged(s string) string {
	var b strings.Builder
	for {
		before, rest, tag := strings.Cut(s, "<")
		b.WriteString(before)
		inside, after, ends := strings.Cut(rest, ">")
		switch {
		case !tag:
			return flat(b.String())
		case !ends || strings.Contains(inside, "<"): // no tag
			b.WriteByte('<')
			s = rest
		default:
			b.WriteByte(' ')
			s = after
		}
	}
}
