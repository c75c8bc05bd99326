package doctor

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/lorimer-dev/lorimer/internal/harness"
	"github.com/lorimer-dev/lorimer/internal/materialize"
)

// TestSwitchedOff: the switch is found where the host reads it, and the file that counts first decides.
func TestSwitchedOff(t *testing.T) {
	json := []harness.Switch{{File: ".gem/settings.json", Key: "hooksConfig.enabled"}, {File: "~/.gem/settings.json", Key: "hooksConfig.enabled"}}
	toml := []harness.Switch{{File: "~/.cod/config.toml", Key: "features.hooks"}}
	yes := []harness.Switch{{File: ".q/settings.json", Key: "disableAllHooks", Off: true}}
	for i, c := range []struct {
		switches      []harness.Switch
		file, text    string
		others, other string
		problem       string
	}{
		{switches: json, file: "clone/.gem/settings.json", text: "{ // off\n \"hooksConfig\": {\"enabled\": false,}}", problem: "hooksConfig.enabled is false in .gem/settings.json, so Gem runs no hook at all"},
		{switches: json, file: "clone/.gem/settings.json", text: `{"hooksConfig": {"enabled": true}}`, others: "home/.gem/settings.json", other: `{"hooksConfig": {"enabled": false}}`},
		{switches: json, file: "clone/.gem/settings.json", text: `{}`, others: "home/.gem/settings.json", other: `{"hooksConfig": {"enabled": false}}`, problem: "hooksConfig.enabled is false in ~/.gem/settings.json, so Gem runs no hook at all"},
		{switches: json, file: "clone/.gem/settings.json", text: `{"hooksConfig": {"enabled": "no"}}`},
		{switches: json, file: "clone/.gem/settings.json", text: `not JSON`},
		{switches: json},
		{switches: yes, file: "clone/.q/settings.json", text: `{"disableAllHooks": true}`, problem: "disableAllHooks is true in .q/settings.json, so Gem runs no hook at all"},
		{switches: yes, file: "clone/.q/settings.json", text: `{"disableAllHooks": false}`},
		{switches: toml, file: "home/.cod/config.toml", text: "model = \"x\"\n\n[features] # mine\nhooks = false # for now\n[other]\nhooks = true\n", problem: "features.hooks is false in ~/.cod/config.toml, so Gem runs no hook at all"},
		{switches: toml, file: "home/.cod/config.toml", text: "features.hooks = false\r\n", problem: "features.hooks is false in ~/.cod/config.toml, so Gem runs no hook at all"},
		{switches: toml, file: "home/.cod/config.toml", text: "features = { hooks = false }\n", problem: "features.hooks is false in ~/.cod/config.toml, so Gem runs no hook at all"},
		{switches: toml, file: "home/.cod/config.toml", text: "x = \"\"\"\nfeatures.hooks = false\n\"\"\"\n"},
		{switches: toml, file: "home/.cod/config.toml", text: "features.hooks = \n"},
		{switches: toml, file: "home/.cod/config.toml", text: "# [features]\n# hooks = false\n[features]\nhooks = true\n[x]\nhooks = false\n"},
	} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			dir := t.TempDir()
			for name, text := range map[string]string{c.file: c.text, c.others: c.other} {
				if name == "" {
					continue
				}
				file := filepath.Join(dir, filepath.FromSlash(name))
				if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			p := &patient{Command: &Command{Options: materialize.Options{UserHome: filepath.Join(dir, "home")}}, Report: &Report{Root: filepath.Join(dir, "clone")}}
			p.shadowed(&harness.Harness{ID: "gem", Name: "Gem", Hooks: &harness.Hooks{Switches: c.switches}})
			got := ""
			for _, f := range p.Findings {
				got += f.What
			}
			if got != c.problem {
				t.Errorf("%q, want %q", got, c.problem)
			}
		})
	}
}
