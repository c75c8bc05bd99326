package main

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lorimer-dev/lorimer/gen/descriptor"
	"github.com/lorimer-dev/lorimer/golden/go/table"
	"github.com/lorimer-dev/lorimer/internal/claudehooks"
	"github.com/lorimer-dev/lorimer/internal/configfile"
	"github.com/lorimer-dev/lorimer/internal/goldentest"
	"github.com/lorimer-dev/lorimer/internal/harness"
)

// docs/hooks.md says of each field what it does, of each effect which agents carry it, and of each event what hooks get to read.

const (
	madeBegin = "<!-- made from the descriptors: go test ./cmd/lorimer -run TestHooksDocument -update -->\n"
	madeEnd   = "<!-- the end of what is made -->\n"
)

// hooksDocument is docs/hooks.md, whole and by its headings of the second level.
func hooksDocument(t *testing.T) (text string, sections map[string]string) {
	t.Helper()
	src, err := os.ReadFile(filepath.Join(sources, "docs", "hooks.md"))
	if err != nil {
		t.Fatal(err)
	}
	sections = map[string]string{}
	for _, s := range strings.Split(string(src), "\n## ")[1:] {
		heading, body, _ := strings.Cut(s, "\n")
		sections[heading] = body
	}
	return string(src), sections
}

// rowOf is the table's row whose first cell has the word, as code or as it stands; "" = there is none.
func rowOf(section, word string) string {
	for line := range strings.Lines(section) {
		cells := strings.Split(line, "|")
		if len(cells) > 2 && cells[0] == "" && slices.Contains(strings.FieldsFunc(cells[1], func(r rune) bool { return strings.ContainsRune(" `,:", r) }), word) {
			return line
		}
	}
	return ""
}

func TestHooksDocumentHasEveryField(t *testing.T) {
	_, sections := hooksDocument(t)
	for _, key := range yamlKeys(configfile.Handler{}) {
		if rowOf(sections["lorimer.yaml"], key) == "" {
			t.Errorf("`%s` of a handler in a lorimer.yaml has no row", key)
		}
	}
	for _, of := range []any{configfile.File{}, configfile.StopGate{}} {
		for _, key := range yamlKeys(of) {
			if !regexp.MustCompile(`(?m)\b` + key + `\b`).MatchString(sections["lorimer.yaml"]) {
				t.Errorf("`%s` of a lorimer.yaml is not there", key)
			}
		}
	}
	src, err := configfile.ModelSource.ReadFile("model_hooks.go")
	if err != nil {
		t.Fatal(err)
	}
	keys := regexp.MustCompile("yaml:\"([A-Za-z]+)").FindAllStringSubmatch(string(src), -1)
	if len(keys) < 10 {
		t.Fatalf("only %d fields of hooks in Claude's shape", len(keys))
	}
	for _, key := range keys {
		if key[1] != "hooks" && rowOf(sections["Hooks in Claude's shape"], key[1]) == "" {
			t.Errorf("`%s` of a hook in Claude's shape has no row", key[1])
		}
	}
	for _, key := range append(slices.Clone(claudehooks.Keys), claudehooks.EnvKey, claudehooks.OnlyKey) {
		if text := sections["Where hooks are written"] + sections["Hooks in Claude's shape"]; !strings.Contains(text, "`"+key) && !strings.Contains(text, `"`+key+`"`) {
			t.Errorf("`%s` of settings is not there", key)
		}
	}
}

// yamlKeys are the keys of a struct that a YAML file fills.
func yamlKeys(of any) (keys []string) {
	typ := reflect.TypeOf(of)
	for i := range typ.NumField() {
		key, _, _ := strings.Cut(typ.Field(i).Tag.Get("yaml"), ",")
		if key != "-" {
			keys = append(keys, key)
		}
	}
	return keys
}

