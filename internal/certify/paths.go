package certify

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/lorimer-dev/lorimer/internal/harness"
	"github.com/lorimer-dev/lorimer/internal/lazyre"
)

// Paths are all places of one version of one harness. Every one is absolute and lies below Root.
type Paths struct {
	Root    string `json:"root"`
	Runtime string `json:"runtime"` // what is installed, as a whole
	Binary  string `json:"binary"`  // what starts it
	Agent   string `json:"agent"`   // its own configuration, sessions and logins
	Home    string `json:"home"`    // its HOME
	Auth    string `json:"auth"`    // snapshots of logins
}

// exact is one version and nothing more: it becomes part of paths and of npm's arguments.
var exact = lazyre.Pattern{Expr: `^\d+\.\d+\.\d+(-[0-9A-Za-z]+([.-][0-9A-Za-z]+)*)?$`}

// PathsOf returns the places of a version below root, which must be absolute. goos is runtime.GOOS, or another for tests. The
// error says that version is none.
func PathsOf(root string, c *harness.Certified, version, goos string) (Paths, error) {
	if !exact.Re().MatchString(version) {
		return Paths{}, fmt.Errorf("%q is no version of %s; expected an exact one, such as %s", version, c.Name, c.Version)
	}
	exe := c.Binary
	if goos == "windows" {
		exe += ".exe"
	}
	runtime := filepath.Join(root, "runtimes", c.ID, c.Binary+"-"+version)
	p := Paths{
		Root: root, Runtime: runtime, Binary: filepath.Join(runtime, "bin", exe),
		Agent: filepath.Join(root, "agent", c.ID), Home: filepath.Join(root, "home", c.ID), Auth: filepath.Join(root, "auth", c.ID),
	}
	return p, p.Owned()
}

// Owned returns an error when one of the paths does not lie below the root.
func (p Paths) Owned() error {
	for _, path := range []string{p.Runtime, p.Binary, p.Agent, p.Home, p.Auth} {
		if !below(p.Root, path) {
			//lint:ignore ST1005 these are the words of the contract, which programs read
			return fmt.Errorf("Runtime path escapes Lorimer root: %s", path)
		}
	}
	return nil
}

// storage are the directories that are there before anything is installed, in the order in which they are made.
func (p Paths) storage() []string {
	return []string{p.Root, filepath.Dir(p.Runtime), p.Agent, p.Home, p.Auth}
}

// below says whether path is absolute and lies in the directory root, as the two are written.
func below(root, path string) bool {
	rel, err := filepath.Rel(root, path)
	return err == nil && filepath.IsAbs(root) && filepath.IsAbs(path) && rel != "." && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator))
}

// fill replaces the tokens of a template of the descriptor.
func (p Paths) fill(template string) string {
	return strings.NewReplacer("{home}", p.Home, "{agent}", p.Agent, "{auth}", p.Auth, "{runtime}", p.Runtime).Replace(template)
}

// variables are what the harness is started with: its isolation, and what else it needs.
func (p Paths) variables(c *harness.Certified) map[string]string {
	all := map[string]string{}
	for _, m := range []map[string]string{c.Env, c.Isolate} {
		for name, value := range m {
			all[name] = p.fill(value)
		}
	}
	return all
}

// Place is where a path of HOME ("~/...") lies for the harness; the empty path is the directory of its own configuration.
func (p Paths) Place(c *harness.Certified, path string) string {
	rest := strings.TrimPrefix(path, "~/")
	inside, ok := strings.CutPrefix(rest+"/", c.Agent+"/")
	switch {
	case rest == "":
		return p.Agent
	case ok && c.Agent != "":
		return filepath.Join(p.Agent, filepath.FromSlash(inside))
	}
	return filepath.Join(p.Home, filepath.FromSlash(rest))
}
