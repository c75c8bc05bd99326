package splice

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// gen writes random JSONC documents in which every place may hold white space, comments and trailing commas. In some places
// it leaves marks that a test replaces later: the foreign edits of someone who works on the file while ours is in it.
type gen struct {
	r     *rand.Rand
	out   strings.Builder
	nl    string
	plain bool // laid out by one hand, with no comments
	marks int
}

func document(r *rand.Rand) string {
	g := &gen{r: r, nl: pick(r, "\n", "\n", "\r\n"), plain: r.IntN(3) == 0}
	if r.IntN(10) == 0 {
		g.out.WriteString("\xef\xbb\xbf")
	}
	g.extra(0)
	g.object(0, true)
	g.extra(0)
	if r.IntN(6) == 0 {
		g.out.WriteString(pick(r, "// end", "/* end */"))
	}
	return g.out.String()
}

func pick[T any](r *rand.Rand, of ...T) T { return of[r.IntN(len(of))] }

// extra writes white space and comments.
func (g *gen) extra(depth int) {
	if g.plain {
		return
	}
	for range g.r.IntN(4) {
		switch g.r.IntN(8) {
		case 0:
			g.out.WriteString(pick(g.r, "// [x\"", "//  ", "//", "// {,\t") + g.nl)
		case 1:
			g.out.WriteString(pick(g.r, "/* ] */", "/**/", "/* a"+g.nl+" b */"))
		case 2:
			g.mark("/*", "*/")
		case 3, 4:
			g.out.WriteString(g.nl + strings.Repeat(pick(g.r, "  ", "\t"), depth))
		default:
			g.out.WriteString(pick(g.r, " ", "\t", "  "))
		}
	}
}

// mark leaves a place for a foreign edit.
func (g *gen) mark(before, after string) {
	g.marks++
	fmt.Fprintf(&g.out, "%s@%d@%s", before, g.marks, after)
}

// list writes n items between brackets.
func (g *gen) list(brackets string, depth, n int, item func(i int)) {
	g.out.WriteByte(brackets[0])
	for i := range n {
		if g.plain {
			g.out.WriteString(g.nl + strings.Repeat("  ", depth+1))
		}
		g.extra(depth + 1)
		item(i)
		if i < n-1 || (!g.plain && g.r.IntN(4) == 0) {
			g.extra(depth)
			g.out.WriteByte(',')
		}
	}
	if g.plain && n > 0 {
		g.out.WriteString(g.nl + strings.Repeat("  ", depth))
	}
	g.extra(depth)
	g.out.WriteByte(brackets[1])
}

func (g *gen) object(depth int, root bool) {
	n := g.r.IntN(4)
	hooks := -1
	if root && n > 0 && g.r.IntN(2) == 0 {
		hooks = g.r.IntN(n)
	}
	g.list("{}", depth, n, func(i int) {
		key := pick(g.r, "a", "b", "é", "hooks2", "a b") + fmt.Sprint(i)
		if i == hooks {
			key = "hooks"
		}
		g.out.WriteString(`"` + key + `"`)
		g.extra(depth)
		g.out.WriteByte(':')
		g.extra(depth)
		if i == hooks {
			g.hooks(depth + 1)
			return
		}
		g.value(depth + 1)
	})
}

func (g *gen) hooks(depth int) {
	events := []string{"PreToolUse", "Stop", "X"}[:g.r.IntN(4)]
	g.r.Shuffle(len(events), func(i, j int) { events[i], events[j] = events[j], events[i] })
	g.list("{}", depth, len(events), func(i int) {
		g.out.WriteString(`"` + events[i] + `"`)
		g.extra(depth)
		g.out.WriteByte(':')
		g.extra(depth)
		g.list("[]", depth+1, g.r.IntN(3), func(int) { g.value(depth + 2) })
	})
}

func (g *gen) value(depth int) {
	kind := g.r.IntN(9)
	if depth > 5 && kind < 2 {
		kind = 5
	}
	switch kind {
	case 0:
		g.object(depth, false)
	case 1:
		g.list("[]", depth, g.r.IntN(4), func(int) { g.value(depth + 1) })
	case 2:
		g.mark(`"`, `"`)
	default:
		g.out.WriteString(pick(g.r, "1", "-0.0", "1e400", "12345678901234567890", "null", "true", `"x\u00e9\ud800"`, `"// [no"`, `"/*"`))
	}
}

