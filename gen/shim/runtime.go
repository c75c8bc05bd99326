package shim

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"

	"github.com/evanw/esbuild/pkg/api"

	runtimejs "github.com/lorimer-dev/lorimer/runtime-js"
)

// Runtime returns the shim runtime without the parts of these labels, as one module without exports: JavaScript that declares
// createShim at its top level, to be put behind the glue that calls it. It is bundled alone: in a joint bundle names of the glue
// would rename the runtime's. So shims that need the same parts carry the same bytes.
//
// The error says what esbuild has against a source; it cannot occur in a build whose tests passed.
func Runtime(without ...string) (string, error) {
	text, err := bundle(runtimejs.FS, shimEntry, shieldOwned, shaking(without))
	return unshieldOwned(strings.TrimSuffix(text, exportList), without), err
}

func shaking(without []string) api.BuildOptions {
	return api.BuildOptions{TreeShaking: api.TreeShakingTrue, DropLabels: without}
}

// shimEntry names what the glue calls: what nothing of it needs is left out.
const (
	shimEntry  = `export { createShim } from "./shim.mjs";`
	exportList = "export {\n  createShim\n};\n" // that esbuild ends with; the glue is in the same file
)

// Bundle joins the modules at the root of sources that the entry's text imports, as ./name.mjs, into one. Nothing is shaken
// off, and comments stay.
func Bundle(sources fs.FS, entry string) (string, error) {
	text, err := bundle(sources, entry, shield, api.BuildOptions{TreeShaking: api.TreeShakingFalse})
	return unshield(text), err
}

// bundle is Bundle after each source went through edit; keep says what may be left out.
func bundle(sources fs.FS, entry string, edit func(string) string, keep api.BuildOptions) (string, error) {
	r := api.Build(api.BuildOptions{
		Stdin:         &api.StdinOptions{Contents: entry, Sourcefile: "entry.mjs", ResolveDir: "/"},
		AbsWorkingDir: "/",
		Bundle:        true,
		Format:        api.FormatESModule,
		Platform:      api.PlatformNode,
		Target:        api.ES2022,
		Charset:       api.CharsetUTF8,
		TreeShaking:   keep.TreeShaking,
		DropLabels:    keep.DropLabels,
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
