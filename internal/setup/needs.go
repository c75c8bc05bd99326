package setup

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/lorimer-dev/lorimer/internal/lazyre"
	"github.com/lorimer-dev/lorimer/internal/manifest"
	"github.com/lorimer-dev/lorimer/internal/materialize"
	"github.com/lorimer-dev/lorimer/internal/plainfile"
)

// needs says which handlers cannot work as they stand: their file is not there or cannot be started, or they need a program
// that is not here. Nothing is run for it, so it sees what is plain to see.
func (c *Command) needs(s *survey) (notes []string) {
	for _, r := range s.Handlers {
		if len(r.handler.Argv) > 0 { // what is said of it below says more
			warned := materialize.NoProgram(r.Name, r.handler.Argv[0])
			s.Notes = slices.DeleteFunc(s.Notes, func(n string) bool { return n == warned })
		}
		if slices.ContainsFunc(s.Ready, func(x Ready) bool { return x.Name == r.Name }) {
			continue
		}
		for _, n := range c.lacks(s.Root, r.handler) {
			if line := r.Name + ": " + n; !slices.Contains(notes, line) && !slices.Contains(s.Notes, line) {
				notes = append(notes, line)
			}
		}
	}
	return notes
}

// lacks says what one handler lacks.
func (c *Command) lacks(root string, h manifest.Handler) (all []string) {
	words := h.Argv
	if h.Run != "" {
		words = shellWords(h.Run)
	}
	text := h.Command()
	if strings.Contains(strings.ReplaceAll(text, pluginRoot+":-", ""), pluginRoot) {
		all = append(all, fmt.Sprintf("%s is set for the hooks of a plugin alone, and here it is empty; write ${CLAUDE_PROJECT_DIR} and the path in the clone", pluginRoot))
	}
	if said := unreadable(h.Run); said != "" {
		all = append(all, "a shell cannot read its command: "+said)
	}
	for i, w := range words[:min(len(words), 2)] {
		w = c.expanded(root, w)
		if rest, ok := strings.CutPrefix(w, "~/"); ok && h.Run != "" { // a shell's; in argv it is a directory of that name
			w = filepath.Join(c.userHome(), rest)
		}
		switch {
		case strings.ContainsAny(w, "$`*?") || h.Run != "" && strings.HasPrefix(w, "~"):
			continue
		case strings.Contains(w, "/") && i == 0 || i == 1 && interprets(words[0]) && w != "" && w[0] != '-' && strings.Contains(w, "/"):
			said, src := c.script(root, w, i == 0)
			all = append(all, said...)
			text += "\n" + src
		case i == 0 && h.Run == "" && !c.has(w), i == 0 && h.Run != "" && !c.has(w) && !builtin(w) && plainName.Re().MatchString(w):
			all = append(all, fmt.Sprintf("it starts %s, which is not on PATH; install it", w))
		}
	}
	for _, tool := range tools {
		if mentions(text, tool) && !c.has(tool) {
			all = append(all, fmt.Sprintf("it needs %s, which is not on PATH; install it", tool))
		}
	}
	return all
}

// pluginRoot is a variable that hooks are copied with out of plugins.
const pluginRoot = "CLAUDE_PLUGIN_ROOT"

// unreadable is what the shell that will run a line says against it, "" = nothing. The line is read and not run.
func unreadable(line string) string {
	sh, err := exec.LookPath("sh")
	if err != nil || line == "" {
		return ""
	}
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Second)
	defer cancel()
	cmd := exec.CommandContext(ctx, sh, "-n", "-c", line)
	cmd.Env = []string{"LC_ALL=C", "PATH=" + os.Getenv("PATH")}
	out, err := cmd.CombinedOutput()
	if err == nil || ctx.Err() != nil || len(out) == 0 {
		return ""
	}
	first, _, _ := strings.Cut(strings.TrimSpace(string(out)), "\n")
	if _, what, found := strings.Cut(first, ": "); found {
		first = what // without the name of the shell
	}
	return first
}

// tools are what hooks read their payload with, and what is missing from many machines.
var tools = []string{"jq", "python3"}

var plainName = lazyre.Pattern{Expr: `^[A-Za-z0-9_.+-]+$`}

// mentions says whether a script uses a program, outside of its comments.
func mentions(text, tool string) bool {
	word := regexp.MustCompile(`(^|[^\w./-])` + tool + `($|[^\w.-])`)
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "#") && !strings.HasPrefix(line, "#!") {
			continue
		}
		if strings.HasPrefix(line, "#!") {
			line = strings.ReplaceAll(line, "/", " ")
		}
		if word.MatchString(line) {
			return true
		}
	}
	return false
}

// maxScript is how many bytes of a handler's file are looked at.
const maxScript = 64 << 10

// script looks at a handler's file.
func (c *Command) script(root, file string, started bool) (lacks []string, src string) {
	path := file
	if !filepath.IsAbs(path) {
		path = filepath.Join(root, filepath.FromSlash(path))
	}
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return []string{fmt.Sprintf("%s does not exist; make it, or take the hook out", file)}, ""
	case info.IsDir():
		return []string{file + " is a directory"}, ""
	case started && info.Mode()&0o111 == 0 && os.PathSeparator == '/':
		lacks = append(lacks, fmt.Sprintf("%s is not executable; chmod +x it", file))
	}
	if info.Size() > maxScript {
		return lacks, ""
	}
	data, err := plainfile.Settings(path)
	if err != nil || bytes.IndexByte(data, 0) >= 0 {
		return lacks, "" // a program, or nothing that we may read
	}
	return lacks, string(data)
}

// expanded puts the clone's root in the place of the variables that stand for it.
func (c *Command) expanded(root, word string) string {
	for _, h := range c.Table {
		if h.Hooks == nil {
			continue
		}
		for _, v := range h.Hooks.ProjectEnv {
			word = strings.NewReplacer("${"+v+"}", root, "$"+v, root).Replace(word)
		}
	}
	return word
}

func (c *Command) has(program string) bool {
	look := c.LookPath
	if look == nil {
		look = exec.LookPath
	}
	_, err := look(program)
	return err == nil
}

func interprets(program string) bool {
	return slices.Contains([]string{"sh", "bash", "zsh", "python", "python3", "node", "bun", "deno", "ruby", "perl"}, filepath.Base(program))
}

// builtin are the words of a shell that are no programs.
func builtin(word string) bool {
	return slices.Contains(strings.Fields(": . [ [[ { ( ! alias case cd command declare echo eval exec exit export false for function if let local printf read return set shift source test time trap true type unset until while"), word)
}

// shellWords are the words of a line's first command, without their quotes, as far as that is plain.
func shellWords(line string) (words []string) {
	var word strings.Builder
	in, open := rune(0), false
	end := func() {
		if open {
			words = append(words, word.String())
		}
		word.Reset()
		open = false
	}
	for _, r := range line {
		switch {
		case in != 0 && r == in:
			in = 0
		case in != 0:
			word.WriteRune(r)
		case r == '"' || r == '\'':
			in, open = r, true
		case r == ' ' || r == '\t':
			end()
		case strings.ContainsRune(";&|<>()\n", r):
			end()
			return assigned(words)
		default:
			word.WriteRune(r)
			open = true
		}
	}
	end()
	return assigned(words)
}

var assignment = lazyre.Pattern{Expr: `^[A-Za-z_][A-Za-z0-9_]*=`}

// assigned leaves the assignments before a command out.
func assigned(words []string) []string {
	for len(words) > 0 && assignment.Re().MatchString(words[0]) {
		words = words[1:]
	}
	return words
}
