package jsregexp

import (
	"bytes"
	"encoding/json"
	"math/rand/v2"
	"os/exec"
	"strings"
	"testing"
)

// asked is one expression and what node says of it: null = RegExp does not take it.
type asked struct {
	Expr  string   `json:"expr"`
	Texts []string `json:"texts"`
	Found []bool   `json:"found"`
}

const inNode = `
const all = JSON.parse(require('fs').readFileSync(0, 'utf8'))
for (const one of all) {
  try {
    const re = new RegExp(one.expr)
    one.found = one.texts.map((text) => re.test(text))
  } catch {
    one.found = null
  }
}
console.log(JSON.stringify(all))
`

// TestAgainstNode makes up expressions and has a real RegExp say what is right.
func TestAgainstNode(t *testing.T) {
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("there is no node on PATH to compare with")
	}
	n := 20_000
	if testing.Short() {
		n = 2_000
	}
	seed := rand.Uint64()
	made := maker{rand.New(rand.NewPCG(seed, 0))}
	all := make([]asked, n)
	for i := range all {
		all[i] = asked{Expr: made.expression(3), Texts: made.texts()}
	}
	input, _ := json.Marshal(all)
	cmd := exec.CommandContext(t.Context(), node, "-e", inNode)
	cmd.Stdin = bytes.NewReader(input)
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(out, &all); err != nil {
		t.Fatal(err)
	}
	taken, found := 0, 0
	for _, a := range all {
		re, err := Compile(a.Expr)
		if (err == nil) != (a.Found != nil) {
			t.Errorf("seed %d: %q: node takes it: %t; we: %v", seed, a.Expr, a.Found != nil, err)
			continue
		}
		for i, want := range a.Found {
			got, err := re.Match(a.Texts[i])
			if err == nil && got != want {
				t.Errorf("seed %d: %q in %q: %t, node says %t", seed, a.Expr, a.Texts[i], got, want)
			}
			taken++
			if want {
				found++
			}
		}
	}
	if taken < n || found < taken/10 || found > taken*9/10 {
		t.Errorf("the expressions are no good: of %d matches that were tried, %d were found", taken, found)
	}
}

type maker struct{ *rand.Rand }

func (m maker) of(parts ...string) string { return parts[m.IntN(len(parts))] }

var (
	atoms = []string{
		"a", "b", "B", "_", "1", ".", "^", "$", `\b`, `\B`, `\d`, `\w`, `\W`, `\s`, `\S`, `\D`, `\x61`, `\u0062`, `\x6`, `\u006`, `\1`, `\2`, `\0`, `\7`, `\8`,
		`\12`, `\141`, `\ca`, `\c`, `\k`, `\k<n>`, `\k<m>`, `\/`, `\-`, `\.`, `\n`, `\t`, `\p{Lu}`, "[ab]", "[^ab]", "[a-b]", "[b-a]", "[]", "[^]", `[\w-a]`, `[a-\d]`, `[-a]`, `[a-]`,
		`[\b]`, `[\]]`, `[\c1]`, `[\c]`, `[\c*]`, `[\141-b]`, `[\x61-\u0062]`, "]", "}", "{", "{1}", "{,2}", "ä", "😀", " ", "-", ",", "*", "+", "?", `\`, ")", "(", "[",
	}
	groups  = []string{"(", "(", "(?:", "(?:", "(?=", "(?!", "(?!", "(?<=", "(?<!", "(?<n>", "(?<m>", "(?", "(?<1>", "(?<>"}
	repeats = []string{"", "", "", "", "*", "+", "?", "*?", "+?", "??", "{2}", "{0,1}", "{1,}", "{1,2}?", "{0}", "{2,1}", "{a}", "{1", "**"}
)

func (m maker) expression(depth int) string {
	var b strings.Builder
	for range 1 + m.IntN(4) {
		switch {
		case depth > 0 && m.IntN(3) == 0:
			b.WriteString(m.of(groups...) + m.expression(depth-1) + ")")
		case m.IntN(8) == 0:
			b.WriteString("|")
		default:
			b.WriteString(m.of(atoms[:20+m.IntN(len(atoms)-19)]...)) // the plain ones are the most frequent
		}
		b.WriteString(m.of(repeats[:4+m.IntN(len(repeats)-3)]...))
	}
	return b.String()
}

func (m maker) texts() []string {
	texts := []string{"", "a", "Bash", "mcp__a__b"}
	for range 6 {
		var b strings.Builder
		for range m.IntN(7) {
			b.WriteString(m.of("a", "b", "a", "b", "B", "_", "1", "2", " ", "-", "c", "k", "u006", "x6", "\\", "{1}", "{", "]", "\n", "ä", "😀", "p", "\x01"))
		}
		texts = append(texts, b.String())
	}
	return texts
}
