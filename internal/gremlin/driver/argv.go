// Package driver interprets a harness.Driver: it makes command lines and environments of it, reads what a harness prints, judges
// how a run ended, and counts what it used. It starts nothing, and it knows no harness.
package driver

import (
	"slices"
	"strings"

	"github.com/lorimer-dev/lorimer/internal/harness"
	"github.com/lorimer-dev/lorimer/internal/lazyre"
)

var token = lazyre.Pattern{Expr: `\{[a-z_]+\}`}

// Argv is the command line of a call, without the program. facts gives each token its value; a token without one is empty. The
// prompt is the last argument where the harness takes it so.
func Argv(c harness.Call, facts map[string]string, prompt string) (argv []string) {
	for _, a := range c.Argv {
		value, given := fill(a.Value, facts)
		switch {
		case a.When != "" && facts[a.When] == "", !given:
			continue
		case a.Flag != "" && a.Value != "":
			argv = append(argv, a.Flag, value)
		case a.Flag != "":
			argv = append(argv, a.Flag)
		default:
			argv = append(argv, value)
		}
	}
	if c.Prompt == harness.ByArgument {
		argv = append(argv, prompt)
	}
	return argv
}

// fill replaces the tokens of a value. given is false when its only token is empty: then the argument is not meant.
func fill(value string, facts map[string]string) (filled string, given bool) {
	tokens := token.Re().FindAllString(value, -1)
	filled = token.Re().ReplaceAllStringFunc(value, func(t string) string { return facts[strings.Trim(t, "{}")] })
	return filled, len(tokens) != 1 || facts[strings.Trim(tokens[0], "{}")] != ""
}

// Environ is base, as os.Environ has it, without what a child must not inherit (names, or prefixes with *), and with the pinned
// variables.
func Environ(base, scrub []string, pinned map[string]string) (env []string) {
	for _, entry := range base {
		name, _, _ := strings.Cut(entry, "=")
		if _, pin := pinned[name]; !pin && !Scrubbed(name, scrub) {
			env = append(env, entry)
		}
	}
	names := make([]string, 0, len(pinned))
	for name := range pinned {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		env = append(env, name+"="+pinned[name])
	}
	return env
}

// Scrubbed says whether a list of names and prefixes covers a variable.
func Scrubbed(name string, scrub []string) bool {
	return slices.ContainsFunc(scrub, func(s string) bool {
		prefix, any := strings.CutSuffix(s, "*")
		return name == s || any && strings.HasPrefix(name, prefix)
	})
}
