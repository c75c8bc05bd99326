package gate

import (
	"errors"
	"io/fs"
	"maps"
	"path/filepath"
	"strings"
	"testing"
)

// memory is a disk in memory; writes of the paths in bad fail.
type memory struct {
	files map[string]string
	bad   map[string]bool
}

func (m *memory) disk() Disk {
	return Disk{
		Read: func(path string) ([]byte, error) {
			text, ok := m.files[path]
			if !ok {
				return nil, fs.ErrNotExist
			}
			return []byte(text), nil
		},
		Write: func(path string, data []byte) error {
			if m.bad[path] {
				return errors.New("the disk is full")
			}
			m.files[path] = string(data)
			return nil
		},
		Remove: func(path string) error { delete(m.files, path); return nil },
	}
}

var (
	config  = filepath.Join("d", "lorimer-gate.yml")
	servers = filepath.Join("d", "mcp.json")
)

// written writes the gate of the first agent over files that are there.
func written(t *testing.T, files map[string]string, unlocked ...string) (map[string]string, error) {
	t.Helper()
	m := &memory{files: maps.Clone(files)}
	if m.files == nil {
		m.files = map[string]string{}
	}
	o, err := open(t, "omp", "v1").Overlay(unlocked, "d")
	if err != nil {
		t.Fatal(err)
	}
	_, err = o.Write(m.disk())
	return m.files, err
}

const theirs = `# my own notes
providers: # of models
    acme:
        apiKeyRef: env:ACME   # never the key itself

# what I like
skills:
  # mine
  customDirectories: [ ~/skills ]   # kept
  includeSkills: [alpha]
theme: 'dark'
tools:
  approval:
    bash: prompt # ask me
    read: allow

bash: {enabled: true}
# the end
`

func TestAFileOfTheUsersKeepsWhatIsNotOurs(t *testing.T) {
	files, err := written(t, map[string]string{config: theirs}, "skills")
	if err != nil {
		t.Fatal(err)
	}
	got := files[config]
	for _, want := range []string{
		"# my own notes\nproviders: # of models\n    acme:\n        apiKeyRef: env:ACME   # never the key itself\n\n# what I like\nskills:\n",
		"# mine\n", "customDirectories: [~/skills] # kept", "theme: 'dark'\n", "bash: prompt # ask me", "\n# the end\n",
		"read: \"deny\"", "- \"*\"", ownsPrefix, "disabledProviders, ", "skills.includeSkills",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is not there", want)
		}
	}
	for _, gone := range []string{"alpha", "read: allow", "enabled: true}"} {
		if strings.Contains(got, gone) {
			t.Errorf("%q is still there", gone)
		}
	}
	if t.Failed() {
		t.Log(got)
	}
	again, err := written(t, files, "skills")
	if err != nil || again[config] != got || again[servers] != files[servers] {
		t.Errorf("a second time it is\n%s%v", again[config], err)
	}
	if open, err := written(t, files, open(t, "omp", "v1").Features()...); err != nil || strings.Contains(open[config], "read:") || !strings.Contains(open[config], "bash: prompt") {
		t.Errorf("unlocked it is\n%s%v", open[config], err)
	}
}

const theirServers = `{
  // mine
  "mcpServers": { "own": { "command": "x" } }, // stays
  "disabledServers": ["old"]
}
`

func TestAServerListOfTheUsersKeepsWhatIsNotOurs(t *testing.T) {
	files, err := written(t, map[string]string{servers: theirServers})
	if err != nil {
		t.Fatal(err)
	}
	got := files[servers]
	for _, want := range []string{"{\n  // mine\n  \"mcpServers\": { \"own\": { \"command\": \"x\" } }, // stays\n  \"disabledServers\": [\"lorimer-demo\"]", "\n  \"lorimer\": {", `"owns":["disabledServers","lorimer"]`, "\n  \"$schema\""} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is not there:\n%s", want, got)
		}
	}
	if again, err := written(t, files); err != nil || again[servers] != got {
		t.Errorf("a second time it is\n%s%v", again[servers], err)
	}
}

// A file that nobody else wrote into is rendered anew, whatever features it had.
func TestAFileOfOursIsRenderedAnew(t *testing.T) {
	first, err := written(t, nil)
	if err != nil {
		t.Fatal(err)
	}
	then, err := written(t, first, "mcp", "tool:file")
	want, _ := written(t, nil, "mcp", "tool:file")
	if err != nil || !maps.Equal(then, want) {
		t.Errorf("%v\n%s", err, then[config])
	}
}

func TestWhatCannotBeReadIsNeverReplaced(t *testing.T) {
	for name, files := range map[string]map[string]string{
		"not valid YAML":      {config: "a: [\n"},
		"not valid JSON":      {servers: `{"mcpServers": `},
		"more than one":       {config: "a: 1\n---\nb: 2\n"},
		"already defined":     {config: "a: 1\na: 2\n"},
		"no mapping at its":   {config: "- a\n"},
		"skills is no":        {config: "skills: all\n"},
		"tools.approval is":   {config: "tools: {approval: [bash]}\n"},
		"in braces":           {config: "{theme: dark}\n"},
		"no mapping at its t": {servers: `["x"]`},
	} {
		got, err := written(t, files)
		if err == nil || !strings.Contains(err.Error(), name) || !strings.Contains(err.Error(), "nothing was written") {
			t.Errorf("%s: %v", name, err)
		}
		if !maps.Equal(got, files) {
			t.Errorf("%s: it was written: %v", name, got)
		}
	}
}

func TestBothFilesAreWrittenOrNone(t *testing.T) {
	for name, before := range map[string]map[string]string{"new": {}, "there": {config: theirs, servers: theirServers}} {
		m := &memory{files: maps.Clone(before), bad: map[string]bool{servers: true}}
		o, err := open(t, "omp", "v1").Overlay(nil, "d")
		if err != nil {
			t.Fatal(err)
		}
		if _, err := o.Write(m.disk()); err == nil || !strings.Contains(err.Error(), "nothing was changed") {
			t.Errorf("%s: %v", name, err)
		}
		if !maps.Equal(m.files, before) {
			t.Errorf("%s: left behind is %v", name, m.files)
		}
	}
}
