package guard

import (
	"slices"
	"strings"

	"github.com/lorimer-dev/lorimer/internal/lazyre"
)

// maxNested is how many shells inside of shells are looked into.
const maxNested = 4

// line judges a shell line, one simple command after the other.
func (g Guard) line(line, cwd string, depth int) string {
	if depth > maxNested {
		return ""
	}
	l := parse(line)
	dirs := map[int]string{0: cwd}
	for _, c := range l.commands {
		cwd := dirOf(dirs, l.parents, c.scope)
		for _, w := range c.words {
			if w.written && g.protects(w.text, cwd) {
				return fileReason(w.text)
			}
		}
		words := unwrapped(c.words)
		if len(words) == 0 {
			continue
		}
		name := base(words[0].text)
		if dir, goes := g.goes(name, texts(words[1:]), cwd); goes {
			dirs[c.scope] = dir
			continue
		}
		if why := g.simple(name, words[1:], cwd, depth); why != "" {
			return why
		}
	}
	return ""
}

// dirOf is where a subshell is: where it went, else where the one around it is.
func dirOf(dirs map[int]string, parents []int, scope int) string {
	for {
		if dir, went := dirs[scope]; went {
			return dir
		}
		scope = parents[scope]
	}
}

// goes says where a command takes the shell to.
func (g Guard) goes(name string, args []string, cwd string) (dir string, goes bool) {
	if name != "cd" && name != "pushd" && name != "chdir" {
		return "", false
	}
	for _, a := range args {
		if !strings.HasPrefix(a, "-") {
			return g.went(a, cwd), true
		}
	}
	if name == "cd" && len(args) == 0 {
		return g.went("~", cwd), true
	}
	return "", false
}

// maxPath is longer than any path is; a line of many cds would make one that takes its time.
const maxPath = 16 << 10

func (g Guard) went(to, cwd string) string {
	if len(to)+len(cwd) > maxPath {
		return cwd
	}
	return g.absolute(to, cwd)
}

var shells = []string{"sh", "bash", "zsh", "dash", "ksh", "eval", "pwsh", "powershell", "cmd", "su", "script", "watch"}

// simple judges one command.
func (g Guard) simple(name string, words []word, cwd string, depth int) string {
	args := texts(words)
	switch {
	case name == "lorimer":
		return switches(args)
	case slices.Contains(shells, name):
		lines := append(slices.Clone(args), strings.Join(args, " ")) // eval joins its words
		for _, w := range words {
			if w.body {
				lines = append(lines, w.text)
			}
		}
		for _, l := range lines {
			if why := g.line(l, cwd, depth+1); why != "" {
				return why
			}
		}
	}
	for _, t := range g.writes(name, words, cwd) {
		if t.test(t.file, t.cwd) {
			return fileReason(t.said)
		}
	}
	return ""
}

// deciding are our commands that switch hooks off or agree to others, in the user's name. materialize is one of them, whatever
// it reads: it agrees to all that stands in the sources by then, after a `git pull` or an edit that nobody saw.
var deciding = []string{"off", "clean", "trust", "materialize", "sync", "init", "import", "adopt"}

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
	asks := func(a string) bool { return a == "--help" || a == "-h" }
	return slices.ContainsFunc(args, asks) || slices.Contains(args, "--dry-run") && !slices.ContainsFunc(args, contrary)
}

// wrapper says whether a command runs the one that is behind it. The letters are those of its flags that have a value.
func wrapper(name string) (letters string, wraps bool) {
	wrappers := map[string]string{
		"sudo": "ughpCTrtUDR", "doas": "uC", "env": "uCS", "exec": "a", "command": "", "builtin": "", "nohup": "", "time": "fo", "nice": "n",
		"timeout": "sk", "xargs": "IndPLEsa", "setsid": "", "npx": "pc", "stdbuf": "ioe", "ionice": "cn", "busybox": "",
		"if": "", "then": "", "else": "", "elif": "", "while": "", "until": "", "do": "", "!": "", "{": "",
	}
	letters, wraps = wrappers[name]
	return letters, wraps
}

var assignment = lazyre.Pattern{Expr: `^[A-Za-z_][A-Za-z0-9_]*=`}

// unwrapped takes away what stands before the command itself.
func unwrapped(words []word) []word {
	inside, valued := false, ""
	for len(words) > 0 {
		w := words[0].text
		letters, wraps := wrapper(base(w))
		switch {
		case words[0].written: // it may stand anywhere
		case assignment.Re().MatchString(w):
		case wraps:
			inside, valued = true, letters
		case inside && len(w) == 2 && w[0] == '-' && strings.IndexByte(valued, w[1]) >= 0 && len(words) > 1:
			words = words[1:]
		case inside && (strings.HasPrefix(w, "-") || w != "" && w[0] >= '0' && w[0] <= '9'): // a wrapper's own arguments
		default:
			return words
		}
		words = words[1:]
	}
	return nil
}
