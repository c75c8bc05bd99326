package materialize

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/lorimer-dev/lorimer/internal/trust"
)

func TestWhatIsWritten(t *testing.T) {
	clone, o := setup(t, map[string]string{"lorimer.yaml": yaml, ".cob/": ""})
	p := materialize(t, clone, o)
	if got := paths(p); got != "create .lorimer/.gitignore, create .pony/extensions/lorimer.js, create .cob/settings.local.json, "+
		"create mule.json, create .lorimer/manifest.json" {
		t.Errorf("changes: %s", got)
	}
	dispatcher := filepath.Join(o.Home, "bin", "lorimer-dispatch")
	for file, parts := range map[string][]string{
		".lorimer/.gitignore": {"*\n"},
		".pony/extensions/lorimer.js": {`const CONFIG = {"protocol":1,"harness":"pony","dispatcher":["` + dispatcher + `","--root","` +
			p.Root + `"],"events":["PreToolUse","Stop"],"fail_closed":["PreToolUse"],"max_continuations":8}; // the one line` + "\nexport"},
		".cob/settings.local.json": {`"command": "` + dispatcher + `"`, "\"--fail-closed\",\n              \"cob\",\n              \"PreToolUse\"",
			"\"" + p.Root + "\",\n              \"cob\",\n              \"Stop\""},
		"mule.json":              {`"before": [`, `"command": "` + dispatcher + " --root " + p.Root + ` mule PreToolUse"`},
		".lorimer/manifest.json": {`"guard"`, `"path": "lorimer.yaml"`},
	} {
		for _, part := range parts {
			if got := read(t, clone, file); !strings.Contains(got, part) {
				t.Errorf("%s lacks %s:\n%s", file, part, got)
			}
		}
	}
	if got := read(t, clone, "mule.json") + read(t, clone, ".cob/settings.local.json"); strings.Contains(got, "PostToolUse") {
		t.Error("an event is hooked that no handler wants")
	}
	if err := trust.Check(o.Home, clone, []byte(read(t, clone, ".lorimer/manifest.json"))); err != nil {
		t.Error(err)
	}
}

func TestSecondRunWritesNothing(t *testing.T) {
	clone, o := setup(t, map[string]string{"lorimer.yaml": yaml, "mule.json": "{\n\t// mine\n}"})
	materialize(t, clone, o)
	long := time.Now().Add(-time.Hour)
	for _, file := range keys(tree(t, clone)) {
		must(t, os.Chtimes(filepath.Join(clone, file), long, long))
	}
	if p := materialize(t, clone, o); !p.Clean() {
		t.Errorf("second run: %s", p.Diff())
	}
	for _, file := range keys(tree(t, clone)) {
		if info, _ := os.Stat(filepath.Join(clone, file)); !info.ModTime().Equal(long.Truncate(time.Nanosecond)) {
			t.Errorf("%s was written again", file)
		}
	}
}

func TestCleanGivesEverythingBack(t *testing.T) {
	clone, o := setup(t, map[string]string{
		"lorimer.yaml": yaml, "mule.json": "{\r\n\t// mine\r\n\t\"on\": {},\r\n}", ".cob/settings.json": `{"a": 1}`, ".pony/": "",
	})
	before := tree(t, clone)
	materialize(t, clone, o)
	manifest := []byte(read(t, clone, ".lorimer/manifest.json"))
	clean(t, clone, o)
	same(t, "after clean", tree(t, clone), before)
	if trust.Check(o.Home, clone, manifest) == nil {
		t.Error("the manifest is still trusted")
	}
	if p := clean(t, clone, o); !p.Clean() {
		t.Errorf("a second clean does something: %s", p.Diff())
	}
	same(t, "after a second clean", tree(t, clone), before)
}

