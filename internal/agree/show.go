package agree

import (
	"encoding/json"
	"fmt"
	"io"
)

// show tells a person what there is to agree to.
func (c *Command) show(r Result) {
	switch {
	case r.Status == "failed":
		fmt.Fprintf(c.Stderr, "%s: failed: %s\n", r.Clone, r.Error)
	case r.Status == "same":
		fmt.Fprintf(c.Stdout, "%s: trusted already\n", r.Clone)
	case len(r.Differences) == 0:
		fmt.Fprintf(c.Stdout, "%s: the same handlers as you agreed to; something else in the manifest differs\n", r.Clone)
	default:
		fmt.Fprintf(c.Stdout, "%s: this is not what you agreed to on this machine:\n", r.Clone)
		for _, d := range r.Differences {
			for _, line := range d.Lines() {
				fmt.Fprintf(c.Stdout, "  %s\n", line)
			}
		}
		fmt.Fprintln(c.Stdout, "  What the programs do is not looked at: a script can change without its command.")
	}
}

func writeJSON(w io.Writer, results []Result) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(map[string]any{"clones": results})
}
