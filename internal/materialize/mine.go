package materialize

import (
	"bytes"
	"reflect"
	"regexp"
	"slices"
	"strings"

	"github.com/lorimer-dev/lorimer/internal/lazyre"
	"github.com/lorimer-dev/lorimer/internal/splice"
)

// claims judges the elements of one hook file.
type claims struct {
	written []any // entries that we wrote or are about to write, decoded
	// templates are groups as the generator emits them: an entry that fits one is ours even when the record is lost. They are
	// seldom asked for.
	templates func() []any
}

func (c *claims) add(list *[]any, value []byte) {
	if v, err := splice.Decode(value); err == nil {
		*list = append(*list, v)
	}
}

// judge is splice.File.Mine.
func (c *claims) judge(element []byte) splice.Claim {
	if !bytes.Contains(element, []byte(DispatcherName)) {
		return splice.Foreign
	}
	v, err := splice.Decode(element)
	if err != nil || !startsDispatcher(v) {
		return splice.Foreign
	}
	same := func(w any) bool { return reflect.DeepEqual(v, w) }
	fits := func(t any) bool { return fits(t, v) }
	if slices.ContainsFunc(c.written, same) || slices.ContainsFunc(c.templates(), fits) {
		return splice.Ours
	}
	return splice.Edited
}

// Ours says whether a decoded entry of a host's config, or one inside it, is lorimer's.
func Ours(entry any) bool { return startsDispatcher(entry) }

// startsDispatcher says whether the value, or one inside it, is a command that starts lorimer-dispatch with a --root, or as the
// user's own: as a program with a list of arguments beside it, or as one shell line.
func startsDispatcher(v any) bool {
	switch v := v.(type) {
	case []any:
		return slices.ContainsFunc(v, startsDispatcher)
	case map[string]any:
		program, root := false, false
		for _, x := range v {
			switch x := x.(type) {
			case string:
				program = program || isDispatcher(x)
				if shellLine.Re().MatchString(x) {
					return true
				}
			case []any:
				program = program || amongArgs(x)
				root = root || slices.Contains(x, any("--root")) || slices.Contains(x, any(userFlag))
			}
			if startsDispatcher(x) {
				return true
			}
		}
		return program && root
	}
	return false
}

var (
	// shellLine is a command line whose program is the dispatcher, quoted or not.
	shellLine = lazyre.Pattern{Expr: `(^|[/\\'" ])` + DispatcherName + `(\.exe)?['"]?[;)]? (.* )?--(root|user|portable) `}
	slash     = lazyre.Pattern{Expr: `[/\\]`}
)

func isDispatcher(program string) bool {
	parts := slash.Re().Split(program, -1)
	return strings.TrimSuffix(parts[len(parts)-1], ".exe") == DispatcherName
}

// amongArgs says whether the dispatcher stands in a list of arguments, with its own behind it: another program looks first
// whether it is there.
func amongArgs(list []any) bool {
	for i, v := range list {
		if s, ok := v.(string); ok && isDispatcher(s) && i+1 < len(list) && (list[i+1] == "--root" || list[i+1] == userFlag) {
			return true
		}
	}
	return false
}

// fits says whether the value is the template with anything in place of its tokens.
func fits(template, value any) bool {
	switch t := template.(type) {
	case string:
		s, ok := value.(string)
		return ok && (s == t || strings.Contains(t, "{") && tokenPattern(t).MatchString(s))
	case []any:
		list, ok := value.([]any)
		return ok && slices.EqualFunc(t, list, fits)
	case map[string]any:
		object, ok := value.(map[string]any)
		if !ok || len(object) != len(t) {
			return false
		}
		for k, x := range t {
			if y, ok := object[k]; !ok || !fits(x, y) {
				return false
			}
		}
		return true
	}
	return reflect.DeepEqual(template, value)
}

func tokenPattern(template string) *regexp.Regexp {
	p := regexp.QuoteMeta(template)
	for _, token := range []string{dispatcherToken, rootToken} {
		p = strings.ReplaceAll(p, regexp.QuoteMeta(token), `.+`)
	}
	return regexp.MustCompile(`(?s)^` + p + `$`)
}
