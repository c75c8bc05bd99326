package gitexclude

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
)

// The block begins and ends with these lines. What the file was before, where that cannot be told from the rest of it, stands
// behind the first one, so that taking the block out leaves every byte as it was.
const (
	begin = "# >>> lorimer: what it puts into checkouts; `lorimer clean` takes these lines out"
	end   = "# <<< lorimer"

	noFile    = " (there was no such file)"
	noLineEnd = " (the line above had no end)"
)

// With returns the file with a block that lists the patterns; nil src is a file that does not exist. The same patterns give
// the same bytes. It fails on a block that is cut short: what belongs to it cannot be told.
func With(src []byte, patterns []string) ([]byte, error) {
	before, mark, after, err := cut(src)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	b.Write(before)
	if mark == noLineEnd {
		b.WriteByte('\n')
	}
	b.WriteString(begin + mark + "\n")
	for _, p := range patterns {
		b.WriteString(p + "\n")
	}
	b.WriteString(end + "\n")
	b.Write(after)
	return b.Bytes(), nil
}

// Without returns the file without the block, to the byte what it was before; nil when it was made for the block alone.
func Without(src []byte) ([]byte, error) {
	if !bytes.Contains(src, []byte(begin)) {
		return src, nil
	}
	before, mark, after, err := cut(src)
	if err != nil {
		return nil, err
	}
	if rest := slices.Concat(before, after); len(rest) > 0 || mark != noFile {
		return append([]byte{}, rest...), nil
	}
	return nil, nil
}

// cut takes the file apart around the block. Without a block that is the whole file and the mark that one is to have.
func cut(src []byte) (before []byte, mark string, after []byte, err error) {
	i := bytes.Index(src, []byte(begin))
	if i < 0 {
		switch {
		case src == nil:
			mark = noFile
		case len(src) > 0 && src[len(src)-1] != '\n':
			mark = noLineEnd
		}
		return src, mark, nil, nil
	}
	head, rest, _ := strings.Cut(string(src[i:]), "\n")
	mark = strings.TrimPrefix(head, begin)
	line := 1 + bytes.Count(src[:i], []byte("\n"))
	j := strings.Index("\n"+rest, "\n"+end+"\n")
	if j < 0 || mark != "" && mark != noFile && mark != noLineEnd || i > 0 && src[i-1] != '\n' {
		return nil, "", nil, fmt.Errorf("line %d begins lorimer's lines, and they do not end with %q as they should; take them out by hand", line, end)
	}
	before = src[:i]
	if mark == noLineEnd {
		before = before[:i-1]
	}
	return before, mark, []byte(rest[j+len(end)+1:]), nil
}

// Pattern is the exclude pattern of one slash path from the checkout's root; a directory's ends with a slash.
func Pattern(path string) string {
	return "/" + strings.NewReplacer(`\`, `\\`, "*", `\*`, "?", `\?`, "[", `\[`, " ", `\ `).Replace(path)
}
