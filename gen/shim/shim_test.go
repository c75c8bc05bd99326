package shim

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/lorimer-dev/lorimer/gen/descriptor"
	"github.com/lorimer-dev/lorimer/gen/plan"
	"github.com/lorimer-dev/lorimer/internal/goldentest"
	"github.com/lorimer-dev/lorimer/internal/harness"
)

// hosts are descriptors of very different hosts: registration by call, by property and over a bus; one module loaded twice;
// modes; a synchronous stop; context held and delivered.
func hosts(t *testing.T) []*plan.Harness {
	t.Helper()
	files, err := filepath.Glob("../descriptor/testdata/good/*.yaml")
	if err != nil || len(files) < 4 {
		t.Fatalf("descriptors: %v, %v", files, err)
	}
	var all []*descriptor.Descriptor
	for _, f := range files {
		src, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		d, err := descriptor.LoadFile(filepath.Base(f), src)
		if err != nil {
			t.Fatal(err)
		}
		if d.Shim != nil {
			all = append(all, d)
		}
	}
	p, err := plan.Build(all)
	if err != nil {
		t.Fatal(err)
	}
	return p.Harnesses
}

// TestGlue shows what becomes of each host's rows; read the goldens as a user of that host would read the shim.
func TestGlue(t *testing.T) {
	owned := map[string]bool{}
	for _, h := range hosts(t) {
		golden := filepath.Join("testdata", h.ID.Text+".js.golden")
		owned[golden] = true
		goldentest.Compare(t, golden, header(h)+configLine(h)+"\n"+glue(h))
	}
	orphans, _ := filepath.Glob("testdata/*.js.golden")
	for _, f := range orphans {
		if !owned[f] {
			t.Errorf("no descriptor owns %s", f)
		}
	}
}

func TestShimsParseAndHoldTheirParts(t *testing.T) {
	files, err := Emit(&plan.Plan{Harnesses: hosts(t)})
	if err != nil {
		t.Fatal(err)
	}
	for i, f := range files {
		glue, rest, found := strings.Cut(string(f.Data), runtimeBegin)
		runtime, seal, ends := strings.Cut(rest, runtimeEnd)
		if !found || !ends || strings.Count(seal, "\n") != 1 || !harness.Intact(f.Data) {
			t.Fatalf("%s has no runtime between its marks, or no seal behind it", f.Path)
		}
		if want, _ := Runtime(missing(hosts(t)[i], glue)...); want != runtime {
			t.Errorf("%s has another runtime", f.Path)
		}
		nodeParses(t, f.Path, f.Data)
	}
}

func nodeParses(t *testing.T, name string, data []byte) {
	t.Helper()
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("SKIPPED: no node on PATH")
	}
	file := filepath.Join(t.TempDir(), "shim.mjs")
	if err := os.WriteFile(file, data, 0o644); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command(node, "--check", file).CombinedOutput(); err != nil {
		t.Errorf("%s: %v\n%s", name, err, out)
	}
}

// TestConfigLineIsAllThatDiffersBetweenClones: what materialize writes is the golden shim but for one line.
func TestConfigLineIsAllThatDiffersBetweenClones(t *testing.T) {
	files, err := Emit(&plan.Plan{Harnesses: hosts(t)})
	if err != nil {
		t.Fatal(err)
	}
	shim := files[0].Data
	var config harness.ShimConfig
	got, err := harness.WithConfig(shim, func(c *harness.ShimConfig) {
		c.Dispatcher = []string{`/a "b"/$&`}
		config = *c
	})
	if err != nil {
		t.Fatal(err)
	}
	if !harness.SameShim(shim, got) || harness.SameShim(shim, append(got, '\n')) {
		t.Error("SameShim looks at something else than all but the CONFIG line")
	}
	was, is := strings.Split(string(shim), "\n"), strings.Split(string(got), "\n")
	changed := 0
	for i := range was {
		if was[i] != is[i] {
			changed++
			if is[i] != config.Line() {
				t.Errorf("line %d became %s", i+1, is[i])
			}
		}
	}
	if changed != 1 || len(was) != len(is) {
		t.Errorf("%d lines changed, %d became %d", changed, len(was), len(is))
	}
	for _, bad := range []string{"", "\n" + config.Line() + "\n" + config.Line(), "\nconst CONFIG = {", "\nconst CONFIG = {}", "\nconst CONFIG = {\n};",
		"\nconst CONFIG = {\"protocol\":2};", "\nconst CONFIG = {\"protocol\":1,\"new\":1};"} {
		if _, err := harness.WithConfig([]byte(bad), func(*harness.ShimConfig) {}); err == nil {
			t.Errorf("taken: %q", bad)
		}
	}
}

// TestGlueThatClashesWithTheRuntimeIsRefused: a helper may shadow a name of the runtime inside the module, but a second
// declaration beside it would be a syntax error in every clone.
func TestGlueThatClashesWithTheRuntimeIsRefused(t *testing.T) {
	h := hosts(t)[0]
	text, err := module(h)
	if err != nil {
		t.Fatal(err)
	}
	if faults := verify(h, text); faults != nil {
		t.Fatal(faults)
	}
	if faults := verify(h, text+"\nconst createShim = 1;\n"); faults == nil {
		t.Error("a second createShim was not seen")
	}
}
