// Package guard is the built-in handler that keeps an agent from taking its own hooks away: it refuses tool calls that write
// to files which Lorimer works by, and shell commands that switch hooks off.
//
// It is a guard rail, not a sandbox. It sees what a hook sees, a tool's name and arguments, and judges by them alone; it runs
// nothing and reads nothing but links. An agent that wants to get around it can (docs/security.md says how); one that drifts
// into "the hook is in my way, so I remove it" is told no, and why.
package guard

import (
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/lorimer-dev/lorimer/internal/harness"
	"github.com/lorimer-dev/lorimer/internal/lazyre"
)

// Guard knows what is protected.
type Guard struct {
	root   string            // of the clone
	paths  []string          // absolute; a directory protects all that is below
	expand *strings.Replacer // of what stands for directories in shell lines
}

// Places is where protected files may lie.
type Places struct {
	Root    string   // of the clone, absolute
	Home    string   // the user's; "" = unknown
	State   string   // the state home; "" = unknown
	Sources []string // what the hooks were compiled from: slash paths below Root, or absolute
}

// New returns the guard of a clone: our own directory and the state home, what the hooks were compiled from, and the files
// from which every harness of the table, used or not, loads a shim or hooks.
func New(table []*harness.Harness, at Places) Guard {
	g := Guard{root: real(at.Root), expand: strings.NewReplacer("${CLAUDE_PROJECT_DIR}", at.Root, "$CLAUDE_PROJECT_DIR", at.Root, "${HOME}", at.Home, "$HOME", at.Home)}
	add := func(base string, paths ...string) {
		for _, p := range paths {
			if p = filepath.FromSlash(p); p != "" && (base != "" || filepath.IsAbs(p)) {
				if !filepath.IsAbs(p) {
					p = filepath.Join(base, p)
				}
				g.paths = append(g.paths, real(p))
			}
		}
	}
	add(at.Root, ".lorimer", "lorimer.yaml")
	add(at.Root, at.Sources...)
	add("", at.State)
	for _, h := range table {
		if h.Shim != nil {
			add(at.Root, h.Shim.Project)
			add(at.Home, h.Shim.User)
		}
		if h.Hooks != nil {
			add(at.Root, h.Hooks.Local, h.Hooks.Shared)
			add(at.Home, h.Hooks.User)
		}
	}
	return g
}

// Refuses returns why a tool call is refused, or "". tool is Claude's name of the tool, files what it touches and command what
// it gives to a shell ("" = nothing). Relative paths are relative to cwd.
func (g Guard) Refuses(tool string, files []string, command, cwd string) string {
	if command != "" {
		return g.line(command, cwd, 0)
	}
	if reads(tool) {
		return ""
	}
	for _, f := range files {
		if g.protects(f, cwd) {
			return fileReason(f)
		}
	}
	return ""
}

// readers are tools that only look.
var readers = []string{"Read", "Grep", "Glob", "LS", "NotebookRead"}

// A tool that is nobody's in particular, of an MCP server's or with a name of its host's, tells by its name that it only looks.
var (
	looks   = lazyre.Pattern{Expr: `^(?:mcp__.*__)?(?i:read|get|list|search|find|view|stat|show|grep|glob|directory_tree|tree|describe|check)([A-Z_-]|$)`}
	changes = lazyre.Pattern{Expr: `(?i)replace|edit|write|delete|remove|update|insert|patch|move|rename|create|(^|_)set(_|$)`}
)

func reads(tool string) bool {
	own := tool[strings.LastIndex(tool, "__")+1:]
	return slices.Contains(readers, tool) || looks.Re().MatchString(tool) && !changes.Re().MatchString(own)
}

// protects says whether a path is protected.
func (g Guard) protects(file, cwd string) bool {
	return g.any(file, cwd, func(file, kept string) bool { return below(file, kept) })
}

// holds says whether a path is protected or a directory with something in it that is. What is above the clone is left to
// whoever guards the machine: that it has hooks in it is not what is wrong with removing it.
func (g Guard) holds(file, cwd string) bool {
	return g.any(file, cwd, func(file, kept string) bool {
		return below(file, kept) || below(kept, file) && (file == g.root || !below(g.root, file))
	})
}

// wholly is holds without the clone as such: what is done to all of it has files of the user's in view, not ours.
func (g Guard) wholly(file, cwd string) bool {
	return g.holds(file, cwd) && real(g.absolute(file, cwd)) != g.root
}

func (g Guard) any(file, cwd string, test func(file, kept string) bool) bool {
	if file == "" {
		return false
	}
	file = real(g.absolute(file, cwd))
	return slices.ContainsFunc(g.paths, func(kept string) bool {
		if isPattern(file) {
			if found := fitting(file, kept); found != "" && test(found, kept) {
				return true
			}
		}
		return test(file, kept)
	})
}

func (g Guard) absolute(file, cwd string) string {
	if rest, ok := strings.CutPrefix(file, "~"); ok && (rest == "" || rest[0] == '/') {
		file = "$HOME" + rest
	}
	file = strings.NewReplacer("${PWD}", cwd, "$PWD", cwd).Replace(file)
	if file = filepath.FromSlash(g.expand.Replace(file)); filepath.IsAbs(file) {
		return file
	}
	return filepath.Join(cwd, file)
}

// below compares without case: some file systems do.
func below(file, dir string) bool {
	file, dir = strings.ToLower(file), strings.ToLower(dir)
	return file == dir || strings.HasPrefix(file, strings.TrimSuffix(dir, string(filepath.Separator))+string(filepath.Separator))
}

// real resolves the links of a path as far as it exists.
func real(p string) string {
	p = filepath.Clean(p)
	if r, err := filepath.EvalSymlinks(p); err == nil {
		return r
	}
	if dir := filepath.Dir(p); dir != p {
		return filepath.Join(real(dir), filepath.Base(p))
	}
	return p
}

func fileReason(file string) string {
	return fmt.Sprintf("%s is one of the files that this project's hooks work by, and an agent may not change it "+
		"(self_protect). If it has to change, ask the user to do it, or to set self_protect: false in lorimer.yaml.", file)
}

func commandReason(command string) string {
	return fmt.Sprintf("`%s` would switch off hooks of this project or change what is trusted, and that is the user's to decide "+
		"(self_protect). If it has to be, ask the user to run it; with --dry-run it only shows what it would do, and is allowed.", command)
}

// base is the name of a program without its directory and ending.
func base(word string) string {
	word = path.Base(strings.ReplaceAll(word, `\`, "/"))
	return strings.TrimSuffix(strings.ToLower(word), ".exe")
}
