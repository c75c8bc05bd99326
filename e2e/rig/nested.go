//go:build linux

package rig

import (
	"slices"
	"strings"
)

// Line returns a shell line that starts the host in its project, as Start does: for an agent that is to start this one. What it
// says is thrown away, and the environment is that of whoever runs the line, with the host's own variables beside it.
func (r *Rig) Line(o Options) string {
	if o.Mode == "" {
		o.Mode = r.Host.Modes[0]
	}
	words := slices.Concat([]string{"env"}, r.Host.env(r.Model.URL()), r.Host.exe(r.install), r.Host.args(o.Mode, o))
	for i, w := range words {
		words[i] = quoted(w)
	}
	says := "true"
	if r.Host.Stdin {
		says = "printf %s " + quoted(o.Prompt)
	}
	return "cd " + quoted(r.Clone) + " && " + says + " | " + strings.Join(words, " ") + " >/dev/null 2>&1"
}

func quoted(word string) string { return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'" }
