package claudehooks

import (
	"strings"
	"testing"
	"time"

	"github.com/lorimer-dev/lorimer/internal/strictyaml"
)

func TestPlaces(t *testing.T) {
	n, fault := JSON("s.json", []byte("{\"é\": \"ü\", \"b\":\n  [\"日\", 1,\n\n {}], \"c\": 2}"))
	if fault != nil {
		t.Fatal(fault)
	}
	b, c := n.Members[1], n.Members[2]
	for what, at := range map[string][2]strictyaml.Pos{
		"the object":      {n.Pos, {Line: 1, Col: 1}},
		"a key":           {n.Members[0].Pos, {Line: 1, Col: 2}},
		"behind two ü":    {b.Pos, {Line: 1, Col: 12}},
		"a list":          {b.Value.Pos, {Line: 2, Col: 3}},
		"behind 日":        {b.Value.Items[1].Pos, {Line: 2, Col: 9}},
		"two lines below": {b.Value.Items[2].Pos, {Line: 4, Col: 2}},
		"a key behind it": {c.Pos, {Line: 4, Col: 7}},
		"its value":       {c.Value.Pos, {Line: 4, Col: 12}},
	} {
		if at[0] != at[1] {
			t.Errorf("%s is at %v; expected %v", what, at[0], at[1])
		}
	}
	if p := newPlaces([]byte("ab\ncd")); p.of(4) != (strictyaml.Pos{Line: 2, Col: 2}) || p.of(1) != (strictyaml.Pos{Line: 1, Col: 2}) || p.of(99) != (strictyaml.Pos{Line: 2, Col: 3}) {
		t.Errorf("going back, and behind the end: %v %v %v", p.of(4), p.of(1), p.of(99))
	}
}

// Some megabytes in one line took minutes, each value being counted to from the beginning.
func TestJSONOfOneLongLine(t *testing.T) {
	src := `{"allow":[` + strings.Repeat(`"Bash(echo 123)",`, 100_000) + `0]}`
	began := time.Now()
	n, fault := JSON("s.json", []byte(src))
	if fault != nil {
		t.Fatal(fault)
	}
	if last := n.Members[0].Value.Items[100_000]; last.Pos.Col != len(src)-2 {
		t.Errorf("the last value is at %v; expected column %d", last.Pos, len(src)-2)
	}
	if took := time.Since(began); took > 10*time.Second { // 0.2 s, and a minute before
		t.Errorf("it took %v", took)
	}
}
