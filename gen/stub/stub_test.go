package stub

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lorimer-dev/lorimer/gen/descriptor"
	"github.com/lorimer-dev/lorimer/gen/output"
	"github.com/lorimer-dev/lorimer/gen/plan"
	"github.com/lorimer-dev/lorimer/internal/goldentest"
)

// emitted returns what is emitted for a host that differs from Claude Code in everything it can.
func emitted(t *testing.T) []output.File {
	t.Helper()
	src, err := os.ReadFile("testdata/sample.yaml")
	if err != nil {
		t.Fatal(err)
	}
	d, err := descriptor.LoadFile("testdata/sample.yaml", src)
	if err != nil {
		t.Fatal(err)
	}
	p, err := plan.Build([]*descriptor.Descriptor{d})
	if err != nil {
		t.Fatal(err)
	}
	files, err := Emit(p)
	if err != nil {
		t.Fatal(err)
	}
	return files
}

func TestSample(t *testing.T) {
	goldentest.Compare(t, "testdata/sample.go.golden", string(emitted(t)[1].Data))
}

// TestSampleRuns compiles what was emitted and lets it read payloads and give answers.
func TestSampleRuns(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles a program")
	}
	main, err := os.ReadFile("testdata/run.go.txt")
	if err != nil {
		t.Fatal(err)
	}
	want, err := os.ReadFile("testdata/run.want.txt")
	if err != nil {
		t.Fatal(err)
	}
	files := append(emitted(t), output.File{Path: "main.go", Data: main})
	got := runOverlaid(t, files)
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("what the emitted code does (-want +got):\n%s", diff)
	}
}

// runOverlaid runs a program that exists in an overlay alone: it must lie inside this module to import internal packages.
func runOverlaid(t *testing.T, files []output.File) string {
	t.Helper()
	temp, replace := t.TempDir(), map[string]string{}
	wd, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		real := filepath.Join(temp, strings.ReplaceAll(f.Path, "/", "_"))
		if err := os.WriteFile(real, f.Data, 0o644); err != nil {
			t.Fatal(err)
		}
		replace[filepath.Join(wd, "emitted", filepath.FromSlash(f.Path))] = real
	}
	overlay, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(temp, "overlay.json"), overlay, 0o644); err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command("go", "run", "-overlay", filepath.Join(temp, "overlay.json"), "./emitted").CombinedOutput()
	if err != nil {
		t.Fatalf("the emitted code does not run: %v\n%s", err, out)
	}
	return string(out)
}
