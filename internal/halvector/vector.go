// Package halvector reads the vectors that every implementation of the Runtime HAL passes: the Go package, the JavaScript
// module and the command line. It is for tests.
package halvector

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/lorimer-dev/lorimer/internal/ancestry"
)

// Vector is one world, and what is to be said of it.
type Vector struct {
	Name      string
	Env       map[string]string // the whole environment
	Files     map[string]string // slash paths to contents, in a directory of its own
	CWD       string            // working directory in there
	Ancestors json.RawMessage   // a list of ancestry.Process; null: cannot be read; absent: there are none
	Runtime   string            // what the caller says
	Version   string
	Want      Want
}

// Want is what every method has to answer.
type Want struct {
	Provider string
	By       string
	Answers  string  // the name of a common set of answers, which the rest overrules
	Session  *string // nil = there is none
	GUPP     string
	Stall    float64 // seconds
	Interval float64
	Warnings int
	Common   Answers `json:"-"`
}

// Answers is what holds for a runtime.
type Answers struct {
	Startup, GUPP         string
	Hooks, Nudge, Restart bool
	Stall, Interval       float64
	Person, Autonomous    []string // commands for a person's role, and for one that works alone
}

// Load reads the file. Tests in folders two levels below the module's root or one find it by its path from there.
func Load(t testing.TB, path string) []Vector {
	t.Helper()
	src, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var file struct {
		Answers map[string]Answers
		Vectors []Vector
	}
	if err := json.Unmarshal(src, &file); err != nil {
		t.Fatal(err)
	}
	for i := range file.Vectors {
		w := &file.Vectors[i].Want
		common, ok := file.Answers[w.Answers]
		if !ok {
			t.Fatalf("%s: there are no answers %q", file.Vectors[i].Name, w.Answers)
		}
		w.Common = common.over(*w)
	}
	return file.Vectors
}

func (a Answers) over(w Want) Answers {
	if w.GUPP != "" {
		a.GUPP = w.GUPP
	}
	if w.Stall != 0 {
		a.Stall = w.Stall
	}
	if w.Interval != 0 {
		a.Interval = w.Interval
	}
	return a
}

// World makes the vector's files and returns its working directory.
func (v Vector) World(t testing.TB) string {
	t.Helper()
	root := t.TempDir()
	for path, text := range v.Files {
		file := filepath.Join(root, filepath.FromSlash(path))
		if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o755), os.WriteFile(file, []byte(text), 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	return filepath.Join(root, filepath.FromSlash(v.CWD))
}

// Tree returns the vector's ancestors as a reader of the process table would.
func (v Vector) Tree(t testing.TB) (list []ancestry.Process, err error) {
	t.Helper()
	if string(v.Ancestors) == "null" {
		return nil, errors.New("it is closed")
	}
	if v.Ancestors != nil {
		if err := json.Unmarshal(v.Ancestors, &list); err != nil {
			t.Fatal(err)
		}
	}
	return list, nil
}
