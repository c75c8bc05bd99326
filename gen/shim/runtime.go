package shim

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"strings"
	"sync"

	"github.com/evanw/esbuild/pkg/api"

	runtimejs "github.com/lorimer-dev/lorimer/runtime-js"
)

// Runtime returns the shim runtime as one module without exports: JavaScript that declares createShim at its top level, to be
// put behind the glue that calls it. It is bundled alone and once, so its bytes are the same in every shim. A joint bundle of
// glue and runtime would not do: names of the glue would rename the runtime's, and unused parts would be cut.
//
// The error says what esbuild has against a source; it cannot occur in a build whose tests passed.
func Runtime() (string, error) { return bundledRuntime() }

// shimEntry imports for the effect alone, so no export list is written.
const shimEntry = `import "./shim.mjs";`

var bundledRuntime = sync.OnceValues(func() (string, error) { return Bundle(runtimejs.FS, shimEntry) })

// Bundle joins the modules at the root of sources that the entry's text imports, as ./name.mjs, into one. Nothing is shaken
// off, and comments stay.
func Bundle(sources fs.FS, entry string) (string, error) {
	text, err := bundle(sources, entry, shield)
	return unshield(text), err
}

// bundle is Bundle after each source went through edit.
func bundle(sources fs.FS, entry string, edit func(string) string) (string, error) {
	r := api.Build(api.BuildOptions{
		Stdin:         &api.StdinOptions{Contents: entry, Sourcefile: "entry.mjs", ResolveDir: "/"},
		AbsWorkingDir: "/",
		Bundle:        true,
		Format:        api.FormatESModule,
		Platform:      api.PlatformNode,
		Target:        api.ES2022,
		Charset:       api.CharsetUTF8,
		TreeShaking:   api.TreeShakingFalse,
		LegalComments: api.LegalCommentsInline,
		LogLevel:      api.LogLevelSilent,
		Plugins:       []api.Plugin{from(sources, edit)},
	})
	var faults []error
	for _, m := range r.Errors {
		faults = append(faults, located(m))
	}
	if len(faults) > 0 {
		return "", errors.Join(faults...)
	}
	return string(r.OutputFiles[0].Contents), nil
}

func located(m api.Message) error {
	if m.Location == nil {
		return fmt.Errorf("runtime-js: %s", m.Text)
	}
	return fmt.Errorf("%s:%d:%d: %s", m.Location.File, m.Location.Line, m.Location.Column+1, m.Text)
}

// from lets esbuild read the modules out of memory. They import each other by ./name.mjs.
func from(sources fs.FS, edit func(string) string) api.Plugin {
	const namespace = "runtime-js"
	return api.Plugin{Name: namespace, Setup: func(b api.PluginBuild) {
		b.OnResolve(api.OnResolveOptions{Filter: `^\./`}, func(a api.OnResolveArgs) (api.OnResolveResult, error) {
			return api.OnResolveResult{Path: path.Clean(a.Path), Namespace: namespace}, nil
		})
		b.OnLoad(api.OnLoadOptions{Filter: `.*`, Namespace: namespace}, func(a api.OnLoadArgs) (api.OnLoadResult, error) {
			src, err := fs.ReadFile(sources, a.Path)
			text := edit(string(src))
			return api.OnLoadResult{Contents: &text, Loader: api.LoaderJS}, err
		})
	}}
}

// esbuild drops comments and blank lines, except comments that it takes for a licence. So everything that is to survive goes
// in as one of those, and is turned back in what comes out:
//
//	// text          //! text
//	/** text         /*!* text
//	code // text     //!< text, in a line before the code
//	(blank)          //!~
var (
	blankLine   = regexp.MustCompile(`(?m)^[ \t]*$`)
	lineComment = regexp.MustCompile(`(?m)^([ \t]*)//( |$)`)
	docComment  = regexp.MustCompile(`(?m)^([ \t]*)/\*\*`)
	endComment  = regexp.MustCompile(`(?m)^([ \t]*)((?:[^ \t/].*)?[;,{}(\[])[ \t]+// (.*)$`)

	blankMark = regexp.MustCompile(`(?m)^[ \t]*//!~$`)
	lineMark  = regexp.MustCompile(`(?m)^([ \t]*)//!( |$)`)
	docMark   = regexp.MustCompile(`(?m)^([ \t]*)/\*!\*`)
	endMark   = regexp.MustCompile(`(?m)^[ \t]*//!< (.*)\n(.*)$`)
	fileMark  = regexp.MustCompile(`(?m)^// runtime-js:.*\n`)
)

func shield(src string) string {
	src = strings.TrimRight(src, "\n")
	src = blankLine.ReplaceAllString(src, "//!~")
	src = endComment.ReplaceAllString(src, "$1//!< $3\n$1$2")
	src = lineComment.ReplaceAllString(src, "$1//!$2")
	return docComment.ReplaceAllString(src, "$1/*!*") + "\n"
}

func unshield(text string) string {
	text = endMark.ReplaceAllString(text, "$2 // $1")
	text = docMark.ReplaceAllString(text, "$1/**")
	text = lineMark.ReplaceAllString(text, "$1//$2")
	text = blankMark.ReplaceAllString(text, "")
	text = fileMark.ReplaceAllString(text, "")              // every module says itself what it is
	return strings.ReplaceAll(text, "/* @__PURE__ */ ", "") // esbuild's own note, of no use to a reader
}
