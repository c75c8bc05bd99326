package harness

import (
	"regexp"
	"strings"
)

// VersionIn is where a host tells its hooks which version it is: the variable, or where that says nothing the payload.
type VersionIn struct {
	Env   string // a variable's name
	Key   string // a dotted path in the payload
	Match string // RE2, group 1 is the version; "" = the whole text
}

// maxVersion is the length in bytes of the longest text that is taken for a version.
const maxVersion = 40

// Of returns the version, with dots between its parts, or "" when the host does not say it. It costs the compilation of an
// expression, so it is not for the time while the host waits for a verdict.
func (v *VersionIn) Of(in In, getenv func(string) string) string {
	if v == nil {
		return ""
	}
	text := ""
	if v.Env != "" {
		text = v.matched(getenv(v.Env))
	}
	if text == "" && v.Key != "" {
		text = v.matched(Text(in, v.Key))
	}
	if strings.Trim(text, "0123456789-_") == "" { // a variable's value may have no dots
		text = strings.ReplaceAll(strings.ReplaceAll(text, "-", "."), "_", ".")
	}
	if len(text) > maxVersion || strings.ContainsFunc(text, notInVersion) {
		return ""
	}
	return text
}

func (v *VersionIn) matched(text string) string {
	if v.Match == "" || text == "" {
		return text
	}
	re, err := regexp.Compile(v.Match)
	if err != nil { // the generator lets none through
		return ""
	}
	if found := re.FindStringSubmatch(text); len(found) == 2 {
		return found[1]
	}
	return ""
}

func notInVersion(r rune) bool { return r <= ' ' || r >= 0x7f }