// What a host needs in a hook config of its own stands in one that is new, and goes with it.
func TestAFreshFileHasWhatTheHostNeeds(t *testing.T) {
	clone, o := setup(t, map[string]string{"lorimer.yaml": yaml})
	o.Table[1].Hooks.Root = `{"version":1}`
	_, err := Materialize(clone, o)
	must(t, err)
	if got := read(t, clone, "mule.json"); !strings.HasPrefix(got, "{\n  \"version\": 1,\n  \"on\": {\n") {
		t.Errorf("got %s", got)
	}
	write(t, clone, "mule.json", strings.Replace(read(t, clone, "mule.json"), "1,", "1, \"mine\": 2,", 1))
	_, err = Clean(clone, o)
	must(t, err)
	if got := read(t, clone, "mule.json"); got != "{\n  \"version\": 1, \"mine\": 2\n}\n" {
		t.Errorf("what is left is %q", got)
	}
	must(t, os.Remove(filepath.Join(clone, "mule.json")))
	_, err = Materialize(clone, o)
	must(t, err)
	_, err = Clean(clone, o)
	must(t, err)
	if _, err := os.Stat(filepath.Join(clone, "mule.json")); err == nil {
		t.Errorf("left behind: %s", read(t, clone, "mule.json"))
	}
}

func TestEmptyFilesAreNotAbsentFiles(t *testing.T) {
	for _, text := range []string{"", "\n", "\xef\xbb\xbf"} {
		clone, o := setup(t, map[string]string{"lorimer.yaml": yaml, "mule.json": text})
		before := tree(t, clone)
		materialize(t, clone, o)
		clean(t, clone, o)
		same(t, "after clean", tree(t, clone), before)
	}
}

func TestCleanNeedsNoConfiguration(t *testing.T) {
	clone, o := setup(t, map[string]string{"lorimer.yaml": yaml})
	materialize(t, clone, o)
	must(t, os.Remove(filepath.Join(clone, "lorimer.yaml")))
	clean(t, clone, o)
	same(t, "after clean", tree(t, clone), map[string]string{})
}

func TestEventAndHarnessThatAreDroppedAreTakenOut(t *testing.T) {
	settings := "{\n    \"x\": [1, 2] // two\n}\n"
	clone, o := setup(t, map[string]string{"lorimer.yaml": yaml, ".cob/settings.local.json": settings})
	materialize(t, clone, o)
	write(t, clone, "lorimer.yaml", "version: 1\nharnesses: [cob]\nhandlers: [{ name: gate, event: Stop, run: ./gate }]\n")
	p := materialize(t, clone, o)
	if got := paths(p); got != "update .cob/settings.local.json, remove .pony/extensions/lorimer.js, remove mule.json, update .lorimer/manifest.json" {
		t.Errorf("changes: %s", got)
	}
	if _, err := os.Stat(filepath.Join(clone, ".pony")); err == nil {
		t.Error("the directory that was made for pony stands there still")
	}
	if got := read(t, clone, ".cob/settings.local.json"); strings.Contains(got, "PreToolUse") || !strings.Contains(got, "Stop") {
		t.Errorf("settings:\n%s", got)
	}
	write(t, clone, "lorimer.yaml", "version: 1\nharnesses: [cob]\n")
	materialize(t, clone, o)
	if got := read(t, clone, ".cob/settings.local.json"); got != settings {
		t.Errorf("settings:\n%s", got)
	}
}

func TestWhatTheUserPutsIntoOurFilesStays(t *testing.T) {
	clone, o := setup(t, map[string]string{"lorimer.yaml": yaml})
	materialize(t, clone, o)
	mule := read(t, clone, "mule.json")
	write(t, clone, "mule.json", strings.Replace(mule, "{\n", "{\n  \"theirs\": 7,\n", 1))
	write(t, clone, ".pony/extensions/other.js", "theirs")
	if p, err := PlanMaterialize(clone, o); err != nil || !p.Clean() {
		t.Errorf("the user's own edit counts as drift: %v\n%s", err, p.Diff())
	}
	clean(t, clone, o)
	same(t, "after clean", tree(t, clone), map[string]string{
		"lorimer.yaml": yaml, "mule.json": "{\n  \"theirs\": 7\n}\n",
		".pony/": "", ".pony/extensions/": "", ".pony/extensions/other.js": "theirs",
	})
}

