package shim

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lorimer-dev/lorimer/gen/descriptor"
	"github.com/lorimer-dev/lorimer/gen/plan"
)

// TestPartsAreThoseOfTheModules: a label that no part has would stay for ever, a part without a label says nothing.
func TestPartsAreThoseOfTheModules(t *testing.T) {
	found := map[string]string{}
	eachModule(t, func(name, src string) {
		for _, m := range regexp.MustCompile(`(?m)^ *([A-Z]+): (.*)$`).FindAllStringSubmatch(src, -1) {
			found[m[1]] += m[2] + "\n"
		}
	})
	for _, p := range parts {
		text, ok := found[p.label]
		if !ok {
			t.Errorf("no statement has the label %s", p.label)
		}
		for _, m := range p.members {
			if !regexp.MustCompile(`\b` + m + `\b`).MatchString(text) {
				t.Errorf("nothing with the label %s makes rt.%s", p.label, m)
			}
		}
		delete(found, p.label)
	}
	if len(found) > 0 {
		t.Errorf("labels of no part: %v", found)
	}
}

// TestEachPartIsLeftOut: with it something goes, and nothing that rt gives besides.
func TestEachPartIsLeftOut(t *testing.T) {
	all := runtimeText(t)
	members := membersThatRuntimesGive(t)
	for _, p := range parts {
		without := runtimeText(t, p.label)
		if len(without) >= len(all) {
			t.Errorf("without %s the runtime has %d bytes, with it %d", p.label, len(without), len(all))
		}
		want := slices.DeleteFunc(slices.Clone(members("")), func(m string) bool { return slices.Contains(p.members, m) })
		if diff := cmp.Diff(want, members(p.label)); diff != "" {
			t.Errorf("without %s (-want +got):\n%s", p.label, diff)
		}
	}
}

// membersThatRuntimesGive asks node, once, what rt has without each part.
func membersThatRuntimesGive(t *testing.T) func(without string) []string {
	t.Helper()
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("SKIPPED: no node on PATH")
	}
	dir := t.TempDir()
	script := "const out = {};\n"
	for _, without := range leavings() {
		name := strings.Join(without, "-")
		if err := os.WriteFile(filepath.Join(dir, name+".mjs"), []byte("export { createShim };\n"+runtimeText(t, without...)), 0o600); err != nil {
			t.Fatal(err)
		}
		quoted, _ := json.Marshal(name)
		script += "out[" + string(quoted) + "] = Object.keys((await import(`./${" + string(quoted) + "}.mjs`)).createShim({ protocol: 1 }, {})).sort();\n"
	}
	file := filepath.Join(dir, "ask.mjs")
	if err := os.WriteFile(file, []byte(script+"console.log(JSON.stringify(out));\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command(node, file).CombinedOutput()
	given := map[string][]string{}
	if err != nil || json.Unmarshal(out, &given) != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return func(without string) []string { return given[without] }
}

func TestMissingParts(t *testing.T) {
	h := &plan.Harness{Descriptor: &descriptor.Descriptor{Shim: &descriptor.Shim{}}}
	all := labels()
	but := func(kept ...string) []string {
		return slices.DeleteFunc(slices.Clone(all), func(l string) bool { return slices.Contains(kept, l) })
	}
	for glue, want := range map[string][]string{
		"const rt = createShim(CONFIG, {});":                      all,
		"rt.hold(a);":                                             but("HELD"),
		"x = rt?.take(a); rt.eventSync(b)":                        but("HELD", "SYNC"),
		"start.hold(a); rt2.take(b); xrt.once(c)":                 all, // of others
		"rt.event(a); rt.holds(b)":                                all,
		"// rt.after, in a comment: once too often does not hurt": but("AFTER"),
		"const { once } = rt;":                                    but("SYNC", "AFTER", "EACH", "ONCE", "HELD", "FACTS", "MAIN", "ROOTS"),
		`rt["hold"](a)`:                                           but("SYNC", "AFTER", "EACH", "ONCE", "HELD", "FACTS", "MAIN", "ROOTS"),
		"helper(rt)":                                              but("SYNC", "AFTER", "EACH", "ONCE", "HELD", "FACTS", "MAIN", "ROOTS"),
	} {
		if diff := cmp.Diff(want, missing(h, glue)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", glue, diff)
		}
	}
}

// TestRowsNeedParts: what no member of rt tells, the descriptor does. A glue that has the text works with the part alone.
func TestRowsNeedParts(t *testing.T) {
	signs := map[string]string{
		"REWRITE": "verdict.input", "REPLACE": `"output" in verdict`, "ALLOW": "verdict.allowed", "ENV": "verdict.env",
		"NOTIFY": "\n    notify: (", "MCP": "mcp: {", "PATHS": "from: ",
	}
	seen := map[string]bool{}
	for _, h := range hosts(t) {
		text := glue(h)
		left := missing(h, text)
		for label, sign := range signs {
			needs := strings.Contains(text, sign)
			if needs == slices.Contains(left, label) {
				t.Errorf("%s: %s left out: %v; %q in its glue: %v", h.ID.Text, label, !needs, sign, needs)
			}
			seen[label] = seen[label] || needs
		}
	}
	for label := range signs {
		if !seen[label] {
			t.Errorf("no host needs %s", label)
		}
	}
	for _, p := range parts {
		if (p.needed == nil) == (len(p.members) == 0) || signs[p.label] == "" && p.needed != nil {
			t.Errorf("%s: neither a member of rt nor a sign in the glue, or both", p.label)
		}
	}
}
