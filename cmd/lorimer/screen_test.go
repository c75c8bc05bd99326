//go:build unix

package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"unicode"
)

// Names of directories and files, commands and settings may come from anybody. No command shows them so that a terminal obeys them,
// and a line's end in one makes no line that looks like one of lorimer's.
func TestNothingForeignSteersTheTerminal(t *testing.T) {
	lorimer, err := exec.LookPath("lorimer")
	if err != nil {
		t.Fatal(err)
	}
	const foul = "a\nFORGED \x1b[2J\u009b1m\u202eb"
	own := strings.ReplaceAll(foul, "\n", "") // what somebody types may have lines
	dir := filepath.Join(t.TempDir(), foul)
	put(t, filepath.Join(dir, ".git", "HEAD"), "ref: refs/heads/main\n")
	command, err := json.Marshal("./hook-" + foul)
	if err != nil {
		t.Fatal(err)
	}
	settings := `{"env":{"A":"b"},"hooks":{"PreToolUse":[{"matcher":` + strings.Replace(string(command), "./hook-", "Bash|", 1) + `,"hooks":[{"type":"command","command":` + string(command) + `},{"type":"command","command":` + string(command) + `,"args":["x"]}]}],"Stop":[{"hooks":[{"type":"command","command":` + string(command) + `,"timeout":0},{"type":"command","command":"echo hi; exit 2 #"}]}]}}`
	put(t, filepath.Join(dir, ".claude", "settings.json"), settings)
	put(t, filepath.Join(dir, "hook-"+foul), "#!/bin/sh\nprintf 'a\\nFORGED \\033[2J' >&2; exit 2\n")
	gone := "gone" + own
	bad := own + ".yaml"
	put(t, filepath.Join(dir, bad), "version: 1\nhandlers:\n  - name: \"x\\e[2J\"\n    event: \"Stop\\nFORGED\"\n    run: x\n  \"k\\e[2J\": 1\n")
	home := t.TempDir()
	for _, line := range [][]string{
		{"init", "--dry-run", "--harness", "claude,pi"}, {"init", "--yes", "--harness", "claude,pi"}, {"materialize", "--dry-run"}, {"check"}, {"status"}, {"doctor"},
		{"try", "Stop"}, {"try", "Bash", "ls " + own}, {"last"}, {"off"}, {"off", own}, {"status"}, {"on"}, {"trust"}, {"trust", gone}, {"adopt", "--dry-run"}, {"adopt", own},
		{"import", "--dry-run"}, {"validate", bad}, {"validate", gone}, {"check", "--config", bad}, {"clean", "--dry-run"},
		{"init", gone}, {"materialize", gone}, {"check", gone}, {"status", gone}, {"doctor", gone}, {"import", gone}, {"clean", gone}, {"off", "--clone", gone}, {"nosuch" + own}, {"status", "--" + own},
		{"last", own}, {"off", "--for", own}, {"init", "--harness", own}, {"try", own}, {"matrix", own}, {"help", own}, {"clean"},
	} {
		cmd := exec.Command(lorimer, line...)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "HOME="+home, "LORIMER_HOME="+filepath.Join(home, "state"), "PWD="+dir)
		out, _ := cmd.CombinedOutput() // some are refused
		for l := range strings.Lines(string(out)) {
			if strings.HasPrefix(strings.TrimSpace(l), "FORGED") || strings.ContainsFunc(strings.TrimSuffix(l, "\n"), func(r rune) bool {
				return unicode.IsControl(r) && r != '\t' || unicode.Is(unicode.Bidi_Control, r)
			}) {
				t.Errorf("lorimer %q: %q", line, l)
			}
		}
	}
}
