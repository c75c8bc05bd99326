package descriptor

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/lorimer-dev/lorimer/internal/strictyaml"
)

// FuzzLoadFile: whatever is in the file, the loader says what is wrong with it, at a place that exists.
func FuzzLoadFile(f *testing.F) {
	for _, pattern := range []string{"testdata/good/*.yaml", "testdata/broken/*.yaml"} {
		files, _ := filepath.Glob(pattern)
		for _, name := range files {
			src, err := os.ReadFile(name)
			if err != nil {
				f.Fatal(err)
			}
			f.Add(src)
		}
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		_, err := LoadFile("x.yaml", src)
		var faults strictyaml.Faults
		if err != nil && !errors.As(err, &faults) {
			t.Fatalf("%T", err)
		}
		for _, fault := range faults {
			if fault.What == "" || fault.Line > strings.Count(string(src), "\n")+2 {
				t.Fatalf("%+v", fault)
			}
		}
	})
}
