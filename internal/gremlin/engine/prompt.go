package engine

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/lorimer-dev/lorimer/internal/lazyre"
	"github.com/lorimer-dev/lorimer/templates"
)

var placeholder = lazyre.Pattern{Expr: `\$\{[a-z_]+\}`}

// prompt fills a template. What is filled in is text: a ${name} in it stays. A template without its words is a defect of ours.
func prompt(name string, words map[string]string) (string, error) {
	b, err := templates.Gremlin.ReadFile("gremlin/" + name + ".md")
	if err != nil {
		return "", err
	}
	var missing []string
	text := placeholder.Re().ReplaceAllStringFunc(string(b), func(p string) string {
		word, ok := words[p[2:len(p)-1]]
		if !ok {
			missing = append(missing, p)
		}
		return word
	})
	if missing != nil {
		return "", fmt.Errorf("template %s: nothing was given for %s", name, strings.Join(missing, ", "))
	}
	return text, nil
}

// framed puts the preamble before a filled template.
func framed(name string, words map[string]string) (string, error) {
	before, err := prompt("preamble", nil)
	if err != nil {
		return "", err
	}
	text, err := prompt(name, words)
	return before + "\n" + text, err
}

// brief reads what the orchestrator wrote.
func (e *Engine) brief(path string) (string, error) {
	abs, err := e.path(path)
	if err != nil {
		return "", err
	}
	b, err := os.ReadFile(abs)
	if err != nil || strings.TrimSpace(string(b)) == "" {
		return "", &Refusal{Text: "the brief is missing or empty", More: map[string]any{"path": path}}
	}
	return string(b), nil
}

// quoted is a text behind the marks of a quotation.
func quoted(text string) string {
	var lines []string
	for line := range strings.Lines(strings.TrimSpace(text)) {
		lines = append(lines, strings.TrimRight("> "+line, " \n"))
	}
	return strings.Join(lines, "\n")
}

// delta quotes handoff notes, so that no line of theirs ends the section they stand in.
func (e *Engine) delta(notes []string) (text string, err error) {
	var b strings.Builder
	for _, n := range notes {
		abs, err := e.path(n)
		if err != nil {
			return "", err
		}
		note, err := os.ReadFile(abs)
		if err != nil {
			return "", &Refusal{Text: "a delta note cannot be read", More: map[string]any{"path": n}}
		}
		fmt.Fprintf(&b, "From %s:\n\n", abs)
		b.WriteString(quoted(string(note)) + "\n\n")
	}
	if b.Len() == 0 {
		return "None that was told.", nil
	}
	return strings.TrimSpace(b.String()), nil
}

const changesHeading = "## Changes since base"

// changesIn is the section of a brief that tells what changed; it ends at the next line that begins with #.
func changesIn(brief string) string {
	_, rest, found := strings.Cut("\n"+brief, "\n"+changesHeading)
	if !found {
		return ""
	}
	if end := strings.Index(rest, "\n#"); end >= 0 {
		rest = rest[:end]
	}
	return strings.TrimSpace(rest)
}

// charsPerToken is a rule of thumb, for thresholds only.
const charsPerToken = 4

// deltaTokens estimates what a base does not know yet: the brief's own section, and every note written since.
func (r *run) deltaTokens(brief string, attached []string, since time.Time) int64 {
	chars := int64(len(changesIn(brief)))
	counted := map[string]bool{}
	count := func(path string, always bool) {
		info, err := os.Stat(path)
		if err == nil && !counted[path] && (always || info.ModTime().After(since)) {
			counted[path] = true
			chars += info.Size()
		}
	}
	for _, n := range attached {
		if abs, err := r.e.path(n); err == nil {
			count(abs, true)
		}
	}
	notes, _ := filepath.Glob(r.file("notes", "*.md"))
	for _, n := range notes {
		count(n, false)
	}
	return chars / charsPerToken
}
