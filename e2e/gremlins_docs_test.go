//go:build linux

package e2e

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/lorimer-dev/lorimer/internal/goldentest"
)

// callShown is how a document shows a call of the program; what it printed stands below, as far as the text is indented.
const callShown = "    $ lorimer gremlins "

// elided stands for any lines.
const elided = "..."

// isDocumented holds what a document shows of the program against what the calls of this build printed: each call that is shown
// was made, in that order, and printed that, but for what differs each time. With -update the document is given what they printed.
func (g *gremlins) isDocumented(file string) {
	g.t.Helper()
	b, err := os.ReadFile(file)
	must(g.t, err)
	lines, calls, shown := strings.Split(string(b), "\n"), g.calls, 0
	for i := 0; i < len(lines); i++ {
		call, ok := strings.CutPrefix(lines[i], callShown)
		if !ok {
			continue
		}
		shown++
		at := slices.IndexFunc(calls, func(c called) bool { return c.args == call })
		if at < 0 {
			g.t.Errorf("%s:%d: no call %q after %d of %d", file, i+1, call, len(g.calls)-len(calls), len(g.calls))
			continue
		}
		printed := strings.Split(strings.TrimRight(g.public(calls[at].out), "\n"), "\n")
		calls = calls[at+1:]
		end := i + 1 + length(lines[i+1:])
		now, differs := aligned(lines[i+1:end], printed)
		if differs != "" && !*goldentest.Update {
			g.t.Errorf("%s:%d: %s printed\n%s\nand not %s; run this test with -update, and look at it", file, i+1, call, strings.Join(printed, "\n"), differs)
		}
		lines = slices.Replace(lines, i+1, end, now...)
	}
	if shown < 12 {
		g.t.Errorf("%s shows %d calls", file, shown)
	}
	if *goldentest.Update {
		must(g.t, os.WriteFile(file, []byte(strings.Join(lines, "\n")), 0o644))
	}
}

// length is how many lines show what a call printed: as far as they are indented. A gap in it belongs to it.
func length(lines []string) (n int) {
	for i, l := range lines {
		switch {
		case strings.HasPrefix(l, "    $ "), l != "" && !strings.HasPrefix(l, "    "):
			return n
		case l != "":
			n = i + 1
		}
	}
	return n
}

// aligned is what is shown, brought up to date, and a part of it that was not printed.
func aligned(shown, printed []string) (now []string, differs string) {
	if len(shown) == 0 {
		return nil, "" // a call whose answer is not shown
	}
	open := false // anything may come before the next line
	for _, line := range shown {
		line = strings.TrimPrefix(line, "    ")
		if strings.TrimSpace(line) == elided {
			now, open = append(now, "    "+line), true
			continue
		}
		at := slices.IndexFunc(printed, func(p string) bool { return masked(p) == masked(line) })
		if at < 0 || at > 0 && !open {
			return indented(printed), line
		}
		now, printed, open = append(now, "    "+printed[at]), printed[at+1:], false
	}
	if len(printed) > 0 && !open {
		return indented(printed), printed[0]
	}
	return now, ""
}

func indented(lines []string) (out []string) {
	for _, l := range lines {
		out = append(out, strings.TrimRight("    "+l, " "))
	}
	return out
}

// public has no path of this machine.
func (g *gremlins) public(text string) string {
	return strings.NewReplacer(g.Clone, "/home/you/project", g.Host.Program(install), "/usr/local/bin/claude").Replace(text)
}

var volatile = regexp.MustCompile(`[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|\d{4}-\d\d-\d\dT[\d:.]+Z|\b[0-9a-f]{16}\b|\b[0-9a-f]{7}\b|\b[0-9a-f]{40}\b|\d+\.\d+(e-\d+)?|\d{2,}|"wall_s": [\d.]+`)

// masked is a line without what differs each time: ids, moments, commits, prices and counts.
func masked(line string) string { return volatile.ReplaceAllString(strings.TrimSpace(line), "N") }

func TestWhatDiffersEachTimeIsMasked(t *testing.T) {
	for a, b := range map[string]string{
		`"wall_s": 8.599,`: `"wall_s": 11,`,
		`"session": "973cbc79-cdfd-403e-b804-53a33779438a"`:                                       `"session": "8d8baf90-cfa6-498c-aa3c-7cb3d1c4989f"`,
		`| parser | claude-opus-5-5 | 7dcc914 | 6 | 54 | 484 | 25968 | $0.0087 |`:                 `| parser | claude-opus-5-5 | 1e57c0d | 6 | 61 | 1484 | 90 | $0.0101 |`,
		`"fingerprint": "f0cea3b486978600", "at": "2026-11-30T20:30:44.352Z", "c": 8.7999999e-05`: `"fingerprint": "0000000000000000", "at": "2027-01-01T00:00:00.000Z", "c": 0.125`,
	} {
		if masked(a) != masked(b) {
			t.Errorf("%s\n%s", masked(a), masked(b))
		}
	}
	if masked(`"status": "ok"`) == masked(`"status": "failed"`) || masked(`"turns": 2`) == masked(`"turns": 3`) {
		t.Error("too much is masked")
	}
}
