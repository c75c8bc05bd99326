package conform

import (
	"slices"
	"testing"

	"github.com/lorimer-dev/lorimer/internal/harness"
)

// TestWhatCasesShow: what is said to be shown is of a case that there is, and of events and effects that there are.
func TestWhatCasesShow(t *testing.T) {
	cases := realCases(&subject{})
	for name, cells := range proves {
		if !slices.ContainsFunc(cases, func(k kase) bool { return k.name == name }) {
			t.Errorf("there is no case %q", name)
		}
		h := &harness.Harness{}
		for _, e := range harness.Events {
			h.Events = append(h.Events, harness.Binding{Event: e})
		}
		if got := shows(h, name); !slices.Equal(got, cells) {
			t.Errorf("%s shows %q, want %q", name, got, cells)
		}
		if got := shows(&harness.Harness{}, name); got != nil {
			t.Errorf("%s shows %q of a harness without events", name, got)
		}
	}
}
