package doctor

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/lorimer-dev/lorimer/internal/harness"
	"github.com/lorimer-dev/lorimer/internal/materialize"
)

// TestManagedSwitch: what an organization set, so that nobody else's hooks run, is named with its file, and the person who can change it
// is somebody else. It goes before a switch of the user's own.
func TestManagedSwitch(t *testing.T) {
	for name, c := range map[string]struct {
		managed, more, project string
		file, key              string // that is named; "" = nothing is
	}{
		"no such file":                  {},
		"nothing of it":                 {managed: `{"hooks":{}}`},
		"only theirs":                   {managed: `{"allowManagedHooksOnly":true}`, file: "managed.json", key: "allowManagedHooksOnly"},
		"only theirs, in the folder":    {managed: `{}`, more: `{"allowManagedHooksOnly":true}`, file: "managed.d/10.json", key: "allowManagedHooksOnly"},
		"the last file holds":           {managed: `{"allowManagedHooksOnly":true}`, more: `{"allowManagedHooksOnly":false}`},
		"disabled":                      {managed: `{"disableAllHooks":true}`, file: "managed.json", key: "disableAllHooks"},
		"both":                          {managed: `{"allowManagedHooksOnly":true,"disableAllHooks":true}`, file: "managed.json", key: "disableAllHooks"},
		"before the project's":          {managed: `{"disableAllHooks":true}`, project: `{"disableAllHooks":true}`, file: "managed.json", key: "disableAllHooks"},
		"the project's alone":           {managed: `{}`, project: `{"disableAllHooks":true}`, file: ".one/settings.json", key: "disableAllHooks"},
		"a project's word of that kind": {project: `{"allowManagedHooksOnly":true}`},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			for file, text := range map[string]string{"managed.json": c.managed, "managed.d/10.json": c.more, "clone/.one/settings.json": c.project} {
				if text == "" {
					continue
				}
				file = filepath.Join(dir, filepath.FromSlash(file))
				if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			managed := filepath.Join(dir, "managed.json")
			p := &patient{Command: &Command{Options: materialize.Options{UserHome: dir}}, Report: &Report{Root: filepath.Join(dir, "clone")}}
			p.shadowed(&harness.Harness{ID: "one", Name: "One", Hooks: &harness.Hooks{
				Native: true, Shared: ".one/settings.json", Managed: &harness.Managed{Linux: managed, Darwin: managed, Windows: managed},
			}})
			if c.file == "" {
				if len(p.Findings) != 0 {
					t.Errorf("%+v", p.Findings)
				}
				return
			}
			if len(p.Findings) != 1 {
				t.Fatalf("%+v", p.Findings)
			}
			f := p.Findings[0]
			if f.Level != Problem || !strings.HasPrefix(f.What, c.key+" is ") || !strings.Contains(f.What, c.file+", so One runs no") {
				t.Errorf("%+v", f)
			}
			if theirs := f.Do == "ask whoever manages this machine"; theirs != strings.HasPrefix(c.file, "managed") {
				t.Errorf("the remedy: %q", f.Do)
			}
		})
	}
}
