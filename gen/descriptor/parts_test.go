package descriptor

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/lorimer-dev/lorimer/internal/strictyaml"
)

// Each fault says where it is, what is wrong, and what to do: by naming what was expected there, or by saying how to mend it.
func TestFaultsSayWhereWhatAndWhatToDo(t *testing.T) {
	files, _ := filepath.Glob("testdata/broken/*.yaml")
	n := 0
	for _, file := range files {
		src, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		_, err = LoadFile("harnesses/"+filepath.Base(file), src)
		var faults strictyaml.Faults
		if !errors.As(err, &faults) {
			t.Fatalf("%s: %v", file, err)
		}
		lines := strings.Count(string(src), "\n") + 1
		for _, f := range faults {
			n++
			switch {
			case f.File != "harnesses/"+filepath.Base(file) || f.Line < 1 || f.Line > lines || f.Col < 1:
				t.Errorf("no place: %s", f)
			case f.What == "" || strings.Contains(f.What, "; "):
				t.Errorf("not one fault, or none: %s", f)
			case f.Expected == "" && f.Hint == "":
				t.Errorf("not what to do: %s", f)
			}
		}
	}
	if n < 300 {
		t.Errorf("only %d faults", n)
	}
}