// edits replaces marks by something else, the same way in every text that holds them. A sloppy edit may leave white space
// right beside an entry of ours, where nobody can tell any more whose it is.
func edits(seed uint64, text string, sloppy bool) string {
	r := rand.New(rand.NewPCG(seed, 1))
	comments := []string{"/* edited */", "/**/", "/* x\n*/"}
	if sloppy {
		comments = []string{" ", "/**/\n", "", "\t// y\n"}
	}
	for n := 1; strings.Contains(text, fmt.Sprintf("@%d@", n)); n++ {
		comment, str := fmt.Sprintf("/*@%d@*/", n), fmt.Sprintf(`"@%d@"`, n)
		text = strings.ReplaceAll(text, comment, pick(r, comments...))
		text = strings.ReplaceAll(text, str, pick(r, str, `{"new": [1, 2]}`, "7", "null", "[\n]"))
	}
	return text
}

func TestProperties(t *testing.T) {
	n := 1_000
	if testing.Short() {
		n = 300
	}
	for seed := range uint64(n) {
		r := rand.New(rand.NewPCG(seed, 0))
		src := document(r)
		want := [][]Entry{{group("Stop")}, {group("PreToolUse"), group("Stop")}, {group("Old"), group("PreToolUse"), group("Stop")}}[r.IntN(3)]
		msg := check(src, want)
		if msg == "" {
			msg = checkEdits(src, put(t, file(src), nil, want...), seed)
		}
		if msg != "" {
			t.Fatalf("seed %d: %s\nsource:\n%s", seed, msg, visible(src))
		}
	}
}

// check returns which law the document breaks, "" for none.
func check(src string, want []Entry) string {
	in, err := Put(file(src), want, nil)
	if err != nil {
		return "insert: " + err.Error()
	}
	if again, err := Put(file(string(in.Src)), want, in.Undo); err != nil || string(again.Src) != string(in.Src) {
		return fmt.Sprintf("a second insert is not the first: %v\n%s\nand\n%s", err, visible(string(in.Src)), visible(string(again.Src)))
	}
	if out, err := Put(file(string(in.Src)), nil, in.Undo); err != nil || string(out.Src) != src {
		return fmt.Sprintf("taken out: %v\n%s\nfrom:\n%s", err, visible(string(out.Src)), visible(string(in.Src)))
	}
	one, err := Put(file(string(in.Src)), want[:1], in.Undo)
	if err != nil {
		return "one event less: " + err.Error()
	}
	if out, err := Put(file(string(one.Src)), nil, one.Undo); err != nil || string(out.Src) != src {
		return fmt.Sprintf("taken out one by one: %v\n%s\nfrom:\n%s", err, visible(string(out.Src)), visible(string(one.Src)))
	}
	return ""
}

func checkEdits(src string, in Result, seed uint64) string {
	for _, sloppy := range []bool{false, true} {
		edited, want := edits(seed, string(in.Src), sloppy), edits(seed, src, sloppy)
		out, err := Put(file(edited), nil, in.Undo)
		if err == nil && (string(out.Src) == want || sloppy && tokens(string(out.Src)) == tokens(want)) {
			continue
		}
		return fmt.Sprintf("a foreign edit (sloppy: %t) did not survive: %v\n%s\nwanted:\n%s\nfrom:\n%s", sloppy, err,
			visible(string(out.Src)), visible(want), visible(edited))
	}
	return ""
}

// tokens is the document without white space and commas outside of strings and comments.
func tokens(src string) string {
	_, text := cutBOM([]byte(src))
	var out strings.Builder
	for i := 0; i < len(text); i++ {
		end := i
		switch {
		case text[i] == '"':
			end = skipString(text, i)
		case commentLen(text[i:]) > 0:
			end = i + commentLen(text[i:]) - 1
		case strings.IndexByte(" \t\r\n,", text[i]) >= 0:
			continue
		}
		out.Write(text[i : end+1])
		i = end
	}
	return out.String()
}

func FuzzPut(f *testing.F) {
	for seed := range uint64(20) {
		f.Add([]byte(document(rand.New(rand.NewPCG(seed, 0)))))
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		want := []Entry{group("PreToolUse"), group("Stop")}
		in, err := Put(File{Name: "f", Src: src, At: []string{"hooks", Any}, Mine: mine}, want, nil)
		if err != nil {
			return
		}
		for _, e := range (File{At: []string{"hooks", Any}, Mine: mine}).scanText(src) {
			if e {
				return // the input holds entries of ours already, so "before" is not what it looks like
			}
		}
		if msg := check(string(src), want); msg != "" {
			t.Fatalf("%s\nsource:\n%s\ninserted:\n%s", msg, visible(string(src)), visible(string(in.Src)))
		}
	})
}

// scanText returns one true for each element of ours in the text.
func (f File) scanText(src []byte) (found []bool) {
	_, text := cutBOM(src)
	d := &doc{}
	if d.set(text) == nil {
		for range f.scan(d) {
			found = append(found, true)
		}
	}
	return found
}
