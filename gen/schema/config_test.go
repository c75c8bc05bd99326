package schema

import (
	"path/filepath"
	"regexp"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/lorimer-dev/lorimer/internal/config"
	"github.com/lorimer-dev/lorimer/internal/strictyaml"
)

// configLoaderOnly is loaderOnly for lorimer.yaml.
var configLoaderOnly = []struct{ reason, fault string }{
	{"YAML 1.1 reads more words as booleans than editors do", `which YAML 1.1 reads as a boolean|is the boolean (TRUE|True|FALSE|False)`},
	{"names are looked up in other entries", `a second handler is called`},
	{"a regular expression is JavaScript's", `is no regular expression`},
	{"a duration of nothing looks like any other", `a timeout of `},
	{"the first of a list is special", `an empty text for its program`},
}

func configs(t *testing.T) judge {
	t.Helper()
	ids := []string{"cob", "pony"}
	s, err := Config(ids)
	if err != nil {
		t.Fatal(err)
	}
	load := func(name string, src []byte) error {
		_, err := config.Load(name, src, ids)
		return err
	}
	only := func(f strictyaml.Fault) string {
		for _, x := range configLoaderOnly {
			if regexp.MustCompile(x.fault).MatchString(f.What) {
				return x.reason
			}
		}
		return ""
	}
	return judge{compile(t, s), load, only}
}

// configSamples are the files of package config's goldens: good ones and bad ones.
func configSamples(t *testing.T) (good, bad map[string][]byte) {
	t.Helper()
	good, bad = map[string][]byte{}, map[string][]byte{}
	for name, src := range read(t, "../../internal/config/testdata/*.txtar") {
		yaml := txtar.Parse(src).Files[0].Data
		if _, err := config.Load("lorimer.yaml", yaml, []string{"cob", "pony"}); err != nil {
			bad[filepath.Base(name)] = yaml
		} else {
			good[filepath.Base(name)] = yaml
		}
	}
	if len(good) < 5 || len(bad) < 5 {
		t.Fatalf("%d good files, %d bad ones", len(good), len(bad))
	}
	return good, bad
}

func TestConfigsAgree(t *testing.T) {
	j := configs(t)
	good, bad := configSamples(t)
	for name, src := range good {
		if d, fault := j.disagreement("lorimer.yaml", src); fault != nil || d != "" {
			t.Errorf("%s: %v %s", name, fault, d)
		}
	}
	seen := map[string]bool{}
	for name, src := range bad {
		d, err := j.disagreement("lorimer.yaml", src)
		if d != "" {
			t.Errorf("%s: %s", name, d)
		}
		for _, f := range faultsOf(err) {
			seen[j.only(f)] = true
		}
	}
	for _, x := range configLoaderOnly {
		if !seen[x.reason] {
			t.Errorf("no broken file has a fault of the kind %q: drop it from the list", x.reason)
		}
	}
}

// Each bad file of one fault is refused by both: in a file of twenty, any one of them would do.
func TestEachConfigFaultIsSeen(t *testing.T) {
	j := configs(t)
	for name, src := range map[string]string{
		"another version":      "version: 2",
		"no version":           "handlers: []",
		"version 0":            "version: 0",
		"unknown key":          "version: 1\nharness: [cob]",
		"unknown harness":      "version: 1\nharnesses: [cobb]",
		"twice":                "version: 1\nharnesses: [cob, cob]",
		"no limit below 0":     "version: 1\nstop_gate: { max_continuations: -1 }",
		"unknown event":        "version: 1\nhandlers: [{ name: a, event: Stopp, run: x }]",
		"no name":              "version: 1\nhandlers: [{ event: Stop, run: x }]",
		"bad name":             "version: 1\nhandlers: [{ name: ../x, event: Stop, run: x }]",
		"no event":             "version: 1\nhandlers: [{ name: a, run: x }]",
		"nothing to run":       "version: 1\nhandlers: [{ name: a, event: Stop }]",
		"nothing in argv":      "version: 1\nhandlers: [{ name: a, event: Stop, argv: [] }]",
		"a blank line to run":  "version: 1\nhandlers: [{ name: a, event: Stop, run: '  ' }]",
		"two things to run":    "version: 1\nhandlers: [{ name: a, event: Stop, run: x, argv: [x] }]",
		"time without a unit":  "version: 1\nhandlers: [{ name: a, event: Stop, run: x, timeout: 60 }]",
		"unknown policy":       "version: 1\nhandlers: [{ name: a, event: Stop, run: x, on_error: deny }]",
		"a rule without tool":  "version: 1\nhandlers: [{ name: a, event: Stop, run: x, if: Bash }]",
		"async that must hold": "version: 1\nhandlers: [{ name: a, event: Stop, run: x, async: true, on_error: block }]",
		"in and not in":        "version: 1\nhandlers: [{ name: a, event: Stop, run: x, harnesses: [cob], not: [pony] }]",
		"hooks as a list":      "version: 1\nhooks: []",
		"hooks of no event":    "version: 1\nhooks: { Stopp: [] }",
		"a hook, not a group":  "version: 1\nhooks: { Stop: [{ type: command, command: x }] }",
		"hook for Claude":      "version: 1\nhooks: { Stop: [{ hooks: [{ type: prompt, prompt: x }] }] }",
		"hook without command": "version: 1\nhooks: { Stop: [{ hooks: [{ type: command }] }] }",
		"hook without time":    "version: 1\nhooks: { Stop: [{ hooks: [{ type: command, command: x, timeout: 0 }] }] }",
		"hook for powershell":  "version: 1\nhooks: { Stop: [{ hooks: [{ type: command, command: x, shell: powershell }] }] }",
		"async that blocks":    "version: 1\nhandlers: [{ name: a, event: Stop, run: x, async: true, block: true }]",
		"redacts too early":    "version: 1\nhandlers: [{ name: a, event: PreToolUse, run: x, redacts: true }]",
		"redacts and is async": "version: 1\nhandlers: [{ name: a, event: PostToolUse, run: x, redacts: true, async: true }]",
		"redacts in vain":      "version: 1\nhandlers: [{ name: a, event: PostToolUse, run: x, redacts: true, block: false }]",
		"hook with if":         "version: 1\nhooks: { Stop: [{ hooks: [{ type: command, command: x, if: Bash }] }] }",
	} {
		d, err := j.disagreement("lorimer.yaml", []byte(src))
		if err == nil || firstStructural(err, j.only) == "" || d != "" {
			t.Errorf("%s: %v: %s", name, err, d)
		}
	}
}

func TestMutatedConfigsAgree(t *testing.T) {
	good, _ := configSamples(t)
	agreeOnMutants(t, configs(t), good, 300)
}
