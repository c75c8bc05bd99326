package gate

import (
	"fmt"
	"strings"
)

// Describe shows an overlay to people: its files, then what the agent is started with.
func Describe(o Overlay) string {
	var b strings.Builder
	for _, f := range o.Files {
		fmt.Fprintf(&b, "==> %s <==\n%s", f.Path, f.Text)
	}
	if len(o.Files) > 0 {
		b.WriteString("\n")
	}
	b.WriteString(Loads(o))
	return b.String()
}

// Loads says with what the agent is started.
func Loads(o Overlay) string {
	var b strings.Builder
	b.WriteString("Start it with:\n")
	for _, e := range o.Env {
		fmt.Fprintf(&b, "  %s\n", e)
	}
	for _, a := range grouped(o.Argv) {
		fmt.Fprintf(&b, "  %s\n", a)
	}
	if len(o.Env)+len(o.Argv) == 0 {
		b.WriteString("  nothing but its own arguments\n")
	}
	return b.String()
}

// grouped puts a flag and what stands behind it on one line.
func grouped(argv []string) (lines []string) {
	for _, a := range argv {
		if len(lines) > 0 && !strings.HasPrefix(a, "-") {
			lines[len(lines)-1] += " " + quoted(a)
			continue
		}
		lines = append(lines, a)
	}
	return lines
}

func quoted(a string) string {
	if strings.ContainsAny(a, " \"'$\\`*{}[]") && !strings.HasPrefix(a, "{") {
		return "'" + strings.ReplaceAll(a, "'", `'\''`) + "'"
	}
	return a
}
