package validate

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lorimer-dev/lorimer/internal/strictyaml"
)

// What emitters say is no list of faults, or several in one error; programs get all of it.
func TestEveryErrorBecomesAFault(t *testing.T) {
	one, two := strictyaml.Faults{{File: "a", Line: 1, Col: 2, What: "x & y", Expected: "z"}}, strictyaml.Faults{{File: "b", What: "w", Hint: "h"}}
	c := Command{JSON: true, Descriptors: func([]string) (error, int, error) {
		return errors.Join(fmt.Errorf("shim: %w", one), errors.Join(two, errors.New("no room"))), 2, nil
	}}
	var out bytes.Buffer
	c.Stdout = &out
	faulty, err := c.Run()
	if !faulty || err != nil {
		t.Fatal(faulty, err)
	}
	var got []Fault
	if err := json.Unmarshal(out.Bytes(), &got); err != nil {
		t.Fatal(err)
	}
	want := []Fault{
		{"a", 1, 2, "x & y", "z", "", "a:1:2: x & y; expected z"},
		{"b", 0, 0, "w", "", "h", "b: w; h"},
		{"generate", 0, 0, "no room", "", "", "generate: no room"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// Beside a lorimer.yaml the built-in descriptors are not asked for.
func TestOnlyWhatIsNamedIsRead(t *testing.T) {
	file := filepath.Join(t.TempDir(), "lorimer.yaml")
	if err := os.WriteFile(file, []byte("version: 1\nharnesses: [b]\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	c := Command{Files: []string{file}, IDs: []string{"a"}, Stdout: &out, Descriptors: func([]string) (error, int, error) {
		t.Error("descriptors were read")
		return nil, 0, nil
	}}
	faulty, err := c.Run()
	want := filepath.ToSlash(file) + `:2:13: unknown harness "b"; expected one of a` + "\n"
	if !faulty || err != nil || out.String() != want {
		t.Errorf("%v, %v, %q; want %q", faulty, err, out.String(), want)
	}
}