func TestFoundHarnesses(t *testing.T) {
	clone, o := setup(t, map[string]string{"lorimer.yaml": "version: 1\nhandlers: [{ name: gate, event: Stop, run: ./gate }]\n"})
	refused(t, clone, materializing(clone, o), "lorimer.yaml: no coding agent is found", "known are cob, mule, pony")
	o.LookPath = func(name string) (string, error) { return name, nil }
	write(t, clone, ".cob/x", "")
	p := materialize(t, clone, o)
	if len(p.Harnesses) != 2 || p.Harnesses[0].ID != "cob" || p.Harnesses[1].ID != "pony" || !p.Harnesses[0].Restart ||
		p.Harnesses[1].File != ".pony/extensions/lorimer.js" || p.Harnesses[1].Trust == "" {
		t.Errorf("got %+v", p.Harnesses)
	}
}

func TestOnlyAndConfig(t *testing.T) {
	clone, o := setup(t, map[string]string{"lorimer.yaml": yaml, "deep/other.yaml": "version: 1\nhandlers: [{name: x, event: Stop, run: y1}]\n"})
	o.Config, o.Only = filepath.Join(clone, "deep", "other.yaml"), []string{"pony"}
	materialize(t, clone, o)
	if got := read(t, clone, ".lorimer/manifest.json"); !strings.Contains(got, `"deep/other.yaml"`) || strings.Contains(got, "cob") {
		t.Errorf("manifest:\n%s", got)
	}
	outside := filepath.Join(t.TempDir(), "o.yaml")
	must(t, os.WriteFile(outside, []byte("version: 1\n"), 0o600))
	o.Config = outside
	materialize(t, clone, o)
	if got := read(t, clone, ".lorimer/manifest.json"); !strings.Contains(got, `"`+filepath.ToSlash(outside)+`"`) {
		t.Errorf("manifest:\n%s", got)
	}
	o.Only = []string{"ponny"}
	refused(t, clone, materializing(clone, o), `unknown harness "ponny"`, `did you mean "pony"?`)
	o.Config, o.Only = filepath.Join(clone, "none.yaml"), nil
	refused(t, clone, materializing(clone, o), "none.yaml")
	o.Config = ""
	must(t, os.Remove(filepath.Join(clone, "lorimer.yaml")))
	refused(t, clone, materializing(clone, o), "lorimer.yaml: there is none in "+clone, "--config FILE")
	write(t, clone, "lorimer.yaml", "version: 1\nhandlers: [{name: x, event: Stopp, run: z}]\n")
	refused(t, clone, materializing(clone, o), `lorimer.yaml:2:29: unknown event "Stopp"`)
}

func TestMissingProgramIsSaid(t *testing.T) {
	clone, o := setup(t, map[string]string{"there": "", "lorimer.yaml": `version: 1
harnesses: [cob]
handlers:
  - { name: a, event: Stop, argv: [./gone] }
  - { name: b, event: Stop, argv: [./there] }
  - { name: c, event: Stop, argv: [on-path] }
`})
	p := materialize(t, clone, o)
	if len(p.Warnings) != 1 || p.Warnings[0] != `handler "a": ./gone does not exist in the clone` {
		t.Errorf("got %q", p.Warnings)
	}
}

func TestPlanChangesNothing(t *testing.T) {
	clone, o := setup(t, map[string]string{"lorimer.yaml": yaml})
	before := tree(t, clone)
	p, err := PlanMaterialize(clone, o)
	if err != nil || p.Clean() || !strings.Contains(string(p.Diff()), "--- /dev/null\n+++ b/mule.json\n") {
		t.Errorf("%v\n%s", err, p.Diff())
	}
	same(t, "after a plan", tree(t, clone), before)
	if _, err := os.Stat(o.Home); err == nil {
		t.Error("the plan made the state home")
	}
}

