package verdict

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

type vector struct {
	Name, Out, Err, Fallback string
	Code                     *int // null: the process had no exit code
	Want                     struct {
		Blocked bool
		Reason  string
	}
}

func vectors(t testing.TB) (all []vector) {
	t.Helper()
	src, err := os.ReadFile(filepath.Join("..", "..", "runtime-js", "testdata", "verdicts.json"))
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(src, &all); err != nil {
		t.Fatal(err)
	}
	if len(all) < 90 {
		t.Fatalf("only %d vectors; where did they go?", len(all))
	}
	return all
}

// The shared table: what Go reads, JavaScript reads.
func TestReadVectors(t *testing.T) {
	for _, v := range vectors(t) {
		t.Run(v.Name, func(t *testing.T) {
			code := -1
			if v.Code != nil {
				code = *v.Code
			}
			blocked, reason := Read(code, v.Out, v.Err, v.Fallback)
			if blocked != v.Want.Blocked || reason != v.Want.Reason {
				t.Errorf("stdout %.200q, stderr %q\n got %v %q\nwant %v %q", v.Out, v.Err, blocked, reason, v.Want.Blocked, v.Want.Reason)
			}
		})
	}
}

// What a handler prints must not keep the host waiting: quadratic scans, deep nesting.
func TestReadHostileOutputIsFast(t *testing.T) {
	for name, out := range map[string]string{
		"open braces":         strings.Repeat("{", 4<<20),
		"open objects":        strings.Repeat(`{"a":`, 1<<20),
		"open strings":        strings.Repeat(`{"`, 2<<20),
		"objects that end":    strings.Repeat(`{"a":1}`, 1<<19),
		"lines that open":     strings.Repeat("{\"a\":\n", 1<<19),
		"nested lists":        `{"a":` + strings.Repeat("[", 4<<20),
		"closed nested lists": `{"decision":"block","reason":"r","a":` + strings.Repeat("[", 2<<20) + strings.Repeat("]", 2<<20) + "}",
	} {
		t.Run(name, func(t *testing.T) {
			start := time.Now()
			if blocked, reason := Read(2, out, "from stderr", ""); !blocked || reason != "from stderr" {
				t.Errorf("got %v %.80q", blocked, reason)
			}
			// A machine that is busy needs seconds, a scan that is quadratic minutes.
			if d := time.Since(start); d > 20*time.Second {
				t.Errorf("took %v", d)
			}
		})
	}
}

// A big honest reason is read whole.
func TestReadBigReason(t *testing.T) {
	reason := strings.Repeat("0123456789abcde\n", 1<<17)
	quoted, _ := json.Marshal(map[string]string{"decision": "block", "reason": reason})
	if _, got := Read(2, string(quoted)+"\n", "", ""); got != reason {
		t.Errorf("got %d bytes of %d", len(got), len(reason))
	}
}

func TestReadIsValidUTF8(t *testing.T) {
	if _, got := Read(2, "", "bad \xff byte", ""); got != "bad \ufffd byte" {
		t.Errorf("got %q", got)
	}
}

func FuzzRead(f *testing.F) {
	for _, v := range vectors(f) {
		f.Add(v.Out, v.Err)
	}
	f.Fuzz(func(t *testing.T, out, err string) {
		if blocked, reason := Read(2, out, err, "fallback"); !blocked || reason == "" {
			t.Errorf("got %v %q", blocked, reason)
		}
		if blocked, _ := Read(0, out, err, "fallback"); blocked {
			t.Error("exit 0 blocked")
		}
	})
}

func TestReadBraceBehindAnEscapedQuote(t *testing.T) {
	if _, got := Read(2, `gate: {"decision":"block","reason":"say \"}\" or \\"}`, "", ""); got != `say "}" or \` {
		t.Errorf("got %q", got)
	}
}
