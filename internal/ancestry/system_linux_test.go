package ancestry

import "testing"

// A process may call itself what it likes.
func TestParentOf(t *testing.T) {
	for stat, want := range map[string]int{
		"7 (sh) S 5 7 7 0":      5,
		"7 (a) S 1 (x) S 6 7 7": 6,
		"7 () S 0 0":            0,
		"7 (new\nline) S 12 7":  12,
	} {
		if got, err := parentOf([]byte(stat)); err != nil || got != want {
			t.Errorf("%q: %d, %v; want %d", stat, got, err, want)
		}
	}
	for _, stat := range []string{"", "7", "7 (sh)", "7 (sh) S", "7 (sh) S x"} {
		if got, err := parentOf([]byte(stat)); err == nil {
			t.Errorf("%q: %d", stat, got)
		}
	}
}
