package descriptor

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/lorimer-dev/lorimer/internal/strictyaml"
)

func bare(id, before string) *fstest.MapFile {
	return &fstest.MapFile{Data: []byte("id: " + id + "\nname: X\ndetect: { before: [" + before + "] }\n")}
}

func TestLoad(t *testing.T) {
	for _, tc := range []struct {
		name  string
		files fstest.MapFS
		want  string // the faults, or the ids
	}{
		{"in the order of ids", fstest.MapFS{"b.yaml": bare("b", ""), "a.yaml": bare("a", "b"), "schema.json": {}, "embed.go": {}}, "a b"},
		{"every fault of every file", fstest.MapFS{
			"b.yaml": {Data: []byte("id: x\nname: X\n")},
			"a.yaml": {Data: []byte("id: a\nnmae: X\n")},
			"c.yml":  {},
		}, `h/a.yaml:1:1: the file has no "name", which it needs; add it
h/a.yaml:2:1: unknown key "nmae" in the file; expected one of ` + strings.Join(strictyaml.Keys[Descriptor](), ", ") + `; did you mean "name"?
h/b.yaml:1:5: id is "x", but the file is b.yaml; expected b
h/c.yml: nobody reads this file; expected a name that ends in .yaml`},
		{"unknown neighbour", fstest.MapFS{"claude.yaml": bare("claude", ""), "omp.yaml": bare("omp", "cluade")},
			`h/omp.yaml:3:20: detect.before names "cluade", but there is no such descriptor; expected one of claude, omp; did you mean "claude"?`},
		{"a neighbour with faults is there all the same", fstest.MapFS{"claude.yaml": {Data: []byte("id: claude\n")}, "omp.yaml": bare("omp", "claude")},
			`h/claude.yaml:1:1: the file has no "name", which it needs; add it`},
		{"circle", fstest.MapFS{"a.yaml": bare("a", "b"), "b.yaml": bare("b", "c"), "c.yaml": bare("c", "d, b"), "d.yaml": bare("d", "")},
			`h/c.yaml:3:23: detect.before goes round in a circle: b before c before b; take one of them out`},
		{"no circle", fstest.MapFS{"a.yaml": bare("a", "b, c"), "b.yaml": bare("b", "d"), "c.yaml": bare("c", "d"), "d.yaml": bare("d", "")}, "a b c d"},
		{"before itself", fstest.MapFS{"a.yaml": bare("a", "a")}, `h/a.yaml:3:20: detect.before names the harness itself; take it out`},
	} {
		t.Run(tc.name, func(t *testing.T) {
			all, err := Load(tc.files, "h")
			var ids []string
			for _, d := range all {
				ids = append(ids, d.ID.Text)
			}
			got := strings.Join(ids, " ")
			if err != nil {
				got = err.Error()
			}
			if got != tc.want {
				t.Errorf("got:\n%s\nwant:\n%s", got, tc.want)
			}
		})
	}
}

func TestLoadSaysWhatItCannotRead(t *testing.T) {
	_, err := Load(os.DirFS(filepath.Join(t.TempDir(), "nowhere")), "h")
	if !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("no directory: %v", err)
	}
	_, err = Load(fstest.MapFS{"a.yaml/x": {}}, "h")
	var faults strictyaml.Faults
	if err == nil || errors.As(err, &faults) {
		t.Errorf("a directory called a.yaml: %v", err)
	}
}

// Line endings and a byte order mark are the editor's business.
func TestForeignLineEnds(t *testing.T) {
	plain := strings.Replace(snippetDescriptor, "ROW", "blocked: |\n      const a = 1;\n      return oops;", 1)
	_, want := LoadFile("x.yaml", []byte(plain))
	_, got := LoadFile("x.yaml", []byte("\xef\xbb\xbf"+strings.ReplaceAll(plain, "\n", "\r\n")))
	if want == nil || fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("got %v, want %v", got, want)
	}
}