// What hooks get is what descriptors can say, no more and no less.
func TestHooksDocumentHasEveryKeyOfPayloads(t *testing.T) {
	_, sections := hooksDocument(t)
	given := sections["What a hook is given"]
	before, _, _ := strings.Cut(given, "| event |")
	for _, key := range append(slices.Clone(descriptor.BaseKeys), descriptor.Named, "tool_name", "tool_use_id", "tool_input", "tool_response") {
		if !strings.Contains(before, "`"+key+"`") {
			t.Errorf("`%s` of every event is not there", key)
		}
	}
	for _, e := range harness.Events {
		row := rowOf(given, string(e))
		if row == "" {
			t.Errorf("%s has no row", e)
			continue
		}
		var said []string
		for _, m := range regexp.MustCompile("`([a-z_]+)`").FindAllStringSubmatch(row, -1) {
			if key := m[1]; !slices.Contains(descriptor.BaseKeys, key) && !strings.HasPrefix(key, "tool_") {
				said = append(said, key)
			}
		}
		if diff := cmp.Diff(append([]string{}, descriptor.EventKeys[e]...), append([]string{}, said...)); diff != "" {
			t.Errorf("%s (-descriptors +document):\n%s", e, diff)
		}
		if tool := strings.Contains(row, "those of a tool call"); tool != e.Tool() {
			t.Errorf("%s: a tool call: %v", e, tool)
		}
	}
}

// The names stand in the source once, and nothing but a document has them all.
func TestHooksDocumentHasEveryVariableAndAnswer(t *testing.T) {
	_, sections := hooksDocument(t)
	for _, c := range []struct {
		file, pattern string
		least         int
		section       string
	}{
		{"dispatch/run.go", `"((?:LORIMER|CLAUDE)_[A-Z_]+)=`, 7, "What a hook is given"},
		{"verdict/answer.go", `a\.(?:top|specific|decided)\["([A-Za-z]+)"\]`, 14, "Effects"},
		{"verdict/rewrite.go", `a\.(?:top|specific|decided)\["([A-Za-z]+)"\]`, 2, "Effects"},
	} {
		src, err := os.ReadFile(filepath.Join(sources, "internal", filepath.FromSlash(c.file)))
		if err != nil {
			t.Fatal(err)
		}
		found := map[string]bool{}
		for _, m := range regexp.MustCompile(c.pattern).FindAllStringSubmatch(string(src), -1) {
			found[m[1]] = true
			if text := sections[c.section]; !strings.Contains(text, "`"+m[1]+"`") && !strings.Contains(text, `"`+m[1]+`"`) {
				t.Errorf("%s is not in the section %q", m[1], c.section)
			}
		}
		if len(found) < c.least {
			t.Errorf("%s: only %d names were found: %v", c.file, len(found), found)
		}
	}
}

// The table of effects is made from the rows that the dispatcher goes by.
func TestHooksDocument(t *testing.T) {
	text, sections := hooksDocument(t)
	head, rest, ok := strings.Cut(text, madeBegin)
	_, tail, ended := strings.Cut(rest, madeEnd)
	if !ok || !ended {
		t.Fatalf("docs/hooks.md has no lines\n%s%s", madeBegin, madeEnd)
	}
	goldentest.Compare(t, filepath.Join(sources, "docs", "hooks.md"), head+madeBegin+effectsTable()+madeEnd+tail)

	for _, e := range harness.Effects {
		if !regexp.MustCompile("(?m)^\\| [^|]+ \\| `" + string(e) + "` \\|").MatchString(sections["Effects"]) {
			t.Errorf("it is not said what `%s` is in an answer, and what becomes of it", e)
		}
	}
	for _, h := range table.All {
		if h.Certified != "" && !regexp.MustCompile(`(?m)^(### |\* |.*\| )`+regexp.QuoteMeta(h.Name)+`\b`).MatchString(sections["Effects"]) {
			t.Errorf("nothing is said of what is different in %s", h.Name)
		}
	}
}

// effectsTable has a row for each effect at each event that some agent carries it at.
func effectsTable() string {
	var b strings.Builder
	b.WriteString("\n| effect | at | agents |\n|---|---|---|\n")
	for _, effect := range harness.Effects {
		name := "`" + string(effect) + "`"
		for _, event := range harness.Events {
			var agents []string
			for _, h := range table.All {
				if binding, has := h.Binding(event); !has || !binding.Has(effect) {
					continue
				} else if h.Certified == "" {
					agents = append(agents, "*"+h.Name+"*")
				} else {
					agents = append(agents, h.Name)
				}
			}
			if len(agents) > 0 {
				fmt.Fprintf(&b, "| %s | %s | %s |\n", name, event, strings.Join(agents, ", "))
				name = ""
			}
		}
	}
	return b.String() + "\n"
}
