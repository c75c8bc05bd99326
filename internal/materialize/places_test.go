package materialize

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func hook(command string) string {
	return `{"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "` + command + `"}]}]}}`
}

// The user's own settings count when that is asked for, below the clone's; it stays so until somebody says otherwise, and they
// are never changed.
func TestUserSettings(t *testing.T) {
	yes, no := true, false
	for name, c := range map[string]struct {
		user, shared, local string
		want                string // commands in the manifest
	}{
		"beside the project's":         {hook("./u"), hook("./s"), hook("./l"), "./u ./s ./l"},
		"alone":                        {hook("./u"), "", "", "./u"},
		"the project disables":         {hook("./u"), `{"disableAllHooks": true}`, "", ""},
		"the user disables":            {`{"disableAllHooks": true}`, hook("./s"), "", ""},
		"and the project does not":     {`{"disableAllHooks": true,` + hook("./u")[1:], `{"disableAllHooks": false,` + hook("./s")[1:], "", "./u ./s"},
		"a void file disables nothing": {`{"disableAllHooks": true, "hooks": {"PreToolUse": 5}}`, hook("./s"), "", "./s"},
	} {
		t.Run(name, func(t *testing.T) {
			files := map[string]string{".cob/x": ""}
			if c.shared != "" {
				files[".cob/settings.json"] = c.shared
			}
			if c.local != "" {
				files[".cob/settings.local.json"] = c.local
			}
			clone, o := inPlace(t, files)
			withUserFiles(t, &o)
			write(t, o.UserHome, ".cob/settings.json", c.user)
			o.User = &yes
			materialize(t, clone, o)
			var got []string
			for _, command := range []string{"./u", "./s", "./l"} {
				if strings.Contains(read(t, clone, ".lorimer/manifest.json"), `"run": "`+command+`"`) {
					got = append(got, command)
				}
			}
			if strings.Join(got, " ") != c.want {
				t.Errorf("got %v", got)
			}
			if read(t, o.UserHome, ".cob/settings.json") != c.user {
				t.Error("the user's settings changed")
			}
			o.User = nil
			if p := materialize(t, clone, o); !p.Clean() {
				t.Errorf("without the flag a second run changes %s", paths(p))
			}
			if !strings.Contains(c.shared, "hooks") {
				return // nothing would be left
			}
			o.User = &no
			materialize(t, clone, o)
			if strings.Contains(read(t, clone, ".lorimer/manifest.json"), o.UserHome) {
				t.Error("the user's settings are still a source")
			}
		})
	}
}

// One handler's name says that it stands in the user's own file; where the clone is the user's home it is the project's.
func TestUserSettingsByName(t *testing.T) {
	yes := true
	clone, o := inPlace(t, map[string]string{".cob/settings.json": hook("./s")})
	withUserFiles(t, &o)
	write(t, o.UserHome, ".cob/settings.json", hook("./u"))
	o.User = &yes
	materialize(t, clone, o)
	m := read(t, clone, ".lorimer/manifest.json")
	for _, part := range []string{`"~/settings.json:Stop[0].hooks[0]"`, `"settings.json:Stop[0].hooks[0]"`} {
		if !strings.Contains(m, part) {
			t.Errorf("no %s in %s", part, m)
		}
	}
	o.UserHome = clone
	materialize(t, clone, o)
	if m := read(t, clone, ".lorimer/manifest.json"); strings.Contains(m, "~/") {
		t.Errorf("one file is two: %s", m)
	}
	o.UserHome = t.TempDir()
	must(t, os.Mkdir(filepath.Join(o.UserHome, ".cob"), 0o700), os.Mkdir(filepath.Join(o.UserHome, ".cob", "settings.json"), 0o700))
	refused(t, clone, materializing(clone, o), "settings outside of the clone cannot be read")
}
