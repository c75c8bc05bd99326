package materialize

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/lorimer-dev/lorimer/internal/harness"
)

// withManagedFiles lets an organization set the agent up on this machine, in a folder of the test's.
func withManagedFiles(t *testing.T, o *Options, files map[string]string) (dir string) {
	t.Helper()
	dir = t.TempDir()
	for name, text := range files {
		write(t, dir, name, text)
	}
	file := filepath.Join(dir, "managed.json")
	o.Table[0].Hooks.Managed = &harness.Managed{Linux: file, Darwin: file, Windows: file}
	return dir
}

// What an organization set counts beside and above all else. A test with the real agent holds the same (e2e/settings_managed_test.go).
func TestManagedSettings(t *testing.T) {
	const only = `"allowManagedHooksOnly": `
	for name, c := range map[string]struct {
		managed, more, project string
		want                   string // commands in the manifest
	}{
		"beside the project's":        {hook("./m"), hook("./d"), hook("./p"), "./m ./d ./p"},
		"alone":                       {hook("./m"), "", `{}`, "./m"},
		"it disables":                 {`{"disableAllHooks": true,` + hook("./m")[1:], "", hook("./p"), ""},
		"the project disables":        {hook("./m"), "", `{"disableAllHooks": true,` + hook("./p")[1:], "./m"},
		"and the machine says no":     {`{"disableAllHooks": false,` + hook("./m")[1:], "", `{"disableAllHooks": true,` + hook("./p")[1:], "./m ./p"},
		"a later file overrules it":   {`{"disableAllHooks": true,` + hook("./m")[1:], `{"disableAllHooks": false}`, hook("./p"), "./m ./p"},
		"no others":                   {`{` + only + `true,` + hook("./m")[1:], "", hook("./p"), "./m"},
		"no others, unreadable":       {`{` + only + `"x",` + hook("./m")[1:], "", hook("./p"), "./m"},
		"others":                      {`{` + only + `true,` + hook("./m")[1:], `{` + only + `"false"}`, hook("./p"), "./m ./p"},
		"only managed files say that": {hook("./m"), "", `{` + only + `true,` + hook("./p")[1:], "./m ./p"},
		"a folder's file is void":     {hook("./m"), `{"disableAllHooks": false, "hooks": {"PreToolUse": 5}}`, `{"disableAllHooks": true,` + hook("./p")[1:], "./m"},
		"an equal group":              {hook("./m"), "", hook("./m"), "./m"},
		"and disables all the same":   {hook("./m"), `{"disableAllHooks": true, "hooks": {"PreToolUse": 5}}`, hook("./p"), ""},
		"and strict all the same":     {hook("./m"), `{` + only + `true, "hooks": {"PreToolUse": 5}}`, hook("./p"), "./m"},
	} {
		t.Run(name, func(t *testing.T) {
			clone, o := inPlace(t, map[string]string{".cob/settings.json": c.project})
			files := map[string]string{"managed.json": c.managed, "managed.d/.hidden.json": hook("./x"), "managed.d/x.txt": hook("./x")}
			if c.more != "" {
				files["managed.d/10.json"] = c.more
			}
			withManagedFiles(t, &o, files)
			materialize(t, clone, o)
			m := read(t, clone, ".lorimer/manifest.json")
			var got []string
			for _, command := range []string{"./m", "./d", "./p", "./x"} {
				if strings.Contains(m, `"run": "`+command+`"`) {
					got = append(got, command)
				}
			}
			if strings.Join(got, " ") != c.want {
				t.Errorf("got %v of %s", got, m)
			}
			if want := strings.Count(c.want, "m") + strings.Count(c.want, "d"); strings.Count(m, `"managed": true`) != want {
				t.Errorf("not %d handlers are the organization's: %s", want, m)
			}
		})
	}
}

// The agent itself does not start with these, so nobody's hooks are made of them, and the place is named.
func TestManagedSettingsThatAreRefused(t *testing.T) {
	for text, want := range map[string]string{
		`{`: "managed.json:1:", `[]`: "managed.json:1:1: the settings are no object", `{"hooks": {"PermissionRequest": 5}}`: "managed.json:1:33: PermissionRequest is no list",
	} {
		clone, o := inPlace(t, map[string]string{".cob/settings.json": hook("./p")})
		withManagedFiles(t, &o, map[string]string{"managed.json": text})
		refused(t, clone, materializing(clone, o), want)
		refused(t, clone, materializing(clone, o), "Claude does not start with it: whoever manages this machine has to mend it")
	}
}

// The clone's variables are compiled; those of files outside of it stay where they are, because they may hold what must not lie
// about in a clone.
func TestEnvOfSettings(t *testing.T) {
	clone, o := inPlace(t, map[string]string{
		".cob/settings.json": `{"env": {"A": "shared", "N": 5, "HOME": "/no"},` + hook("./p")[1:], ".cob/settings.local.json": `{"env": {"A": "local"}}`,
	})
	dir := withManagedFiles(t, &o, map[string]string{"managed.json": `{"env": {"SECRET": "word"}}`})
	withUserFiles(t, &o)
	write(t, o.UserHome, ".cob/settings.json", `{"env": {"TOKEN": "word"}}`)
	yes := true
	o.User = &yes
	materialize(t, clone, o)
	m := read(t, clone, ".lorimer/manifest.json")
	i, j := strings.Index(m, `"env": [`), strings.Index(m, `"events"`)
	if i < 0 || j < i {
		t.Fatalf("no env in %s", m)
	}
	home, err := filepath.EvalSymlinks(o.UserHome)
	must(t, err)
	want := `"env": [ { "path": "` + filepath.ToSlash(home) + `/.cob/settings.json" }, { "path": ".cob/settings.json", "values": { "A": "shared", "N": "5" } }, ` +
		`{ "path": ".cob/settings.local.json", "values": { "A": "local" } }, { "path": "` + filepath.ToSlash(dir) + `/managed.json" } ],`
	if got := strings.Join(strings.Fields(m[i:j]), " "); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if strings.Contains(m, "word") {
		t.Error("a secret lies in the clone")
	}
	must(t, os.WriteFile(filepath.Join(clone, ".cob", "settings.local.json"), []byte(`{"env": {"A": "other"}}`), 0o600))
	if p, err := PlanMaterialize(clone, o); err != nil || p.Clean() {
		t.Error("another value is no change")
	}
}
