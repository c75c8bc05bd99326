package permrule

import (
	"regexp"
	"slices"
	"strings"
)

// Call is a tool call.
type Call struct {
	Tools   []string // the names that the tool goes by
	Command string   // of a shell tool; "" = it has none
	Files   []string // absolute
	Root    string   // the project's root, absolute
	Home    string   // the user's, absolute; may be empty
}

// Fits says whether the rule is about the call. A text that is no rule fits nothing.
func Fits(rule string, call Call) bool {
	tool, content, has := strings.Cut(rule, "(")
	if has && !strings.HasSuffix(content, ")") || !named(tool, call.Tools) {
		return false
	}
	content = strings.TrimSuffix(content, ")")
	switch {
	case content == "" || content == "*":
		return true
	case call.Command != "":
		return fitsCommand(strings.TrimSpace(content), call.Command, call.Home)
	case len(call.Files) > 0:
		return slices.ContainsFunc(call.Files, func(f string) bool { return fitsFile(content, f, call) })
	}
	return true // about something else, such as a host's name: the handler will see
}

func named(tool string, names []string) bool {
	return slices.ContainsFunc(names, func(n string) bool {
		return n == tool || strings.HasPrefix(tool, "mcp__") && strings.HasPrefix(n, tool+"__")
	})
}

// fitsCommand tests a pattern against each command of a shell line. The line as a whole is not tested. What a command will be
// to the letter may not be known; then every pattern fits that says it to the letter.
func fitsCommand(pattern, line, home string) bool {
	commands, exact, sure := commandsOf(line, home)
	if !sure || !exact && !ofName(pattern) {
		return true
	}
	return slices.ContainsFunc(commands, commandPattern(pattern))
}

// ofName says whether a pattern is about a command's name alone, whatever its arguments are.
func ofName(pattern string) bool {
	name, ok := strings.CutSuffix(pattern, ":*")
	if !ok {
		name, ok = strings.CutSuffix(pattern, " *")
	}
	if !ok {
		name, ok = strings.CutSuffix(pattern, "*")
	}
	return ok && !strings.ContainsAny(name, " *")
}

// commandPattern: "x:*" is x and what begins with it, * is any text, and a last " *" may be missing.
func commandPattern(pattern string) func(string) bool {
	if prefix, ok := strings.CutSuffix(pattern, ":*"); ok {
		return func(c string) bool { return c == prefix || strings.HasPrefix(c, prefix+" ") }
	}
	if !strings.Contains(pattern, "*") {
		pattern = strings.Join(strings.Fields(pattern), " ")
		return func(c string) bool { return c == pattern }
	}
	body, optional := strings.CutSuffix(pattern, " *")
	expr := strings.ReplaceAll(regexp.QuoteMeta(body), `\*`, `.*`)
	if optional {
		expr += `( .*)?`
	}
	re, err := regexp.Compile(`(?s)^` + expr + `$`)
	if err != nil { // no UTF-8: it cannot be told
		return func(string) bool { return true }
	}
	return re.MatchString
}
