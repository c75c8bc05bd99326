package importer

import (
	"fmt"
	"io"
	"strings"

	"github.com/lorimer-dev/lorimer/internal/agree"
)

// text shows a person what was moved, or would be.
func (r report) text(w io.Writer, yaml string) {
	for _, x := range r.Moved {
		verb := map[string]string{"planned": "would move", "moved": "moved"}[r.Status]
		if x.Already {
			verb += " (it stands there already)"
		}
		on := strings.TrimSpace(x.Event + " " + x.Matcher)
		fmt.Fprintf(w, "%s to %s: %s: %s (%s)\n", verb, yaml, agree.Plain(on), agree.Plain(x.Command), agree.Plain(x.From))
	}
	if len(r.Env) > 0 {
		verb := map[string]string{"planned": "would be copied", "moved": "copied"}[r.Status]
		fmt.Fprintf(w, "%s to %s: env: %s (it stays in the settings, too)\n", verb, yaml, agree.Plain(strings.Join(r.Env, ", ")))
	}
	for _, line := range r.Left {
		fmt.Fprintf(w, "left: %s\n", agree.Plain(line))
	}
	if r.Status == "same" {
		fmt.Fprintln(w, "no hook is there that could be moved")
	}
	if r.Status == "planned" {
		for _, c := range r.Changes {
			io.WriteString(w, c.Diff)
		}
	}
}
