package hosttrust

import (
	"path/filepath"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/lorimer-dev/lorimer/internal/harness"
	"github.com/lorimer-dev/lorimer/internal/plainfile"
)

// Seen says whether the file in which an agent keeps what its user trusts says so of the clone at root, absolute. place is where
// a path of the descriptor's lies: "~/..." below the agent's home, others in the clone.
func Seen(seen *harness.TrustSeen, root string, place func(path string) string) bool {
	src, err := plainfile.Settings(place(seen.File))
	if err != nil {
		return false
	}
	return harness.AllHold(seen.Where, func(key string) (string, bool) {
		if !strings.Contains(key, rootToken) {
			return value(src, key)
		}
		for dir := root; ; dir = filepath.Dir(dir) { // the nearest that the file speaks of
			if v, there := value(src, strings.ReplaceAll(key, rootToken, escaped(dir))); there || dir == filepath.Dir(dir) {
				return v, there
			}
		}
	})
}

const rootToken = "{root}"

func value(src []byte, key string) (string, bool) {
	v := gjson.GetBytes(src, key)
	return v.String(), v.Exists()
}

// escaped is a text as a part of a gjson path.
func escaped(text string) string {
	return strings.NewReplacer(`\`, `\\`, `.`, `\.`, `*`, `\*`, `?`, `\?`, `|`, `\|`, `#`, `\#`, `@`, `\@`, `!`, `\!`, `{`, `\{`, `}`, `\}`).Replace(text)
}
