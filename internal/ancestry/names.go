package ancestry

import (
	"path/filepath"
	"slices"
	"strings"
)

// interpreters run agents that are scripts. Shells are none: a script named like an agent starts that agent.
var interpreters = []string{"node", "nodejs", "bun", "deno", "python", "python3"}

// Interprets says whether the process is an interpreter, so that it is its script that counts.
func (p Process) Interprets() bool {
	return slices.ContainsFunc(p.own(), func(name string) bool { return slices.Contains(interpreters, name) })
}

// Names returns what the process goes by: base names, without .exe. They are those of the executable and of the command
// line's first word, which differ where a version's file is started through a link, and where a program has renamed itself;
// and an interpreter's script, as it was named.
func (p Process) Names() []string {
	names := p.own()
	if script := p.script(); script != "" {
		names = append(names, base(script))
	}
	return names
}

func (p Process) own() (names []string) {
	exe := strings.TrimSuffix(p.Exe, " (deleted)") // Linux, once an update has replaced the file
	for _, path := range []string{exe, first(p.Args)} {
		if name := base(path); name != "" && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

func first(args []string) string {
	if len(args) == 0 {
		return ""
	}
	return args[0]
}

// base takes both slashes: the vectors of one system are read on the others.
func base(path string) string {
	name := path[strings.LastIndexAny(path, `/\`)+1:]
	if cut := len(name) - len(".exe"); cut > 0 && strings.EqualFold(name[cut:], ".exe") {
		return name[:cut]
	}
	return name
}

// Scripts returns the path of an interpreter's script with forward slashes: as it was named, and with its links resolved
// where it can be found. Packages put a link to their script on PATH.
func (p Process) Scripts() (paths []string) {
	script := p.script()
	if script == "" {
		return nil
	}
	if !filepath.IsAbs(script) && p.Dir != "" {
		script = filepath.Join(p.Dir, script)
	}
	paths = append(paths, slashed(script))
	if real, err := filepath.EvalSymlinks(script); err == nil && slashed(real) != paths[0] {
		paths = append(paths, slashed(real))
	}
	return paths
}

func slashed(path string) string { return strings.ReplaceAll(path, `\`, "/") }

// Words that come before the script.
var (
	withValue   = []string{"-r", "--require", "--import", "--loader", "--experimental-loader", "-C", "--conditions", "--env-file", "--cwd", "--title", "-X", "-W"}
	subcommands = []string{"run", "x"}
	noScript    = []string{"-e", "--eval", "-p", "--print", "-c", "-m"}
)

// script is the first word of an interpreter's command line that is no option.
func (p Process) script() string {
	if !p.Interprets() || len(p.Args) < 2 {
		return ""
	}
	args := p.Args[1:]
	for i := 0; i < len(args); i++ {
		switch a := args[i]; {
		case slices.Contains(noScript, a):
			return ""
		case slices.Contains(withValue, a):
			i++
		case strings.HasPrefix(a, "-") || i == 0 && slices.Contains(subcommands, a):
		default:
			return a
		}
	}
	return ""
}
