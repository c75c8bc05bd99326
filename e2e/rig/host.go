//go:build linux

package rig

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"runtime"

	"github.com/lorimer-dev/lorimer/internal/fakemodel"
)

// Host is one agent under test.
type Host struct {
	ID      string   // as in lorimer.yaml
	Name    string   // for people
	Modes   []string // ways to run it without a terminal, the plainest first
	Talk    string   // the one of Modes that takes commands on standard input and lives until it is closed; empty = none
	Prompts string   // a further mode: it takes prompts one after the other (Process.Prompt) and lives until its input is closed; empty = none
	// Those of Modes that differ from the plainest in what is printed alone: the same program runs in the same way.
	Formats []string
	Serve   string   // the one of Modes that serves sessions over HTTP (server.go); empty = none
	Stdin   bool     // it takes the prompt on standard input
	Slow    bool     // a start costs seconds
	Endless bool     // without a terminal its sessions end without a SessionEnd
	Group   bool     // it is two processes: an interrupt goes to both, as a terminal sends it
	Says    []string // what it says on standard error of itself

	Trusts bool // it runs only hooks that it was told to trust: lorimer materialize --trust tells it

	Shell     string // name on the wire of the tool that runs a shell line; its input is {"command": ...}
	Write     string // of the tool that writes a file; its input is {WritePath: ..., WriteText: ...}
	WritePath string
	ShellKey  string                                    // the key of that input, where it is not command
	Patch     func(path, content string) fakemodel.Step // how a file with one line is made, where no tool writes one
	WriteText string                                    // empty = "content"
	// A call that changes a text in a file and that the user would be asked about; nil = no call is, the way that it is run here.
	Ungranted func(path, from, to string) fakemodel.Step
	Asks      bool // about that call it asks only where Options.Ask says so

	Escape func(string) string // what it makes of context that hooks give; nil = nothing

	Manners Manners // what it makes of things, in its own words

	pkg     string                 // npm package, for its version
	exe     func(Install) []string // argv that starts it
	args    func(mode string, o Options) []string
	env     func(url string) []string
	prepare func(home, url string) error // its own config in the throwaway home; nil = none
	newest  func(home string) string     // the session that began last; nil = sessions have the ids that they are given
}

// Options is what one start of a host is asked to do.
type Options struct {
	Mode    string // one of Host.Modes; empty = the first
	Prompt  string // ignored in Host.Talk, which takes it as a command
	Session string // id that the session is to have, where the host lets itself be told; empty = the host's choice
	Fork    string // id of the session to fork; where the host chose it, the newest one is meant; empty = a new one

	Ask       bool     // ask before a tool does anything, where the host would not (Host.Asks)
	Untrusted bool     // do not tell the host to trust the project, where it asks for that
	Args      []string // more arguments, where the host takes some
}

// Hosts are the agents that every test runs: they start at once.
var Hosts = []*Host{Claude, Pi}

// All are the agents that can be run.
var All = append(Hosts[:len(Hosts):len(Hosts)], Omp, Opencode, Qwen, Gemini)

// Cased are the agents that every case is run on: All, and those that the other suites do not run yet.
var Cased = append(All[:len(All):len(All)], Codex, Copilot)

// Install is where the pinned packages of e2e/package.json lie.
type Install struct {
	Modules string // the node_modules directory
}

// Installed looks the hosts' packages up below dir, which has the package.json that pins them. The error says what is missing
// and how to get it.
func Installed(dir string, hosts ...*Host) (Install, error) {
	dir, err := filepath.Abs(dir)
	in := Install{Modules: filepath.Join(dir, "node_modules")}
	if err != nil {
		return in, err
	}
	if runtime.GOOS != "linux" || runtime.GOARCH != "amd64" {
		return in, fmt.Errorf("the pinned harnesses are those of linux/amd64; this is %s/%s", runtime.GOOS, runtime.GOARCH)
	}
	for _, h := range hosts {
		for _, f := range h.exe(in) {
			if _, err := os.Stat(f); err != nil {
				return in, fmt.Errorf("%s is not installed: %w; expected it from: npm ci --ignore-scripts --prefix %s", h.Name, err, dir)
			}
		}
	}
	return in, nil
}

// Interpreter is the program that runs the host.
func (h *Host) Interpreter(in Install) string { return h.exe(in)[0] }

// Version is that of the installed package.
func (h *Host) Version(in Install) string {
	var p struct{ Version string }
	b, err := os.ReadFile(filepath.Join(in.Modules, filepath.FromSlash(h.pkg), "package.json"))
	if err != nil || json.Unmarshal(b, &p) != nil {
		return "(unknown version)"
	}
	return p.Version
}
