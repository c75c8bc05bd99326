package shim

import (
	"regexp"
	"slices"
	"strings"

	"github.com/lorimer-dev/lorimer/internal/lazyre"
)

// esbuild drops comments and blank lines, except comments that it takes for a licence, and those it keeps though the code they
// speak of is left out. So everything that is to survive goes in as a licence, with the names it speaks of where there are any,
// and what comes out is turned back, or dropped where none of these is left:
//
//	// text          //! text        //!@a,b@ text
//	/** text         /*!* text       /*!*@a@ text
//	code // text     //!< text       //!<@a@ text, in a line before the code
//	(blank)          //!~
var (
	blankLine   = lazyre.Pattern{Expr: `(?m)^[ \t]*$`}
	lineComment = lazyre.Pattern{Expr: `(?m)^([ \t]*)//( |$)`}
	docComment  = lazyre.Pattern{Expr: `(?m)^([ \t]*)/\*\*`}
	endComment  = lazyre.Pattern{Expr: `(?m)^([ \t]*)((?:[^ \t/].*)?[;,{}(\[])[ \t]+// (.*)$`}

	blankMark = lazyre.Pattern{Expr: `(?m)^[ \t]*//!~$`}
	lineMark  = lazyre.Pattern{Expr: `(?m)^([ \t]*)//!( |$)`}
	docMark   = lazyre.Pattern{Expr: `(?m)^([ \t]*)/\*!\*`}
	endMark   = lazyre.Pattern{Expr: `(?m)^[ \t]*//!< (.*)\n(.*)$`}
	fileMark  = lazyre.Pattern{Expr: `(?m)^// runtime-js:.*\n`}
	gaps      = lazyre.Pattern{Expr: `\n{3,}`}
)

func shield(src string) string {
	src = strings.TrimRight(src, "\n")
	src = blankLine.Re().ReplaceAllString(src, "//!~")
	src = endComment.Re().ReplaceAllString(src, "$1//!< $3\n$1$2")
	src = lineComment.Re().ReplaceAllString(src, "$1//!$2")
	return docComment.Re().ReplaceAllString(src, "$1/*!*") + "\n"
}

func unshield(text string) string {
	text = endMark.Re().ReplaceAllString(text, "$2 // $1")
	text = docMark.Re().ReplaceAllString(text, "$1/**")
	text = lineMark.Re().ReplaceAllString(text, "$1//$2")
	text = blankMark.Re().ReplaceAllString(text, "")
	text = fileMark.Re().ReplaceAllString(text, "")         // every module says itself what it is
	return strings.ReplaceAll(text, "/* @__PURE__ */ ", "") // esbuild's own note, of no use to a reader
}

var (
	declares = lazyre.Pattern{Expr: `^(?:export )?(?:const|let|var|class|(?:async )?function\*?) ([\w$]+)`}
	labelled = lazyre.Pattern{Expr: `^ *([A-Z]+): `}
	opens    = lazyre.Pattern{Expr: `^ *(//|/\*\*)`}

	ownedLine = lazyre.Pattern{Expr: `(?m)^[ \t]*//!<?@([\w$,]+)@.*\n`}
	ownedDoc  = lazyre.Pattern{Expr: `(?m)^[ \t]*/\*!\*@([\w$,]+)@.*\n`}
	ownedMark = lazyre.Pattern{Expr: `(?m)^([ \t]*(?://!<?|/\*!\*))@[\w$,]+@`}
	labelMark = lazyre.Pattern{Expr: `(?m)^([ \t]*)([A-Z]+): `}
)

// shieldOwned is shield for modules of which parts are left out: comments on a declaration, a part or a whole module are marked
// with its names. Those on declarations and modules are cut to their first sentence: the rest is for who works on the runtime.
func shieldOwned(src string) string {
	var out []string
	lines := strings.Split(strings.TrimRight(src, "\n"), "\n")
	for i := 0; i < len(lines); i++ {
		if !opens.Re().MatchString(lines[i]) {
			out = append(out, withOwner(lines[i]))
			continue
		}
		end := commentEnd(lines, i)
		owner, top := ownerAt(lines, i, end)
		block := lines[i:end]
		if top {
			block = firstSentence(block)
		}
		for _, l := range block {
			out = append(out, marked(l, owner))
		}
		i = end - 1
	}
	return shield(strings.Join(out, "\n"))
}

