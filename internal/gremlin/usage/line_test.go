package usage

import (
	"encoding/json"
	"testing"
	"testing/quick"

	"github.com/google/go-cmp/cmp"

	"github.com/lorimer-dev/lorimer/internal/gremlin/record"
)

// Line must read what the decoder reads, of whatever a record can hold.
func TestLineReadsWhatTheDecoderReads(t *testing.T) {
	err := quick.Check(func(whole record.Result) bool {
		b, err := json.Marshal(whole)
		var decoded record.Result
		if err == nil {
			err = json.Unmarshal(b, &decoded)
		}
		if err != nil {
			t.Fatal(err)
		}
		want := record.Result{Job: decoded.Job, Kind: decoded.Kind, Block: decoded.Block, Phase: decoded.Phase, Status: decoded.Status, Session: decoded.Session,
			Tokens: decoded.Tokens, CostDeltaUSD: decoded.CostDeltaUSD, Cache: decoded.Cache, WallS: decoded.WallS}
		want.Flags = append(want.Flags, decoded.Flags...)
		got, ok := Line(b)
		if diff := cmp.Diff(want, got); diff != "" || ok != (decoded.Kind != "") {
			t.Errorf("%s\n%s", b, diff)
			return false
		}
		return true
	}, nil)
	if err != nil {
		t.Error(err)
	}
}

func TestWhatIsNoRecord(t *testing.T) {
	for _, line := range []string{"", "no", "[]", `"kind"`, `{"kind":`, `{"job":"j1"}`, "null"} {
		if r, ok := Line([]byte(line)); ok {
			t.Errorf("%s: %+v", line, r)
		}
	}
}
