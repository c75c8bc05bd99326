package descriptor

import (
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/lorimer-dev/lorimer/internal/strictyaml"
)

// offending finds, in what a fault says, the text that must stand at its place.
var offending = regexp.MustCompile(`^(?:unknown (?:name|key|kind of surface) "?([^" ;]+)|.* is "([^"]+)"|JavaScript: [Uu]nexpected "([^"]+)"|.* (?:names|asks for|sample of|base key|no answer|no key|the answer|no method) "([^"]+)"|(?:answer|limits) has "([^"]+)")`)

// Whatever a fault quotes as wrong stands at the line and column that it names: nobody has to search.
func TestFaultsPointAtWhatTheyQuote(t *testing.T) {
	files, _ := filepath.Glob("testdata/broken/*.yaml")
	checked := 0
	for _, file := range files {
		src, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		_, err = LoadFile(filepath.Base(file), src)
		var faults strictyaml.Faults
		if !errors.As(err, &faults) {
			t.Fatalf("%s: %v", file, err)
		}
		for _, f := range faults {
			m := offending.FindStringSubmatch(f.What)
			if m == nil {
				continue
			}
			checked++
			quoted := strings.Join(m[1:], "")
			if there := strings.TrimLeft(textAt(string(src), f.Line, f.Col), `"'`); !strings.HasPrefix(there, quoted) {
				t.Errorf("%s\n%q stands there", f, there)
			}
		}
	}
	if checked < 80 {
		t.Errorf("only %d faults could be checked", checked)
	}
}

func textAt(src string, line, col int) string {
	lines := strings.Split(src, "\n")
	if line < 1 || line > len(lines) {
		return ""
	}
	r := []rune(lines[line-1])
	if col < 1 || col > len(r) {
		return ""
	}
	return string(r[col-1:])
}

// A misspelt name in every position and spelling that a snippet can have.
func TestPlacesInSnippets(t *testing.T) {
	for _, tc := range []string{
		"when: oops",
		"when: e.a && oops.b",
		"when: 'oops'",
		"when: e.a === 'x' && oops",
		"when: 'e.a === \"ü\" && oops'",
		"blocked: |\n      return oops;",
		"blocked: |\n      const ü = 1;\n        return { ü, a: `${oops}` };",
		"blocked: |\n\n\n      const a = /\\/oops/;\n      return a + oops;",
		"blocked: |2\n        return oops",
		"blocked: |-\n         if (e.a) {\n           return (x) => { const { y, ...z } = x; return oops + y + z; };\n         }",
		"blocked: |+\n      // oops?\n      return \"oops\" + oops\n\n",
		"blocked: >\n      return oops", // no place inside: the scalar's own
		"fields: { last_assistant_message: oops }",
		"fields: { last_assistant_message: '[1, oops]' }",
		"\"when\":   oops   # oops",
		"when:\n      oops",
		"when:\n      'e.b + oops'",
		"blocked:\n      |\n      return oops",
	} {
		src := strings.Replace(snippetDescriptor, "ROW", tc, 1)
		_, err := LoadFile("x.yaml", []byte(src))
		var faults strictyaml.Faults
		if !errors.As(err, &faults) || len(faults) != 1 {
			t.Errorf("%s\n%v", tc, err)
			continue
		}
		there := textAt(src, faults[0].Line, faults[0].Col)
		if strings.HasPrefix(tc, "blocked: >") {
			if there != ">" {
				t.Errorf("%s: %s: %q stands there", tc, faults[0], there)
			}
			continue
		}
		last := regexp.MustCompile(`^oops\b`).MatchString(there) && faults[0].What == "unknown name oops"
		if !last || strings.Count(there, "oops") > 2 || strings.Contains(tc, "// oops") && !strings.HasPrefix(strings.Split(src, "\n")[faults[0].Line-1], "      return") {
			t.Errorf("%s\n%s: %q stands there", tc, faults[0], there)
		}
	}
}

// Names that a snippet declares itself, in all the ways there are, are not unknown.
func TestDeclaredNames(t *testing.T) {
	for _, body := range []string{
		`const { a, b: [c = 1], ...d } = e; return a + c + d`,
		`for (const x of e.list) { y: for (;;) { if (x) break y; } }`,
		`for await (const x of e.list) await x`,
		`try { return f(1) } catch (fault) { return fault } function f(n) { return n + arguments2 } var arguments2`,
		`class K { #p = 1; static { this.q = 2 } get v() { return this.#p } static of = () => new K() } return K`,
		`const g = function self(n = 1) { return n ? self(n - 1) : 0 }; return g()`,
		`return { e, async *gen() { yield* e }, [e.x]: 1, get y() { return 2 } }`,
		`return e?.a ?? e.b?.[0]?.(1) ** 2`,
		`return e.a.match(/(?<year>\d{4})/u)?.groups.year`,
		"return `a${`b${e}`}`",
		`let a; ({ a } = e); a ||= 1; return a`,
		`if (e.a) { var hoisted = 1 } return hoisted`,
		`return import.meta.url + await import("node:fs")`,
		`return e.list.findLast((m) => m.ok) ?? structuredClone(process.env)`,
	} {
		src := strings.Replace(snippetDescriptor, "ROW", "blocked: |\n      "+body, 1)
		if _, err := LoadFile("x.yaml", []byte(src)); err != nil {
			t.Errorf("%s\n%v", body, err)
		}
	}
}

// The only channel there is need not be named.
func TestOneChannel(t *testing.T) {
	src := strings.ReplaceAll(strings.Replace(snippetDescriptor, "ROW", "when: e.ok", 1), "ext:", "main:")
	if _, err := LoadFile("x.yaml", []byte(src)); err != nil {
		t.Error(err)
	}
}

const snippetDescriptor = `
id: x
name: X
shim:
  file: { project: .x/lorimer.js }
  module: { export: default, params: [pi] }
  channels:
    ext: { register: call, target: pi.on, args: [e, ctx], awaited: true }
  session:
    id: { ext: ctx.id }
  host:
    cwd: process.cwd()
events:
  - host: stop
    event: Stop
    ROW
`
