package driver

import (
	"os"
	"testing"

	"github.com/lorimer-dev/lorimer/gen/descriptor"
	"github.com/lorimer-dev/lorimer/gen/output"
	"github.com/lorimer-dev/lorimer/gen/plan"
	"github.com/lorimer-dev/lorimer/internal/goldentest"
)

func emitted(t *testing.T, file string) []output.File {
	t.Helper()
	src, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	d, err := descriptor.LoadFile(file, src)
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

// A descriptor that sets every key.
func TestEverything(t *testing.T) {
	files := emitted(t, "../descriptor/testdata/good/everything.yaml")
	if len(files) != 2 || files[0].Path != "go/driver/everything.go" || files[1].Path != "go/driver/all.go" {
		t.Fatalf("%+v", files)
	}
	goldentest.Compare(t, "testdata/everything.go.golden", string(files[0].Data))
	goldentest.Compare(t, "testdata/all.go.golden", string(files[1].Data))
}

func TestAHarnessThatNobodyDrivesHasNoRow(t *testing.T) {
	files := emitted(t, "../../harnesses/unknown.yaml")
	if len(files) != 1 {
		t.Fatalf("%+v", files)
	}
}
