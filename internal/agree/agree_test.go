package agree

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lorimer-dev/lorimer/internal/manifest"
	"github.com/lorimer-dev/lorimer/internal/trust"
)

func TestShownDifferences(t *testing.T) {
	was := `{"protocol":1,"events":{"Stop":[{"name":"gate","run":"make test","block":true,"on_error":"allow"},{"name":"old","argv":["x"],"block":true}],
		"PreToolUse":[{"name":"same","argv":["y"],"block":true,"on_error":"allow"}]}}`
	now := `{"protocol":1,"events":{"PreToolUse":[{"name":"same","argv":["y"],"block":true,"on_error":"allow"},
		{"name":"new","matcher":"Bash","argv":["./a b","c"],"timeout_ms":5,"on_error":"block","harnesses":["one"],"nested":true}],
		"SubagentStop":[{"name":"gate","run":"make test","block":true,"on_error":"allow"}],"Unheard":[{"name":"never","run":"z"}]}}`
	want := []string{
		`+ new on PreToolUse Bash (timeout_ms: 5, block: false, on_error: block, nested: true, harnesses: ["one"]): './a b' c`,
		`- gate on Stop: make test`,
		`+ gate on SubagentStop: make test`,
		`- old on Stop (on_error: ): x`,
	}
	if diff := cmp.Diff(want, shown(t, was, now)); diff != "" {
		t.Error(diff)
	}
}

// What watches over all handlers is agreed to, too: taking it away is shown like a handler that is gone.
func TestShownSettings(t *testing.T) {
	was := `{"protocol":1,"harnesses":["a","b"],"max_continuations":8,"self_protect":true,"events":{}}`
	now := `{"protocol":1,"harnesses":["a"],"max_continuations":0,"events":{}}`
	want := []string{"- self_protect: true", "+ self_protect: false", "- harnesses: a, b", "+ harnesses: a", "- max_continuations: 8", "+ max_continuations: 0"}
	if diff := cmp.Diff(want, shown(t, was, now)); diff != "" {
		t.Error(diff)
	}
	if first, err := Compare(nil, []byte(was)); err != nil || len(first) > 0 {
		t.Errorf("nothing was agreed to, so nothing was taken away: %v, %v", first, err)
	}
}

// Variables say what commands come to, so they are shown from the first time on; the user's own are named by their file.
func TestShownEnvironment(t *testing.T) {
	now := `{"protocol":1,"env":[{"path":"/home/u/settings.json"},{"path":".claude/settings.json","values":{"PATH":"/evil path"}}],"events":{}}`
	want := "what /home/u/settings.json says, PATH='/evil path'"
	if diff := cmp.Diff([]string{"- env: ", "+ env: " + want}, shown(t, `{"protocol":1,"events":{}}`, now)); diff != "" {
		t.Error(diff)
	}
	first, err := Compare(nil, []byte(now))
	if err != nil || len(first) != 1 || first[0].What != "added" || first[0].Setting.Now != want || first[0].Lines()[0] != "+ env: "+want {
		t.Errorf("the first time: %v, %v", first, err)
	}
}

// Whoever wrote the manifest may not want it to be seen.
func TestNothingHides(t *testing.T) {
	for name, c := range map[string]struct{ now, want string }{
		"terminal":        {`"events":{"Stop":[{"name":"a","run":"evil\u001b[2K\rgood"}]}`, `evil\x1b[2K\rgood`},
		"direction":       {`"events":{"Stop":[{"name":"a","run":"x\u202ey"}]}`, `x\u202ey`},
		"a second key":    {`"events":{"Stop":[]},"events":{"Stop":[{"name":"a","run":"evil"}]}`, `evil`},
		"another letter":  {`"events":{"Stop":[{"name":"a","run":"evil"}]},"Events":{"Stop":[]}`, `evil`},
		"one name, twice": {`"events":{"Stop":[{"name":"a","run":"good"},{"name":"a","run":"evil"}]}`, `evil`},
	} {
		t.Run(name, func(t *testing.T) {
			if got := strings.Join(shown(t, `{"protocol":1}`, `{"protocol":1,`+c.now+`}`), "\n"); !strings.Contains(got, c.want) {
				t.Errorf("%q is not in %q", c.want, got)
			}
		})
	}
}

func shown(t *testing.T, was, now string) (lines []string) {
	t.Helper()
	all, err := Compare([]byte(was), []byte(now))
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range all {
		lines = append(lines, d.Lines()...)
	}
	return lines
}

func TestAsking(t *testing.T) {
	t.Setenv("LORIMER_DEPTH", "")
	t.Setenv("LORIMER_HARNESS", "")
	for answer, status := range map[string]int{"y\n": Done, "Yes\n": Done, "n\n": Refused, "\n": Refused, "": Refused, "yes please\n": Refused} {
		home, root := t.TempDir(), t.TempDir()
		src := write(t, root, `{"protocol":1,"events":{"Stop":[{"name":"a","run":"x"}]}}`)
		var out bytes.Buffer
		c := Command{Home: home, Clones: []string{root}, Stdin: strings.NewReader(answer), Terminal: true, Stdout: &out, Stderr: &out}
		if got, err := c.Run(); got != status || err != nil {
			t.Errorf("%q: status %d, %v", answer, got, err)
		}
		if trusted := trust.Check(home, root, src) == nil; trusted != (status == Done) {
			t.Errorf("%q: trusted is %v", answer, trusted)
		}
	}
}

// What is recorded is what was shown: not what came to stand there while somebody thought about it.
func TestExchangedWhileAsking(t *testing.T) {
	home, root := t.TempDir(), t.TempDir()
	shown := write(t, root, `{"protocol":1,"events":{"Stop":[{"name":"a","run":"x"}]}}`)
	var evil []byte
	exchange := readerFunc(func(p []byte) (int, error) {
		evil = write(t, root, `{"protocol":1,"events":{"Stop":[{"name":"a","run":"evil"}]}}`)
		return copy(p, "y\n"), nil
	})
	c := Command{Home: home, Clones: []string{root}, Stdin: exchange, Terminal: true, Stdout: &bytes.Buffer{}, Stderr: &bytes.Buffer{}}
	if _, err := c.Run(); err != nil {
		t.Fatal(err)
	}
	if trust.Check(home, root, shown) != nil || trust.Check(home, root, evil) == nil {
		t.Error("the manifest that nobody saw is the trusted one")
	}
}

type readerFunc func(p []byte) (int, error)

func (f readerFunc) Read(p []byte) (int, error) { return f(p) }

func write(t *testing.T, root, manifestText string) []byte {
	t.Helper()
	path := manifest.Path(root)
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(manifestText), 0o600); err != nil {
		t.Fatal(err)
	}
	return []byte(manifestText)
}
