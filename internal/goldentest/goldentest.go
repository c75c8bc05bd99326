// Package goldentest is for tests: the -update flag and the comparison with golden files.
//
// `go test ./... -update` hands the flag to every test binary, and one that does not know it fails. So each package with tests
// imports this one, if only for the flag; a test in internal/arch holds that.
package goldentest

import (
	"flag"
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Update says that goldens are to be written instead of compared.
var Update = flag.Bool("update", false, "write goldens instead of comparing with them")

// Compare holds text against a golden file, or writes it there.
func Compare(t testing.TB, file, got string) {
	t.Helper()
	if *Update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s differs; look at it, then run the test with -update (-want +got):\n%s", file, diff)
	}
}
