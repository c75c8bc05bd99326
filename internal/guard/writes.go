package guard

import (
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/lorimer-dev/lorimer/internal/lazyre"
)

// target is a file that a command does something to.
type target struct {
	said string // as it stands in the line
	file string
	cwd  string
	test func(file, cwd string) bool
}

// writes returns what a command writes to, removes or moves, as far as it is known and can be read off the line.
func (g Guard) writes(name string, words []word, cwd string) (all []target) {
	args := unbraced(texts(words))
	files := operands(args)
	add := func(test func(file, cwd string) bool, files ...string) {
		for _, f := range files {
			all = append(all, target{f, strings.TrimPrefix(f, "of="), cwd, test})
		}
	}
	switch name {
	case "rm", "rmdir", "shred":
		add(g.holds, files...)
	case "tee", "touch", "truncate", "unlink", "chmod", "chown", "dd", "patch":
		add(g.protects, files...)
	case "mv", "cp", "ln", "install", "rsync":
		from, to := fromTo(name, args, files)
		if name == "mv" {
			add(g.holds, from...)
		}
		add(g.protects, to)
		for _, f := range from { // when it is a directory
			all = append(all, target{to, filepath.Join(to, path.Base(f)), cwd, g.protects})
		}
	case "sed", "perl":
		if slices.ContainsFunc(args, inPlace.Re().MatchString) {
			add(g.protects, files...)
		}
	case "curl", "wget", "sort":
		add(g.protects, values(args, map[string]string{"curl": "-o", "wget": "-O", "sort": "-o"}[name], "--output", "--output-document")...)
	case "find":
		if slices.Contains(args, "-delete") || slices.Contains(args, "rm") {
			add(g.wholly, files...)
		}
	case "git":
		return g.gitWrites(args, cwd)
	case "apply_patch", "applypatch":
		for _, w := range words {
			add(g.protects, patched(w.text)...)
		}
	}
	return all
}

// inPlace fits the flags by which sed and perl write to what they read. Letters that take the rest of the word are left out.
var inPlace = lazyre.Pattern{Expr: `^(-[0-9acElnprsStuwWz]*i|--in-place)`}

// operands are the arguments that are no flags.
func operands(args []string) (all []string) {
	for i, a := range args {
		if a == "--" {
			return append(all, args[i+1:]...)
		}
		if !strings.HasPrefix(a, "-") {
			all = append(all, a)
		}
	}
	return all
}

// values are those of a flag, in the ways that it can be written.
func values(args []string, short string, long ...string) (all []string) {
	for i, a := range args {
		name, value, joined := strings.Cut(a, "=")
		switch {
		case (a == short || slices.Contains(long, a)) && i+1 < len(args):
			all = append(all, args[i+1])
		case joined && slices.Contains(long, name):
			all = append(all, value)
		case strings.HasPrefix(a, short) && len(a) > len(short):
			all = append(all, a[len(short):])
		}
	}
	return all
}

// fromTo tells what is copied or moved from where to.
func fromTo(name string, args, files []string) (from []string, to string) {
	if dir := values(args, "-t", "--target-directory"); len(dir) > 0 && name != "rsync" { // to which -t is about times
		return files, dir[0]
	}
	if len(files) < 2 {
		return files, ""
	}
	return files[:len(files)-1], files[len(files)-1]
}

// gitWrites: git takes files back to what was committed, or away.
func (g Guard) gitWrites(args []string, cwd string) (all []target) {
	for len(args) > 1 && strings.HasPrefix(args[0], "-") {
		if args[0] == "-C" {
			cwd = g.absolute(args[1], cwd)
		}
		if args[0] == "-C" || args[0] == "-c" {
			args = args[1:]
		}
		args = args[1:]
	}
	if len(args) == 0 || !slices.Contains([]string{"checkout", "restore", "rm", "mv", "clean"}, args[0]) {
		return nil
	}
	if has := func(flags ...string) bool {
		return slices.ContainsFunc(args, func(a string) bool { return slices.Contains(flags, a) })
	}; has("--cached", "-n", "--dry-run") || has("--staged", "-S") && !has("--worktree", "-W") {
		return nil
	}
	for _, f := range operands(args[1:]) {
		all = append(all, target{f, f, cwd, g.wholly})
	}
	return all
}

var patchLine = lazyre.Pattern{Expr: `(?m)^\*\*\* (?:(?:Add|Update|Delete) File|Move to): (.+?)\s*$`}

// patched are the files that a patch in apply_patch's own form names.
func patched(text string) (all []string) {
	for _, m := range patchLine.Re().FindAllStringSubmatch(text, -1) {
		all = append(all, m[1])
	}
	return all
}
