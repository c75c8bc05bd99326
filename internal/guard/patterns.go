package guard

import (
	"os"
	"path/filepath"
	"strings"

	"github.com/lorimer-dev/lorimer/internal/lazyre"
)

// maxBraces is how many words one with braces may become.
const maxBraces = 64

var braces = lazyre.Pattern{Expr: `^(.*)\{([^{}]*,[^{}]*)\}(.*)$`}

// unbraced are the words that a shell makes of one with braces: settings.json{,.bak} is two.
func unbraced(args []string) (all []string) {
	for _, arg := range args {
		made := []string{arg}
		for i := 0; i < len(made) && len(made) < maxBraces; {
			m := braces.Re().FindStringSubmatch(made[i])
			if m == nil {
				i++
				continue
			}
			var parts []string
			for part := range strings.SplitSeq(m[2], ",") {
				parts = append(parts, m[1]+part+m[3])
			}
			made = append(append(made[:i:i], parts...), made[i+1:]...)
		}
		all = append(all, made...)
	}
	return all
}

func isPattern(file string) bool { return strings.ContainsAny(file, "*?[") }

// fitting is the protected path, or the directory above it, or what would be below it, that a pattern of the shell's stands
// for; "" = none that exists.
func fitting(pattern, kept string) string {
	const slash = string(filepath.Separator)
	want, have := strings.Split(pattern, slash), strings.Split(kept, slash)
	for i := range min(len(want), len(have)) {
		hidden := strings.HasPrefix(have[i], ".") && !strings.HasPrefix(want[i], ".")
		fits, err := filepath.Match(strings.ToLower(want[i]), strings.ToLower(have[i]))
		if err != nil || !fits || hidden {
			return ""
		}
	}
	found := strings.Join(have[:min(len(want), len(have))], slash)
	if _, err := os.Lstat(found); err != nil {
		return ""
	}
	return strings.Join(append([]string{found}, want[min(len(want), len(have)):]...), slash)
}