func TestUntrustedIsDrift(t *testing.T) {
	clone, o := setup(t, map[string]string{"lorimer.yaml": yaml})
	materialize(t, clone, o)
	must(t, os.RemoveAll(filepath.Join(o.Home, "trusted")))
	if p, err := PlanMaterialize(clone, o); err != nil || p.Clean() || !p.Untrusted || len(p.Changes) != 0 {
		t.Errorf("%v %+v", err, p)
	}
	materialize(t, clone, o)
	if p, err := PlanMaterialize(clone, o); err != nil || !p.Clean() {
		t.Errorf("still drift: %v", err)
	}
}

func TestCommandsAreShownUntilTheyAreAgreedTo(t *testing.T) {
	clone, o := setup(t, map[string]string{"lorimer.yaml": yaml})
	show := func(p *Plan) (all string) {
		for _, c := range p.Commands {
			all += c.Name + " " + c.Event + " " + c.Command + "; "
		}
		return all
	}
	if got := show(materialize(t, clone, o)); got != "guard PreToolUse ./guard; gate Stop ./gate; " {
		t.Errorf("first: %s", got)
	}
	if got := show(materialize(t, clone, o)); got != "" {
		t.Errorf("again: %s", got)
	}
	write(t, clone, "lorimer.yaml", yaml+"  - { name: fmt, event: Stop, argv: [gofmt, -w, a b], timeout: 5s }\n")
	if got := show(materialize(t, clone, o)); got != "fmt Stop gofmt -w 'a b'; " {
		t.Errorf("one more: %s", got)
	}
	must(t, os.RemoveAll(filepath.Join(o.Home, "trusted")))
	if got := show(materialize(t, clone, o)); strings.Count(got, ";") != 3 {
		t.Errorf("trust lost: %s", got)
	}
}

// Agents that were named once are meant until others are, and by whoever looks, too.
func TestNamedAgentsAreRemembered(t *testing.T) {
	clone, o := setup(t, map[string]string{"lorimer.yaml": yaml})
	serves := func(what string, o Options, want string) {
		t.Helper()
		p := materialize(t, clone, o)
		var ids []string
		for _, h := range p.Harnesses {
			ids = append(ids, h.ID)
		}
		if got := strings.Join(ids, " "); got != want {
			t.Errorf("%s: %s, want %s", what, got, want)
		}
	}
	named := o
	named.Only = []string{"pony"}
	serves("named", named, "pony")
	serves("plain", o, "pony")
	for what, o := range map[string]Options{"plain": o, "named": named} {
		if p, err := PlanMaterialize(clone, o); err != nil || !p.Clean() {
			t.Errorf("%s: %v\n%s", what, err, p.Diff())
		}
	}
	looked := o
	looked.Only = []string{"cob"}
	if p, err := PlanMaterialize(clone, looked); err != nil || p.Clean() {
		t.Errorf("another is no drift: %v", err)
	}
	serves("after a look", o, "pony")
	beside, _ := setup(t, map[string]string{"lorimer.yaml": yaml})
	as := o
	as.As = clone
	materialize(t, beside, as)
	if p := materialize(t, beside, o); len(p.Harnesses) != 1 || !p.Clean() {
		t.Errorf("the other checkout: %v", p.Harnesses)
	}
	without := o
	without.Table = o.Table[:2]
	write(t, clone, "lorimer.yaml", strings.Replace(yaml, ", pony", "", 1))
	serves("an agent that this lorimer does not know", without, "cob mule")
	write(t, clone, "lorimer.yaml", yaml)
	serves("and knows again", o, "pony")
	named.Only = []string{DefaultAgents}
	serves("forgotten", named, "cob mule pony")
	serves("plain", o, "cob mule pony")
	clean(t, clone, o)
}
