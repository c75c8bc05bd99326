package gen

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/lorimer-dev/lorimer/golden/go/table"
	"github.com/lorimer-dev/lorimer/harnesses"
	"github.com/lorimer-dev/lorimer/internal/harness"
)

// A row that needs no build must say what the printed one says.
func TestUnbuiltRowsAreThoseOfTheTable(t *testing.T) {
	rows, err := Unbuilt(harnesses.FS, "harnesses", t.TempDir())
	if err != nil || len(rows) == 0 {
		t.Fatalf("%d rows, %v", len(rows), err)
	}
	built := map[string]*harness.Harness{}
	for _, h := range table.All {
		built[h.ID] = h
	}
	for _, r := range rows {
		if diff := cmp.Diff(built[r.ID], r, cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("%s (-built +unbuilt):\n%s", r.ID, diff)
		}
	}
}
