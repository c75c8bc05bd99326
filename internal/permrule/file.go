package permrule

import (
	"path/filepath"
	"regexp"
	"strings"
)

// FitsFile tests a path as the pattern of a rule about files does. Of call its Root and Home count.
func FitsFile(pattern, file string, call Call) bool { return fitsFile(pattern, file, call) }

// fitsFile tests a pattern as git tests those of a .gitignore, without regard to case: one with a slash inside counts from the
// project's root, "//" from the file system's, "~/" from the user's home; one without counts at any depth; and what fits a
// directory fits all that is in it.
func fitsFile(pattern, file string, call Call) bool {
	base := call.Root
	switch {
	case strings.HasPrefix(pattern, "//"):
		base, pattern = "/", pattern[2:]
	case strings.HasPrefix(pattern, "~/"):
		base, pattern = call.Home, pattern[2:]
	default:
		pattern = strings.TrimPrefix(pattern, "./")
		if !strings.Contains(strings.TrimSuffix(pattern, "/"), "/") {
			pattern = "**/" + strings.TrimLeft(pattern, " ") // which is measured; with a slash in it a blank is itself
		}
	}
	rel, err := filepath.Rel(base, file)
	if err != nil || base == "" {
		return true // nothing is known of it
	}
	rel, pattern = filepath.ToSlash(rel), strings.TrimPrefix(pattern, "/")
	if strings.HasPrefix(rel, "../") && !strings.HasPrefix(pattern, "**/") {
		return false // no pattern leads out of its directory
	}
	return matchesPath(pattern, rel)
}

func matchesPath(pattern, rel string) bool {
	dirOnly := strings.HasSuffix(pattern, "/")
	re, err := regexp.Compile(`(?i)^` + pathExpr(strings.TrimSuffix(pattern, "/")) + `$`)
	if err != nil {
		return true
	}
	parts := strings.Split(rel, "/")
	for n := len(parts); n > 0; n-- {
		if n == len(parts) && dirOnly {
			continue
		}
		if re.MatchString(strings.Join(parts[:n], "/")) {
			return true
		}
	}
	return false
}

// pathExpr writes a glob as a regular expression.
func pathExpr(glob string) string {
	var b strings.Builder
	for i := 0; i < len(glob); i++ {
		rest := glob[i:]
		switch {
		case strings.HasPrefix(rest, "**/"):
			b.WriteString(`(?:.*/)?`)
			i += 2
		case strings.HasPrefix(rest, "**"):
			b.WriteString(`.*`)
			i++
		case rest[0] == '*':
			b.WriteString(`[^/]*`)
		case rest[0] == '?':
			b.WriteString(`[^/]`)
		case rest[0] == '[' && strings.IndexByte(rest, ']') > 1:
			end := strings.IndexByte(rest, ']')
			set := strings.ReplaceAll(rest[1:end], `\`, `\\`)
			if strings.HasPrefix(set, "!") {
				set = "^" + set[1:]
			}
			b.WriteString("[" + set + "]")
			i += end
		case rest[0] == '\\' && len(rest) > 1:
			b.WriteString(regexp.QuoteMeta(rest[1:2]))
			i++
		default:
			b.WriteString(regexp.QuoteMeta(rest[:1]))
		}
	}
	return b.String()
}
