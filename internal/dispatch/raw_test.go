package dispatch

import (
	"strings"
	"testing"

	"github.com/lorimer-dev/lorimer/internal/harness"
)

// odd is JSON that does not survive a decoding into Go or JavaScript values and an encoding back.
const odd = `{"z":1e400,"a":12345678901234567890,"a":-0.0,"n":1.10E+05,"nul":"\u0000","lone":"\ud83d","swap":"\udc00\ud800",` +
	`"slash":"\/","tag":"</script>&<>","sep":"` + "\u2028" + `","e":"\u00e9é","":{ "b" : [ ] , "B":{}},"__proto__":null,"k\u0065y":true}`

// What a host sends reaches handlers byte for byte: whole where it speaks Claude's tongue, value by value where it is put
// into Claude's shape.
func TestRawJSON(t *testing.T) {
	t.Run("unchanged", func(t *testing.T) {
		payload := " {\"tool_name\" : \"Bash\", \"tool_input\":\n" + odd + ", \"tool_response\": [" + odd + "],\"tool_name\":\"Bash\"}\r\n"
		for _, h := range []string{"native", "gen"} {
			c := newClone(t).handler(harness.PostToolUse, `cat > got`, matcher("Bash"))
			c.silent(c.run(payload, h, "PostToolUse"))
			if got := c.read("got"); got != payload {
				t.Errorf("%s:\n got %q\nwant %q", h, got, payload)
			}
		}
	})
	t.Run("put into shape", func(t *testing.T) {
		for _, args := range []string{odd, "[" + odd + "]", "12345678901234567890", `"\ud83d"`, "1e400", "null"} {
			c := newClone(t).handler(harness.PreToolUse, `cat > got`)
			c.silent(c.run(`{"call": {"name":"Bash" ,"args" : `+args+`}, "session":"\ud83d\/"}`, "foreign", "PreToolUse"))
			want := `{"session_id":"\ud83d\/","hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":` + args + `}`
			if got := c.read("got"); got != want {
				t.Errorf("\n got %q\nwant %q", got, want)
			}
		}
	})
	t.Run("with the bit", func(t *testing.T) {
		c := newClone(t).handler(harness.Stop, `cat > got`)
		c.silent(c.run(`{"session_id":"s","x":`+odd+`,"last_assistant_message":"\ud83d"}`, "native", "Stop"))
		want := `{"session_id":"s","x":` + odd + `,"stop_hook_active":false,"last_assistant_message":"\ud83d"}`
		if got := c.read("got"); got != want {
			t.Errorf("\n got %q\nwant %q", got, want)
		}
	})
	t.Run("of two equal names the last holds", func(t *testing.T) {
		c := newClone(t).handler(harness.PreToolUse, `echo no >&2; exit 2`, matcher("Bash"))
		c.blocked(c.run(`{"tool_name":"Read","tool_name":"Bash"}`, "native", "PreToolUse"), "no")
	})
}

// Reasons and context pass through the answer as text, whatever is in them.
func TestRawReason(t *testing.T) {
	reason := "a \"quoted\" \\ </tag> & \u2028 é 🚫\n\ttwo"
	c := newClone(t).handler(harness.PreToolUse, `cat >&2 <<'END'
`+reason+`
END
exit 2`)
	got := c.run(bash, "native", "PreToolUse")
	if strings.TrimSuffix(got.Stderr, "\n") != reason {
		t.Errorf("got %q", got.Stderr)
	}
}
