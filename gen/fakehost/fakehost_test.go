package fakehost

import (
	"os"
	"testing"

	"github.com/lorimer-dev/lorimer/gen/descriptor"
	"github.com/lorimer-dev/lorimer/gen/plan"
	"github.com/lorimer-dev/lorimer/internal/goldentest"
)

// The imitations of hosts of each kind, to be read: one that registers by properties and a bus, and one that starts commands.
func TestGolden(t *testing.T) {
	for _, id := range []string{"opencode", "everything"} {
		file := "../descriptor/testdata/good/" + id + ".yaml"
		src, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		d, err := descriptor.LoadFile(id+".yaml", src)
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
		var all string
		for _, f := range files {
			all += "==> " + f.Path + "\n" + string(f.Data)
		}
		goldentest.Compare(t, "testdata/"+id+".golden", all)
	}
}
