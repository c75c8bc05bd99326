package shim

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/evanw/esbuild/pkg/api"
	"github.com/google/go-cmp/cmp"
	"github.com/tdewolff/parse/v2"
	jsparse "github.com/tdewolff/parse/v2/js"

	"github.com/lorimer-dev/lorimer/internal/goldentest"
	runtimejs "github.com/lorimer-dev/lorimer/runtime-js"
)

// maxRuntime is what every shim carries, in bytes, comments included. The goal was 30 KB, then came effects beyond block and
// context, and the user's own level; raise it only for a contract.
const maxRuntime = 46 << 10

func TestRuntimeIsOneModuleWithoutExports(t *testing.T) {
	text := runtimeText(t)
	if len(text) > maxRuntime {
		t.Errorf("the runtime has %d bytes, more than %d", len(text), maxRuntime)
	}
	if regexp.MustCompile(`(?m)^\s*export\b`).MatchString(text) {
		t.Error("it exports something")
	}
	if strings.Contains(text, "await import(") || regexp.MustCompile(`(?m)^await `).MatchString(text) {
		t.Error("it waits for something while it loads")
	}
	if !strings.HasSuffix(text, "}\n") {
		t.Errorf("it ends with %q", text[len(text)-20:])
	}
	for _, m := range regexp.MustCompile(`(?m)^import .* from "(.*)";$`).FindAllStringSubmatch(text, -1) {
		if !strings.HasPrefix(m[1], "node:") {
			t.Errorf("it imports %s", m[1])
		}
	}
	minified(t, text) // parses
}

// TestRuntimeIsWhatTheModulesSay: keeping the comments changed nothing else.
func TestRuntimeIsWhatTheModulesSay(t *testing.T) {
	plain, err := bundle(runtimejs.FS, shimEntry, func(src string) string { return src })
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(minified(t, plain), minified(t, runtimeText(t))); diff != "" {
		t.Errorf("the bundle with comments is another program (-without +with):\n%s", diff)
	}
}

// TestRuntimeKeepsComments: each comment of the modules stands in the bundle as often as in them, in their words.
func TestRuntimeKeepsComments(t *testing.T) {
	var want []string
	eachModule(t, func(_, src string) { want = append(want, comments(src)...) })
	got := comments(runtimeText(t))
	slices.Sort(want)
	slices.Sort(got)
	if len(want) < 100 {
		t.Fatalf("only %d comment lines were found in the modules", len(want))
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("comments (-modules +bundle):\n%s", diff)
	}
}

// comments lists the comment lines of a text, and what stands behind code.
func comments(text string) (out []string) {
	line := regexp.MustCompile(`^\s*(//.*|/\*\*.*|\*.*)$`)
	behind := regexp.MustCompile(`^.*[;,{}([]\s+(// .*)$`)
	for _, l := range strings.Split(text, "\n") {
		for _, re := range []*regexp.Regexp{line, behind} {
			if m := re.FindStringSubmatch(l); m != nil {
				out = append(out, strings.TrimSpace(m[1]))
				break
			}
		}
	}
	return out
}

// TestRuntimeLooksWritten: no trace of how it was made, and no name that esbuild had to change.
func TestRuntimeLooksWritten(t *testing.T) {
	text := runtimeText(t)
	for _, trace := range []string{"//!", "/*!", "@__PURE__", "entry.mjs", "runtime-js:", " \n", "\t", "\n\n\n", configLine0} {
		if at := strings.Index(text, trace); at >= 0 {
			t.Errorf("%q stands in line %d", trace, strings.Count(text[:at], "\n")+1)
		}
	}
	if blank := strings.Count(text, "\n\n"); blank < 80 {
		t.Errorf("only %d blank lines are left", blank)
	}
	known := map[string]bool{}
	word := regexp.MustCompile(`[A-Za-z_$][\w$]*`)
	eachModule(t, func(_, src string) {
		for _, w := range word.FindAllString(src, -1) {
			known[w] = true
		}
	})
	for _, w := range word.FindAllString(text, -1) {
		if !known[w] && w != "var" && w != "void" && w != "e3" {
			t.Errorf("the modules have no %q; two of them share a name, or one shadows it", w)
		}
	}
}

// configLine0 begins the one line that materialize looks for.
const configLine0 = "\nconst CONFIG = "

func TestRuntimeIsTheSameEachTime(t *testing.T) {
	want := runtimeText(t)
	for range 5 {
		text, err := bundle(runtimejs.FS, shimEntry, shield)
		if err != nil {
			t.Fatal(err)
		}
		if got := unshield(text); got != want {
			t.Fatalf("another run gave other bytes:\n%s", cmp.Diff(want, got))
		}
	}
}

