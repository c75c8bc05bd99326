package certified

import (
	"os"
	"strings"
	"testing"

	"github.com/lorimer-dev/lorimer/gen/descriptor"
	"github.com/lorimer-dev/lorimer/gen/output"
	"github.com/lorimer-dev/lorimer/gen/plan"
	"github.com/lorimer-dev/lorimer/internal/goldentest"
)

func emitted(t *testing.T, file, replace, with string) []output.File {
	t.Helper()
	src, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	d, err := descriptor.LoadFile(file, []byte(strings.Replace(string(src), replace, with, 1)))
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
	files := emitted(t, "../descriptor/testdata/good/everything.yaml", "", "")
	if len(files) != 2 || files[0].Path != "go/certified/everything.go" || files[1].Path != "go/certified/all.go" {
		t.Fatalf("%+v", files)
	}
	goldentest.Compare(t, "testdata/everything.go.golden", string(files[0].Data))
}

func TestAHarnessWithoutARuntimeHasNoRow(t *testing.T) {
	if files := emitted(t, "../../harnesses/unknown.yaml", "", ""); len(files) != 1 {
		t.Fatalf("%+v", files)
	}
}

// Each event is listened for in the way of the row that is for it; what no row is for comes over the bus, where there is one.
func TestProbeListensInTheWayOfTheHost(t *testing.T) {
	files := emitted(t, "../../harnesses/opencode.yaml", "events: [chat.message,", "events: [nobody.knows, chat.message,")
	probe := ""
	for _, f := range files {
		if f.Path == "opencode/probe.mjs" {
			probe = string(f.Data)
		}
	}
	for _, want := range []string{
		"export const Lorimer = async (",
		`hooks["chat.message"] = async (inp, out) => seen("chat.message", inp);`,
		`hooks["event"] = ({ event }) => seen(event.type, event.properties);`,
	} {
		if !strings.Contains(probe, want) {
			t.Errorf("no %s in\n%s", want, probe)
		}
	}
	if strings.Contains(probe, "nobody.knows") {
		t.Errorf("an event of the bus is registered by name:\n%s", probe)
	}
}
