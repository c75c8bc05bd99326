package harness

import (
	"os/exec"
	"testing"
)

func TestShellQuote(t *testing.T) {
	if got := ShellQuote("./a-b_c@1%+=:,."); got != "./a-b_c@1%+=:,." {
		t.Errorf("a plain word is quoted: %s", got)
	}
	sh, err := exec.LookPath("sh")
	if err != nil {
		t.Skip("no shell on PATH")
	}
	for _, word := range []string{"", " ", "'", "a'b'", "$HOME", "`x`", "a\nb", `\`, `"`, "é", "~", "#", "!", "*"} {
		out, err := exec.Command(sh, "-c", "printf %s "+ShellQuote(word)).Output()
		if err != nil || string(out) != word {
			t.Errorf("%q: a shell reads %q, %v", word, out, err)
		}
	}
}