// commentEnd is the index behind the comment that begins at the index.
func commentEnd(lines []string, at int) int {
	if strings.HasPrefix(strings.TrimSpace(lines[at]), "/**") {
		for !strings.HasSuffix(lines[at], "*/") {
			at++
		}
		return at + 1
	}
	for at < len(lines) && strings.HasPrefix(strings.TrimSpace(lines[at]), "//") {
		at++
	}
	return at
}

// ownerAt is what a comment speaks of: the declaration or the part behind it, or all of a module that it begins.
func ownerAt(lines []string, begin, end int) (owner string, top bool) {
	if begin == 0 {
		return strings.Join(declared(lines), ","), true
	}
	if end == len(lines) {
		return "", false
	}
	if m := declares.Re().FindStringSubmatch(lines[end]); m != nil {
		return m[1], true
	}
	if strings.HasPrefix(strings.TrimSpace(lines[begin]), "/**") {
		return "", true
	}
	if m := labelled.Re().FindStringSubmatch(lines[end]); m != nil {
		return m[1], false
	}
	return "", false
}

func declared(lines []string) (names []string) {
	for _, l := range lines {
		if m := declares.Re().FindStringSubmatch(l); m != nil {
			names = append(names, m[1])
		}
	}
	return names
}

// withOwner marks the comment behind a declaration or a part that is one line.
func withOwner(line string) string {
	m := declares.Re().FindStringSubmatch(line)
	if m == nil {
		m = labelled.Re().FindStringSubmatch(line)
	}
	if m == nil || !endComment.Re().MatchString(line) {
		return line
	}
	return endComment.Re().ReplaceAllString(line, "$1//!<@"+strings.ReplaceAll(m[1], "$", "$$")+"@ $3\n$1$2")
}

func marked(line, owner string) string {
	indent := line[:len(line)-len(strings.TrimLeft(line, " "))]
	text := line[len(indent):]
	switch {
	case owner == "":
		return line
	case strings.HasPrefix(text, "/**"):
		return indent + "/*!*@" + owner + "@" + text[len("/**"):]
	case strings.HasPrefix(text, "//"):
		return indent + "//!@" + owner + "@" + text[len("//"):]
	}
	return line
}

var sentence = lazyre.Pattern{Expr: `^.*?[^.]\.(?: |$)`}

// firstSentence cuts a comment short, to one line.
func firstSentence(block []string) []string {
	indent := block[0][:len(block[0])-len(strings.TrimLeft(block[0], " "))]
	doc := strings.HasPrefix(block[0], indent+"/**")
	var words []string
	for _, l := range block {
		words = append(words, strings.Fields(strings.Trim(strings.TrimPrefix(l, "//"), "/* "))...)
	}
	text := strings.Join(words, " ")
	if s := sentence.Re().FindString(text); s != "" {
		text = strings.TrimSpace(s)
	}
	if doc {
		return []string{indent + "/** " + text + " */"}
	}
	return wrapped(indent+"//", strings.Fields(text))
}

// wrapped writes words as lines that each begin with the mark.
func wrapped(mark string, words []string) (lines []string) {
	line := mark
	for _, w := range words {
		if len(line)+1+len(w) > commentWidth && line != mark {
			lines, line = append(lines, line), mark
		}
		line += " " + w
	}
	return append(lines, line)
}

const commentWidth = 132

// unshieldOwned takes back what shieldOwned did, without the comments on what was left out, and without the labels.
func unshieldOwned(text string, dropped []string) string {
	left := map[string]bool{}
	for _, p := range parts {
		left[p.label] = !slices.Contains(dropped, p.label)
	}
	for _, l := range strings.Split(text, "\n") {
		if m := declares.Re().FindStringSubmatch(l); m != nil {
			left[m[1]] = true
		}
	}
	for _, re := range []*regexp.Regexp{ownedLine.Re(), ownedDoc.Re()} {
		text = re.ReplaceAllStringFunc(text, func(comment string) string {
			for _, name := range strings.Split(re.FindStringSubmatch(comment)[1], ",") {
				if left[name] {
					return comment
				}
			}
			return ""
		})
	}
	text = ownedMark.Re().ReplaceAllString(text, "$1")
	text = labelMark.Re().ReplaceAllStringFunc(text, func(l string) string {
		if m := labelMark.Re().FindStringSubmatch(l); left[m[2]] {
			return m[1]
		}
		return l
	})
	return strings.TrimLeft(gaps.Re().ReplaceAllString(unshield(text), "\n\n"), "\n")
}
