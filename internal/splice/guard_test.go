package splice

import "testing"

// TestGuard: the last line of defence sees every kind of loss, and only losses.
func TestGuard(t *testing.T) {
	const before = "// a\n{\"k\": 1.0, \"hooks\": {\"Stop\": [1, /* b */ 2]}, \"e\": {}}"
	ours := string(group("Stop").Value)
	f := file("")
	foreign := func(text string) string {
		d := &doc{}
		if err := d.set([]byte(text)); err != nil {
			t.Fatal(err)
		}
		return f.foreign(d, []Origin{{At: []string{"made"}, Absent: true}})
	}
	for text, same := range map[string]bool{
		before: true,
		"// a\n{\"k\":1.0,\"hooks\":{\"Stop\":[1,/* b */2," + ours + "],},\n\"e\":{}}":        true,
		"// a\n{\"k\": 1.0, \"hooks\": {\"Stop\": [1, /* b */ 2]}, \"e\": {}, \"made\": []}":  true,
		"{\"k\": 1.0, \"hooks\": {\"Stop\": [1, /* b */ 2]}, \"e\": {}}":                      false,
		"// a\n{\"k\": 1, \"hooks\": {\"Stop\": [1, /* b */ 2]}, \"e\": {}}":                  false,
		"// a\n{\"k\": 1.0, \"hooks\": {\"Stop\": [1, 2]}, \"e\": {}}":                        false,
		"// a\n{\"k\": 1.0, \"hooks\": {\"Stop\": [2, /* b */ 1]}, \"e\": {}}":                false,
		"// a\n{\"k\": 1.0, \"hooks\": {\"Stop\": [1, /* b */ 2]}}":                           false,
		"// a\n{\"hooks\": {\"Stop\": [1, /* b */ 2]}, \"k\": 1.0, \"e\": {}}":                false,
		"// a\n{\"k\": 1.0, \"hooks\": {\"Stop\": [1, /* b */ 2]}, \"e\": {}, \"made\": [1]}": false,
	} {
		if got := foreign(text) == foreign(before); got != same {
			t.Errorf("same: %t, want %t, for\n%s", got, same, text)
		}
	}
}
