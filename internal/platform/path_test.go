package platform

import (
	"errors"
	"strings"
	"testing"
)

const refused = "" // as a wanted result

// pathMatrix is the contract: each form, on both families. Both are pure, so every host tests both.
var pathMatrix = []struct{ in, windows, posix string }{
	{`C:\x\y.md`, `C:\x\y.md`, refused},
	{`c:/x/y.md`, `C:\x\y.md`, refused},
	{`C:`, `C:\`, refused},
	{`C:x`, `C:\x`, refused},
	{`/c/x/y.md`, `C:\x\y.md`, `/c/x/y.md`},
	{`/c`, `C:\`, `/c`},
	{`/tmp/x`, `C:\Fake\tmp\x`, `/tmp/x`},
	{`\\srv\share\x\y.md`, `\\srv\share\x\y.md`, refused},
	{`//srv/share/x/y.md`, `\\srv\share\x\y.md`, `//srv/share/x/y.md`},
	{`/mnt/c/x/y.md`, refused, `/mnt/c/x/y.md`},
	{`docs/a.md`, `G:\dev\proj\docs\a.md`, `/home/u/proj/docs/a.md`},
	{`docs\a.md`, `G:\dev\proj\docs\a.md`, refused},
	{`\rooted\a`, `G:\rooted\a`, refused},
	{`../z`, `G:\dev\z`, `/home/u/z`},
	{`G:/x/y.md`, `G:\x\y.md`, refused},
	{``, refused, refused},
	{` `, refused, refused},

	// beyond the fifteen rows
	{"a\x00b", refused, refused},
	{`c:\x\..\..\y`, `C:\y`, refused},
	{`../../../../z`, `G:\z`, `/z`},
	{`/mnt/c`, refused, `/mnt/c`},
	{`/mnt/data/x`, `C:\Fake\mnt\data\x`, `/mnt/data/x`},
	{`\\srv`, refused, refused},
	{`\\srv\share`, `\\srv\share\`, refused},
	{`///x//y/`, refused, `/x/y`},
	{`./`, `G:\dev\proj`, `/home/u/proj`},
}

func TestPathMatrix(t *testing.T) {
	w := &Windows{FindCygpath: func() string { return "cygpath" }, Cygpath: func(_, p string) (string, error) {
		return `C:\Fake` + strings.ReplaceAll(p, "/", `\`), nil
	}}
	for _, c := range pathMatrix {
		check(t, "windows", w, c.in, `G:\dev\proj`, c.windows)
		check(t, "posix", NewPosix(), c.in, "/home/u/proj", c.posix)
	}
}

func check(t *testing.T, family string, p Platform, in, cwd, want string) {
	t.Helper()
	got, err := p.NormPath(in, cwd)
	var refusal *PathError
	switch {
	case want != refused && (got != want || err != nil):
		t.Errorf("%s %q: %q, %v; want %q", family, in, got, err, want)
	case want == refused && !errors.As(err, &refusal):
		t.Errorf("%s %q: %q, %v; want a refusal", family, in, got, err)
	case want == refused && (refusal.Path != in || !strings.HasSuffix(refusal.Form, ".") || !strings.Contains(refusal.Form, "; pass ") && !strings.Contains(refusal.Form, "NUL")):
		t.Errorf("%s %q: the refusal does not name the path, or what to pass: %+v", family, in, refusal)
	}
}

func TestRootedGitBashPathsNeedCygpath(t *testing.T) {
	for name, w := range map[string]*Windows{
		"none":     {FindCygpath: func() string { return "" }},
		"failing":  {FindCygpath: func() string { return "c" }, Cygpath: func(string, string) (string, error) { return "", errors.New("no") }},
		"useless":  {FindCygpath: func() string { return "c" }, Cygpath: func(string, string) (string, error) { return "/tmp/x", nil }},
		"nonsense": {FindCygpath: func() string { return "c" }, Cygpath: func(string, string) (string, error) { return "", nil }},
	} {
		if got, err := w.NormPath("/tmp/x", `G:\`); err == nil {
			t.Errorf("%s: %q", name, got)
		}
	}
}

func TestRelativeToAShare(t *testing.T) {
	w := NewWindows()
	for in, want := range map[string]string{`a\b`: `\\srv\share\dev\a\b`, `\b`: `\\srv\share\b`, `..\..\..\b`: `\\srv\share\b`} {
		check(t, "windows", w, in, `\\srv\share\dev`, want)
	}
}
