// Package hookenv is the `env` of settings in the protocol's own host: variables that it takes into its environment, and so gives
// to its hooks. Other hosts know nothing of them, so the dispatcher gives them to the hooks of such settings.
//
// What is here is measured on the host itself (e2e/settings_env_test.go): what becomes of values that are no text, and which names
// a project's settings cannot set. Nothing is expanded: $HOME in a value is five characters.
package hookenv

import (
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/lorimer-dev/lorimer/internal/rawjson"
)

// Of returns the variables of an `env` object, given as valid JSON: name to value. What is no object gives none. project says that
// it stands in a project's own settings, which may set less than a user's.
func Of(raw string, project bool) map[string]string {
	env := map[string]string{}
	if !gjson.Parse(raw).IsObject() {
		return env
	}
	o, _ := rawjson.Members(raw)
	for name, v := range o {
		if value := text(gjson.Parse(v)); Allowed(name, project) && !strings.Contains(value, "\x00") {
			env[name] = value
		}
	}
	return env
}

// Pairs returns the variables as a process takes them, sorted.
func Pairs(env map[string]string) []string {
	pairs := make([]string, 0, len(env))
	for _, name := range slices.Sorted(maps.Keys(env)) {
		pairs = append(pairs, name+"="+env[name])
	}
	return pairs
}

// Allowed says whether settings can give hooks a variable of that name. What begins with LORIMER_ is ours to say; what steers the
// protocol's own host is read there by itself, also where a hook starts it.
func Allowed(name string, project bool) bool {
	if name == "" || strings.ContainsAny(name, "=\x00") {
		return false
	}
	upper := strings.ToUpper(name)
	for _, prefix := range []string{"LORIMER_", "CLAUDE", "OTEL_"} {
		if strings.HasPrefix(upper, prefix) {
			return false
		}
	}
	return !project || strings.Contains(upper, " ") || !strings.Contains(notOfProjects, " "+upper+" ")
}

// notOfProjects are names that a project's settings cannot set, whichever case they are written in, with a blank on each side.
const notOfProjects = " ALLUSERSPROFILE ANTHROPIC_CONFIG_DIR ANTHROPIC_UNIX_SOCKET APPDATA CDPATH COMMONPROGRAMFILES" +
	" COMMONPROGRAMFILES(X86) COMMONPROGRAMW6432 COMSPEC GITHUB_ACTIONS HOME HOMEDRIVE HOMEPATH HOMESHARE LOCALAPPDATA" +
	" ONEDRIVE ONEDRIVECOMMERCIAL ONEDRIVECONSUMER PATHEXT PROGRAMDATA PROGRAMFILES PROGRAMFILES(X86) PROGRAMW6432" +
	" PSMODULEPATH PWD RUNNER_ENVIRONMENT SYSTEMDRIVE SYSTEMROOT TEMP TERMUX_VERSION TMP TMPDIR USERPROFILE USER_TYPE WINDIR" +
	" XDG_CACHE_HOME XDG_CONFIG_HOME XDG_DATA_HOME XDG_RUNTIME_DIR XDG_STATE_HOME "

// text is what String() of JavaScript makes of a value.
func text(v gjson.Result) string {
	switch {
	case v.Type == gjson.String:
		return rawjson.String(v.Raw)
	case v.Type == gjson.Number:
		return number(v.Num)
	case v.IsObject():
		return "[object Object]"
	case v.IsArray():
		return list(v)
	}
	return v.Raw // true, false, null
}

func list(v gjson.Result) string {
	var all []string
	for _, x := range v.Array() {
		if s := text(x); x.Type == gjson.Null {
			all = append(all, "")
		} else {
			all = append(all, s)
		}
	}
	return strings.Join(all, ",")
}

func number(f float64) string {
	if abs := math.Abs(f); f == 0 || abs >= 1e-6 && abs < 1e21 {
		return strconv.FormatFloat(f+0, 'f', -1, 64)
	}
	return strings.NewReplacer("e-0", "e-", "e+0", "e+").Replace(strconv.FormatFloat(f, 'e', -1, 64))
}
