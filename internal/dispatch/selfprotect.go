package dispatch

import (
	"math"
	"os"
	"path/filepath"

	"github.com/tidwall/gjson"

	"github.com/lorimer-dev/lorimer/internal/guard"
	"github.com/lorimer-dev/lorimer/internal/harness"
	"github.com/lorimer-dev/lorimer/internal/manifest"
	"github.com/lorimer-dev/lorimer/internal/rawjson"
	"github.com/lorimer-dev/lorimer/internal/verdict"
)

// builtIn returns the handlers of an event that are ours: the one that protects the hooks themselves, where the manifest wants
// it. It comes before all others and is no process, so it holds in agents that handlers start, too. It is told by having
// nothing to run, which no handler of a manifest may have.
func (c *call) builtIn() []manifest.Handler {
	if c.event != harness.PreToolUse || !c.view.SelfProtects() || !c.view.Lists(c.harness.ID) {
		return nil
	}
	return []manifest.Handler{{Name: manifest.SelfProtect, Order: math.MinInt32, Block: true, OnError: manifest.AllowOnFault}}
}

func isBuiltIn(h manifest.Handler) bool { return len(h.Argv) == 0 && h.Run == "" }

// selfProtection is what that handler says.
func (c *call) selfProtection() verdict.Outcome {
	home, _ := os.UserHomeDir() // unknown: then the user's own files are not protected
	at := guard.Places{Root: c.root, Home: home, State: c.stateHome()}
	for _, s := range c.view.Sources() {
		at.Sources = append(at.Sources, s.Path)
	}
	tool, input, command := c.text("tool_name"), c.fields["tool_input"], ""
	if tool == "Bash" {
		command = rawjson.String(rawjson.At(input, "command"))
	}
	why := guard.New(c.Table, at).Refuses(tool, append(c.files(), pathsIn(input)...), command, c.workDir(tool, input))
	return verdict.Outcome{Blocked: why != "", Reason: why}
}

// workDir is where a call says that it works, or where the agent does. Only what the host's own tool reads is believed: another
// argument is dropped by it, and would lead the guard astray.
func (c *call) workDir(tool, input string) string {
	for _, d := range c.harness.Dirs {
		dir := rawjson.String(rawjson.At(input, d.From))
		switch {
		case d.Tool != tool || dir == "":
		case filepath.IsAbs(dir):
			return dir
		default:
			return filepath.Join(c.cwd(), dir)
		}
	}
	return c.cwd()
}

var pathKeys = []string{
	"notebook_path", "path", "destination", "source", "file", "filename", "filePath", "absolute_path", "relative_path", "target_file", "old_path", "new_path",
}

// pathsIn returns what tools that are nobody's in particular, like those of MCP servers, call a file.
func pathsIn(input string) (all []string) {
	for _, key := range pathKeys {
		if v := rawjson.At(input, key); gjson.Parse(v).Type == gjson.String {
			all = append(all, rawjson.String(v))
		}
	}
	return all
}
