package arch

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"testing"
)

const module = "github.com/lorimer-dev/lorimer/"

// rule says that no package below from may reach one below any of to, directly or through others.
type rule struct {
	from string
	to   []string
	why  string
}

var rules = []rule{
	{"gen", []string{"golden", "cmd", "hal"}, "a broken golden must not break the generator"},
	{"gen", []string{"internal/dispatch", "internal/verdict", "internal/materialize", "internal/splice", "internal/owned", "internal/trust", "internal/state", "internal/config"},
		"the generator knows no engine"},
	{"internal", []string{"gen", "golden", "cmd", "harnesses"}, "engines take harness.* values as parameters"},
	{"cmd/lorimer-gen", []string{"golden", "internal/dispatch", "internal/materialize"}, "the generator builds when golden/ is empty or broken"},
	{"cmd/lorimer-dispatch", []string{"gen", "harnesses", "runtime-js", "internal/materialize", "internal/strictyaml",
		"github.com/spf13/cobra", "gopkg.in/yaml.v3", "github.com/evanw/esbuild", "github.com/tailscale/hujson", "github.com/dave/jennifer", "net/http"},
		"the hot path stays thin"},
	{"hal", []string{"gen", "cmd", "harnesses", "runtime-js", "internal/materialize", "internal/strictyaml",
		"github.com/spf13/cobra", "gopkg.in/yaml.v3", "github.com/evanw/esbuild", "github.com/tailscale/hujson", "github.com/dave/jennifer", "net/http"},
		"other people's programs link it"},
	{"cmd/lorimer-hal", []string{"gen", "harnesses", "runtime-js", "internal/materialize", "internal/strictyaml",
		"gopkg.in/yaml.v3", "github.com/evanw/esbuild", "github.com/tailscale/hujson", "github.com/dave/jennifer", "net/http"},
		"it is there to start fast"},
	{"internal/materialize", []string{"github.com/evanw/esbuild", "runtime-js"}, "materialize only replaces the CONFIG line"},
	{"gen/descriptor", []string{"gen/plan", "gen/shim", "gen/stub", "gen/hookconf"}, "stages look one way: descriptor, plan, emitters"},
	{"gen/plan", []string{"gen/shim", "gen/stub", "gen/hookconf"}, "the model knows nothing of the emitters"},
}

func TestLayers(t *testing.T) {
	deps := reached(t)
	for _, r := range rules {
		for pkg, reached := range deps {
			if !below(pkg, r.from) {
				continue
			}
			for _, d := range reached {
				if slices.ContainsFunc(r.to, func(to string) bool { return below(d, to) }) {
					t.Errorf("%s reaches %s: %s", pkg, d, r.why)
				}
			}
		}
	}
}

// Every rule must speak of something that exists, or it guards nothing.
func TestRulesNameExistingPackages(t *testing.T) {
	deps := reached(t)
	for _, r := range rules {
		found := false
		for pkg := range deps {
			found = found || below(pkg, r.from)
		}
		if !found {
			t.Errorf("no package below %q", r.from)
		}
	}
}

func TestLeafImportsTheStandardLibraryAlone(t *testing.T) {
	for _, d := range reached(t)[module+"internal/harness"] {
		if strings.Contains(strings.Split(d, "/")[0], ".") {
			t.Errorf("internal/harness reaches %s", d)
		}
	}
}

// below compares path segments: "gen" holds for ".../gen" and ".../gen/plan", not for ".../genx". A name with a dot in its
// first segment is a module path of somebody else's.
func below(pkg, prefix string) bool {
	if !strings.Contains(strings.Split(prefix, "/")[0], ".") && prefix != "net/http" {
		prefix = module + prefix
	}
	return pkg == prefix || strings.HasPrefix(pkg, prefix+"/")
}

// reached returns every package of this module with all that it reaches, tests left out.
func reached(t *testing.T) map[string][]string {
	t.Helper()
	all, err := reach()
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// reach asks once: an answer takes a second.
var reach = sync.OnceValues(func() (map[string][]string, error) {
	out, err := exec.Command("go", "list", "-e", "-deps=false", "-json=ImportPath,Deps", module+"...").Output()
	if err != nil {
		return nil, fmt.Errorf("go list: %w", err)
	}
	all := map[string][]string{}
	for dec := json.NewDecoder(bytes.NewReader(out)); ; {
		var p struct {
			ImportPath string
			Deps       []string
		}
		if err := dec.Decode(&p); errors.Is(err, io.EOF) {
			return all, nil
		} else if err != nil {
			return nil, fmt.Errorf("go list: %w", err)
		}
		all[p.ImportPath] = p.Deps
	}
})
