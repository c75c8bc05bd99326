package manifest

import (
	"strings"

	"github.com/lorimer-dev/lorimer/internal/harness"
)

// Command returns what the handler runs, for people: the shell line, or the arguments as one would type them in a shell.
func (h Handler) Command() string {
	if h.Run != "" {
		return h.Run
	}
	words := make([]string, len(h.Argv))
	for i, w := range h.Argv {
		words[i] = harness.ShellQuote(w)
	}
	return strings.Join(words, " ")
}