// TestRuntimeNames holds the names that glue must not declare.
func TestRuntimeNames(t *testing.T) {
	ast, err := jsparse.Parse(parse.NewInputString(runtimeText(t)), jsparse.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, v := range ast.Scope.Declared {
		names = append(names, v.String())
	}
	for _, s := range ast.List {
		if i, ok := s.(*jsparse.ImportStmt); ok {
			names = append(names, imported(i)...)
		}
	}
	slices.Sort(names)
	got := strings.Join(slices.Compact(names), "\n") + "\n"
	goldentest.Compare(t, "testdata/runtime-names.txt", got)
	if !strings.Contains(got, "createShim\n") || !strings.Contains(got, "spawn\n") {
		t.Error("the names are not all there")
	}
}

func imported(i *jsparse.ImportStmt) (names []string) {
	if i.Default != nil {
		names = append(names, string(i.Default))
	}
	for _, a := range i.List {
		if a.Binding != nil {
			names = append(names, string(a.Binding))
		}
	}
	return names
}

// TestEveryModuleIsEmbedded: the list in embed.go is written by hand.
func TestEveryModuleIsEmbedded(t *testing.T) {
	files, err := filepath.Glob("../../runtime-js/*.mjs")
	if err != nil {
		t.Fatal(err)
	}
	var want, got []string
	for _, f := range files {
		if !strings.HasSuffix(f, ".test.mjs") {
			want = append(want, filepath.Base(f))
		}
	}
	eachModule(t, func(name, _ string) { got = append(got, name) })
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("modules (-in the folder +embedded):\n%s", diff)
	}
}

// TestRuntimeRuns starts the bundle as it stands in a shim: events in both forms, a message over the socket, an end by itself.
func TestRuntimeRuns(t *testing.T) {
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("SKIPPED: no node on PATH")
	}
	dir := t.TempDir()
	file := filepath.Join(dir, "bundle.mjs")
	if err := os.WriteFile(file, []byte("export { createShim };\n"+runtimeText(t)), 0o600); err != nil {
		t.Fatal(err)
	}
	work, err := os.MkdirTemp("", "lrt-") // mode 0700, and short enough for a socket
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(work) })
	data := "../../runtime-js/testdata/"
	cmd := exec.Command(node, data+"smoke.mjs", work, data+"dispatcher.sh", file)
	cmd.Env = append(os.Environ(), "LORIMER_HOME="+dir)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	const want = `{"source":"bundle.mjs","async":"é🚫","sync":"é🚫","same":true,"closed":true,"timeout":true,"held":true,"mode":"600","got":["é🚫"],"inherited":false,"faults":2}` + "\n"
	if string(out) != want {
		t.Errorf("it said\n%s\nexpected\n%s", out, want)
	}
}

func TestBundleSaysWhereAModuleIsWrong(t *testing.T) {
	broken := map[string]string{
		"const a = ;\n":                       `runtime-js:shim.mjs:1:11: Unexpected ";"`,
		"import { b } from \"./gone.mjs\";\n": `runtime-js:shim.mjs:1:19: open gone.mjs: file does not exist`,
	}
	for src, want := range broken {
		_, err := bundle(fstest.MapFS{"shim.mjs": {Data: []byte(src)}}, shimEntry, shield)
		if err == nil || err.Error() != want {
			t.Errorf("%q gave %v, expected %s", src, err, want)
		}
	}
}

// TestShieldIsTakenBack: what shield does to each kind of line, unshield undoes, around code that esbuild prints as it is.
func TestShieldIsTakenBack(t *testing.T) {
	const src = `// A comment.
//
// With a gap, "quotes" and // slashes.

/** Documentation. */
function a() {
  // inside
  return 1; // behind

  // at the end
}

/**
 * Over lines.
 */
var b = { // opening
  /** of a member */
  c: "http://x // no comment"
};
`
	got, err := bundle(fstest.MapFS{"shim.mjs": {Data: []byte(src)}}, shimEntry, shield)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(src, unshield(got)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func runtimeText(t *testing.T) string {
	t.Helper()
	text, err := Runtime()
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func eachModule(t *testing.T, f func(name, src string)) {
	t.Helper()
	names, err := fs.Glob(runtimejs.FS, "*")
	if err != nil || len(names) == 0 {
		t.Fatalf("modules: %v, %v", names, err)
	}
	for _, name := range names {
		src, err := fs.ReadFile(runtimejs.FS, name)
		if err != nil {
			t.Fatal(err)
		}
		f(name, string(src))
	}
}

// minified is the program without its layout and its comments; equal programs give equal texts.
func minified(t *testing.T, text string) string {
	t.Helper()
	r := api.Transform(text, api.TransformOptions{
		Format: api.FormatESModule, MinifyWhitespace: true, LegalComments: api.LegalCommentsNone, LogLevel: api.LogLevelSilent,
	})
	if len(r.Errors) > 0 {
		t.Fatalf("it does not parse: %v", r.Errors)
	}
	return strings.ReplaceAll(string(r.Code), "/* @__PURE__ */", "")
}
