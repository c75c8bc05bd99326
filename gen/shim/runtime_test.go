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

// maxRuntime is what a shim carries that needs every part, and leastRuntime one that needs none, in bytes, comments included. The
// goal was 30 KB, then came effects beyond block and context, and the user's own level; raise them only for a contract.
const (
	maxRuntime   = 45 << 10
	leastRuntime = 39 << 10
)

func TestRuntimeIsOneModuleWithoutExports(t *testing.T) {
	text := runtimeText(t)
	if len(text) > maxRuntime {
		t.Errorf("the runtime has %d bytes, more than %d", len(text), maxRuntime)
	}
	if least := runtimeText(t, labels()...); len(least) > leastRuntime {
		t.Errorf("without any part it has %d bytes, more than %d", len(least), leastRuntime)
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

// TestRuntimeIsWhatTheModulesSay: keeping the comments changed nothing else, whichever parts are left out.
func TestRuntimeIsWhatTheModulesSay(t *testing.T) {
	for _, without := range leavings() {
		plain, err := bundle(runtimejs.FS, shimEntry, func(src string) string { return src }, shaking(without))
		if err != nil {
			t.Fatal(err)
		}
		plain = labelMark.Re().ReplaceAllString(strings.TrimSuffix(plain, exportList), "$1")
		if diff := cmp.Diff(minified(t, plain), minified(t, runtimeText(t, without...))); diff != "" {
			t.Errorf("without %v the bundle with comments is another program (-without +with):\n%s", without, diff)
		}
	}
}

// leavings are what may be left out: nothing, each part, all parts.
func leavings() [][]string {
	out := [][]string{nil, labels()}
	for _, l := range labels() {
		out = append(out, []string{l})
	}
	return out
}

func labels() (out []string) {
	for _, p := range parts {
		out = append(out, p.label)
	}
	return out
}

// TestRuntimeKeepsComments: each comment of the modules stands in the bundle, in their words, at least with its first sentence.
func TestRuntimeKeepsComments(t *testing.T) {
	var want []string
	eachModule(t, func(_, src string) { want = append(want, comments(src)...) })
	got := comments(runtimeText(t))
	if len(want) < 100 {
		t.Fatalf("only %d comments were found in the modules", len(want))
	}
	for _, g := range got {
		at := slices.IndexFunc(want, func(w string) bool { return w == g || strings.HasPrefix(w, g+" ") })
		if at < 0 {
			t.Errorf("in the bundle alone: %s", g)
			continue
		}
		want = slices.Delete(want, at, at+1)
	}
	if len(want) > 0 {
		t.Errorf("lost:\n%s", strings.Join(want, "\n"))
	}
}

// TestCommentsGoWithWhatTheySpeakOf: a part that is left out leaves none behind, neither do functions that it alone called.
func TestCommentsGoWithWhatTheySpeakOf(t *testing.T) {
	const src = `// One module.
//
// With more to say.
import { gone } from "./gone.mjs";

const KEPT = 1; // of what stays
const LOST = 2; // of what goes

/** stays. Not this. */
export function stays() {
  // inside
  const rt = { KEPT };

  // in front of the part
  PART: rt.part = goes;

  return rt;
}

/**
 * goes with the part. And this.
 */
export function goes() {
  // inside of it
  return LOST + gone();
}

// Behind it.
PART: stays.more = 1;
`
	sources := fstest.MapFS{
		"shim.mjs": {Data: []byte(src + "export const createShim = stays;\n")},
		"gone.mjs": {Data: []byte("// Another module. Which is not all.\nexport function gone() {}\n")},
	}
	was := parts
	parts = []part{{label: "PART"}}
	t.Cleanup(func() { parts = was })
	for _, x := range []struct {
		without []string
		want    string
	}{
		{nil, "// Another module.|// One module.|// of what stays|// of what goes|/** stays.|// inside|// in front of the part|" +
			"/** goes with the part.|// inside of it|// Behind it."},
		{[]string{"PART"}, "// One module.|// of what stays|/** stays.|// inside"},
	} {
		text, err := bundle(sources, shimEntry, shieldOwned, shaking(x.without))
		if err != nil {
			t.Fatal(err)
		}
		text = unshieldOwned(text, x.without)
		if got := strings.Join(comments(text), "|"); got != x.want {
			t.Errorf("without %v\n got %s\nwant %s\n%s", x.without, got, x.want, text)
		}
		if strings.Contains(text, "PART") {
			t.Errorf("a label stands in\n%s", text)
		}
	}
}

// comments lists the comments of a text, each as one line, and what stands behind code.
func comments(text string) (out []string) {
	behind := regexp.MustCompile(`^.*[;,{}([]\s+(// .*)$`)
	doc, open := false, false // the last line belongs to a comment that may go on
	for _, l := range strings.Split(text, "\n") {
		l = strings.TrimSpace(l)
		switch {
		case doc:
			l = strings.TrimSpace(strings.TrimPrefix(l, "*"))
			doc = l != "/"
			if doc {
				out[len(out)-1] += " " + l
			}
			out[len(out)-1] = strings.ReplaceAll(out[len(out)-1], "/**  ", "/** ")
		case strings.HasPrefix(l, "/**"):
			out = append(out, l)
			doc = !strings.HasSuffix(l, "*/")
		case strings.HasPrefix(l, "//") && open:
			out[len(out)-1] = strings.TrimRight(out[len(out)-1]+" "+strings.TrimSpace(l[2:]), " ")
		case strings.HasPrefix(l, "//"):
			out = append(out, l)
			open = true
			continue
		default:
			if m := behind.FindStringSubmatch(l); m != nil {
				out = append(out, m[1])
			}
		}
		open = open && strings.HasPrefix(l, "//")
	}
	for i, c := range out {
		out[i] = strings.TrimSuffix(c, " */")
	}
	return out
}

// TestRuntimeLooksWritten: no trace of how it was made, and no name that esbuild had to change.
func TestRuntimeLooksWritten(t *testing.T) {
	text := runtimeText(t)
	for _, trace := range []string{"//!", "/*!", "@__PURE__", "entry.mjs", "runtime-js:", " \n", "\t", "\n\n\n", "@", configLine0} {
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
		if got := runtimeText(t); got != want {
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
	if !strings.Contains(got, "createShim\n") || !strings.Contains(got, "childProcess\n") {
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
		_, err := bundle(fstest.MapFS{"shim.mjs": {Data: []byte(src)}}, shimEntry, shield, shaking(nil))
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
	got, err := bundle(fstest.MapFS{"shim.mjs": {Data: []byte(src)}}, `import "./shim.mjs";`, shield, api.BuildOptions{TreeShaking: api.TreeShakingFalse})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(src, unshield(got)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func runtimeText(t *testing.T, without ...string) string {
	t.Helper()
	text, err := Runtime(without...)
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
