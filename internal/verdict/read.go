package verdict

import (
	"strings"
	"unicode"

	"github.com/lorimer-dev/lorimer/internal/rawjson"
)

// Blocked is the exit code that blocks. No other does, whatever the streams say.
const Blocked = 2

// Read says whether a process blocked, and why. The reason is the first of these that is not empty: the reason of a
// {"decision":"block"} object that stands alone in a line of stdout, that of one glued to other output, stderr, the fallback.
func Read(code int, stdout, stderr, fallback string) (blocked bool, reason string) {
	if code != Blocked {
		return false, ""
	}
	for _, find := range []func() string{
		func() string { return lineReason(stdout) },
		func() string { return gluedReason(stdout) },
		func() string { return trim(stderr) },
	} {
		if reason = find(); reason != "" {
			return true, wellFormed(reason)
		}
	}
	return true, wellFormed(fallback)
}

// lineReason reads the designed channel: one object, alone in its line.
func lineReason(stdout string) string {
	for line := range strings.SplitSeq(stdout, "\n") {
		if !strings.HasPrefix(line, "{") {
			continue
		}
		if o, ok := rawjson.ParseObject(line); ok && blockReason(o) != "" {
			return blockReason(o)
		}
	}
	return ""
}

// gluedReason finds an object among other output: handlers may print over several lines, or without a newline at the end.
func gluedReason(stdout string) string {
	for o := range objects(stdout) {
		if reason := blockReason(o); reason != "" {
			return reason
		}
	}
	return ""
}

// blockReason: a reason counts only in the very object that blocks.
func blockReason(o rawjson.Object) string {
	if rawjson.String(o["decision"]) != "block" {
		return ""
	}
	return rawjson.String(o["reason"])
}

// trim cuts off what JavaScript's trim cuts off.
func trim(s string) string {
	return strings.TrimFunc(s, func(r rune) bool { return r == '\ufeff' || unicode.IsSpace(r) && r != '\u0085' })
}

// wellFormed: model APIs refuse a request that is no UTF-8.
func wellFormed(s string) string { return strings.ToValidUTF8(s, "\ufffd") }
