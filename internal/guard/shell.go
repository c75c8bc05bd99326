package guard

import (
	"regexp"
	"slices"
	"strings"
	"sync"
)

// maxNested is how many shells inside of shells are looked into.
const maxNested = 4

// line judges a shell line, one simple command after the other.
func (g Guard) line(line, cwd string, depth int) string {
	if depth > maxNested {
		return ""
	}
	for _, words := range commands(line) {
		for _, w := range words {
			if w.written && g.protects(w.text, cwd) {
				return fileReason(w.text)
			}
		}
		if words = unwrapped(words); len(words) == 0 {
			continue
		}
		if base(words[0].text) == "cd" && len(words) > 1 {
			cwd = g.absolute(words[1].text, cwd)
		}
		if why := g.simple(base(words[0].text), texts(words[1:]), cwd, depth); why != "" {
			return why
		}
	}
	return ""
}

var shells = []string{"sh", "bash", "zsh", "dash", "ksh", "eval", "pwsh", "powershell", "cmd"}

// simple judges one command.
func (g Guard) simple(name string, args []string, cwd string, depth int) string {
	switch {
	case name == "lorimer":
		return switches(args)
	case slices.Contains(shells, name):
		for _, a := range append(args, strings.Join(args, " ")) { // eval joins its words
			if why := g.line(a, cwd, depth+1); why != "" {
				return why
			}
		}
	}
	for i, a := range args {
		test := g.touched(name, args, i)
		if test != nil && !strings.HasPrefix(a, "-") && test(strings.TrimPrefix(a, "of="), cwd) {
			return fileReason(a)
		}
	}
	return ""
}

// touched says how the i-th word of a command is to be tested: nil = the program only reads it, as far as is known.
func (g Guard) touched(name string, args []string, i int) func(file, cwd string) bool {
	last := i == len(args)-1
	switch name {
	case "rm", "rmdir", "shred":
		return g.holds
	case "mv":
		if !last {
			return g.holds
		}
		return g.protects
	case "cp", "ln", "install":
		if !last {
			return nil
		}
		return g.protects
	case "tee", "touch", "truncate", "unlink", "chmod", "chown", "dd":
		return g.protects
	case "sed", "perl":
		if slices.ContainsFunc(args, func(a string) bool { return inPlace().MatchString(a) }) {
			return g.protects
		}
	}
	return nil
}

var inPlace = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^(-[a-zA-Z]*i|--in-place)`) })

// deciding are our commands that switch hooks off or agree to others, in the user's name. materialize is one of them, whatever
// it reads: it agrees to all that stands in the sources by then, after a `git pull` or an edit that nobody saw.
var deciding = []string{"off", "clean", "trust", "materialize", "sync", "init"}

// switches says why a command of ours is refused, or "". Looking is allowed.
func switches(args []string) string {
	for i, a := range args {
		switch {
		case strings.HasPrefix(a, "-"):
			continue
		case slices.Contains(deciding, a) && !onlyShows(args[i+1:]):
			return commandReason("lorimer " + a)
		case i == 0 || !strings.HasPrefix(args[i-1], "-"): // else it may be the flag's value
			return ""
		}
	}
	return ""
}

// onlyShows says whether the command was told to change nothing.
func onlyShows(args []string) bool {
	if i := slices.Index(args, "--"); i >= 0 {
		args = args[:i]
	}
	contrary := func(a string) bool { return strings.HasPrefix(a, "--dry-run=") }
	return slices.Contains(args, "--dry-run") && !slices.ContainsFunc(args, contrary)
}

// wrappers run the command that is behind them.
var wrappers = []string{
	"sudo", "doas", "env", "exec", "command", "builtin", "nohup", "time", "nice", "timeout", "xargs", "setsid", "npx",
	"if", "then", "else", "elif", "while", "until", "do", "!", "{",
}

var assignment = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*=`) })

// unwrapped takes away what stands before the command itself.
func unwrapped(words []word) []word {
	inside := false
	for len(words) > 0 {
		w := words[0].text
		switch {
		case assignment().MatchString(w):
		case slices.Contains(wrappers, base(w)):
			inside = true
		case inside && (strings.HasPrefix(w, "-") || w != "" && w[0] >= '0' && w[0] <= '9'): // a wrapper's own arguments
		default:
			return words
		}
		words = words[1:]
	}
	return nil
}
