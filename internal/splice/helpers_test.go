package splice

import (
	"bytes"
	"strings"
	"testing"
)

// group is an entry as the engine writes it, for the event.
func group(event string) Entry {
	return Entry{At: []string{"hooks", event}, Value: []byte(
		`{"hooks":[{"type":"command","command":"/x/lorimer-dispatch","args":["` + event + `"],"timeout":600}]}`)}
}

// mine takes for ours what names the dispatcher, and for edited what is none of the two groups.
func mine(element []byte) Claim {
	if !bytes.Contains(element, []byte("lorimer-dispatch")) {
		return Foreign
	}
	for _, event := range []string{"PreToolUse", "Stop", "Old"} {
		if Equal(element, group(event).Value) {
			return Ours
		}
	}
	return Edited
}

func file(src string) File {
	return File{Name: "settings.json", Src: []byte(src), At: []string{"hooks", Any}, Mine: mine}
}

// put is Put that must work.
func put(t testing.TB, f File, undo []Origin, want ...Entry) Result {
	t.Helper()
	r, err := Put(f, want, undo)
	if err != nil {
		t.Fatalf("Put: %v\nin:\n%s", err, f.Src)
	}
	return r
}

// visible shows tabs and carriage returns in a failure message.
func visible(s string) string {
	return strings.NewReplacer("\t", "»", "\r", "␍", "\xef\xbb\xbf", "[BOM]").Replace(s)
}
