package descriptor

import (
	"path"
	"strings"
)

// companions checks the patterns of what makes a companion superfluous.
func (k *checker) companions() {
	for _, c := range k.d.Companions {
		for _, pattern := range c.Unless {
			dir, name := path.Split(pattern.Text)
			_, err := path.Match(name, "")
			if err != nil || name == "" || path.Clean(pattern.Text) != pattern.Text || path.IsAbs(dir) || strings.HasPrefix(dir, "..") || strings.ContainsAny(dir, `*?[\`) {
				k.want(pattern.Pos, "a slash path in the clone whose last name alone may have * in it", "unless has the pattern %q", pattern.Text)
			}
		}
	}
}
