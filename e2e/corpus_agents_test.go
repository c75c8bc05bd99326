//go:build linux

package e2e

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/lorimer-dev/lorimer/e2e/rig"
	"github.com/lorimer-dev/lorimer/internal/strictyaml"
)

// corpusAgent is all that the corpus must know of one agent: corpus/agents/ID.yaml.
//
// To put the corpus on one more agent of rig.Cased:
//
//  1. Write corpus/agents/ID.yaml with nothing but a mode, and run that agent alone; Claude Code's own effects are taken from
//     corpus/effects/claude.txt:  go test -run 'TestCorpus/run/^ID/' ./e2e/
//  2. Each difference is printed with both effects. Words that the agent puts around what hooks and tools say go into `around`:
//     words alone, never what a handler or a tool said. A fault of Lorimer is mended where it is. A capability that the
//     descriptor lacks needs no entry. What is left is a limit of the agent's, and goes into `differs` with its reason.
//  3. Run it with -update: corpus/effects/ID.txt, docs/protocol.md and the proofs are written. Look at the first.
//
// An agent without a shell tool that takes {"command": ...}, or that writes files in a form of its own, says so in rig.Host.
type corpusAgent struct {
	Mode     strictyaml.Str                 `yaml:"mode,required"` // of rig.Host.Modes: the one that shows most of what a user sees; or rig.Host.Prompts
	PerStart int                            `yaml:"per_start"`     // how many tool calls share one start; 0 = perStart
	Files    strictyaml.Map[strictyaml.Str] `yaml:"files"`         // files of the project that the agent needs beside, by their paths
	Own      bool                           `yaml:"own"`           // it runs the hooks of Claude's settings itself, so that those of the corpus stand in a lorimer.yaml
	Counted  bool                           `yaml:"counted"`       // its Stop does not say the model's last word, so that stops are told apart by their number
	Around   []strictyaml.Str               `yaml:"around"`        // (?m) regexps of what the agent puts around the words of hooks and tools
	Differs  strictyaml.Map[strictyaml.Str] `yaml:"differs"`       // row to the reason why its effect is another one in this agent
	Same     []strictyaml.Str               `yaml:"same"`          // rows that differ in others by corpus.yaml, and not in this one

	around *regexp.Regexp
}

// perStart is how many rows share one start of a host: tool calls of one session, each with handlers of its own.
const perStart = 27

// agent reads what the corpus must know of a host. nil = the corpus is not run on it.
func agent(t *testing.T, h *rig.Host) *corpusAgent {
	t.Helper()
	file := filepath.Join("corpus", "agents", h.ID+".yaml")
	src, err := os.ReadFile(file)
	if os.IsNotExist(err) {
		return nil
	}
	must(t, err)
	a := &corpusAgent{PerStart: perStart}
	must(t, strictyaml.Decode(file, src, a))
	var around []string
	for _, s := range a.Around {
		around = append(around, s.Text)
	}
	if len(around) > 0 {
		a.around, err = regexp.Compile("(?m)(" + strings.Join(around, "|") + ")")
		must(t, err)
	}
	return a
}

// way is one of the ways in which the corpus is run.
type way struct {
	id    string
	host  *rig.Host
	agent *corpusAgent
	// The hooks stand in the host's own settings and Lorimer is not there; else they are run by Lorimer.
	native bool
	// The hooks stand in a lorimer.yaml, because those of the settings are the host's own; else in the settings.
	yaml bool
}

// ways: what the corpus is held against comes first.
func ways(t *testing.T) []way {
	t.Helper()
	claude := agent(t, rig.Claude)
	all := []way{
		{id: "claude", host: rig.Claude, agent: claude, native: true},
		{id: "claude through Lorimer", host: rig.Claude, agent: claude, yaml: true},
	}
	for _, h := range rig.Cased {
		if a := agent(t, h); a != nil && h != rig.Claude {
			all = append(all, way{id: h.ID, host: h, agent: a, yaml: a.Own})
		}
	}
	return all
}

// title is the way's name for people.
func (w way) title() string {
	if w.host == rig.Claude {
		return w.host.Name + " through Lorimer"
	}
	return w.host.Name
}

// own is the reason for a difference that the agent's own file gives.
func (w way) own(row corpusRow) string {
	for _, d := range w.agent.Differs {
		if d.Key == row.Name.Text {
			return d.Value.Text
		}
	}
	return ""
}

// listed is the reason that the tables give for a difference.
func (w way) listed(row corpusRow) string {
	if own := w.own(row); own != "" {
		return own
	}
	if slices.ContainsFunc(w.agent.Same, func(s strictyaml.Str) bool { return s.Text == row.Name.Text }) {
		return ""
	}
	for _, d := range row.Differs {
		if d.Key == everyAgent || d.Key == otherAgents && w.host != rig.Claude {
			return d.Value.Text
		}
	}
	return ""
}
