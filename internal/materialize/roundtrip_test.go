package materialize

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/tools/txtar"
)

// documents are settings files of every layout that package splice has a golden of.
func documents(t testing.TB) map[string]string {
	files, err := filepath.Glob("../splice/testdata/*.txtar")
	if err != nil || len(files) < 20 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	all := map[string]string{}
	for _, f := range files {
		ar, err := txtar.ParseFile(f)
		if err != nil {
			t.Fatal(err)
		}
		text := strings.NewReplacer("^M\n", "\r\n", "[BOM]", "\xef\xbb\xbf", "[TAB]", "\t").Replace(string(ar.Files[0].Data))
		all[filepath.Base(f)] = strings.Replace(text, "\n[NO NEWLINE]\n", "", 1)
	}
	return all
}

const settingsFile = ".cob/settings.local.json"

// clean(materialize(x)) == x to the byte; a second run touches no file; and what somebody writes in between is there
// afterwards, and nothing else.
func TestRoundTripOverEveryLayout(t *testing.T) {
	edited := 0
	for name, src := range documents(t) {
		t.Run(name, func(t *testing.T) {
			clone, o := setup(t, map[string]string{"lorimer.yaml": yaml, settingsFile: src})
			before := tree(t, clone)
			materialize(t, clone, o)
			touched := age(t, clone)
			if p := materialize(t, clone, o); !p.Clean() {
				t.Errorf("the second run wrote:\n%s", p.Diff())
			}
			untouched(t, clone, touched)
			if edit := foreign(read(t, clone, settingsFile)); foreign(src) != "" {
				edited++
				write(t, clone, settingsFile, edit)
				before[settingsFile] = foreign(src)
				materialize(t, clone, o)
				if read(t, clone, settingsFile) != edit {
					t.Error("a run after somebody's edit changed the file")
				}
			}
			clean(t, clone, o)
			same(t, "after clean", tree(t, clone), before)
		})
	}
	if edited < 12 {
		t.Errorf("only %d files were edited in between", edited)
	}
}

// foreign is somebody's edit: a key at the beginning, in a spelling that no program would choose; "" for a text that has no
// object, or an empty one, where the comma behind it would be one too many.
func foreign(text string) string {
	i := strings.IndexByte(text, '{')
	if i < 0 {
		return ""
	}
	if strings.HasPrefix(strings.TrimSpace(text[i+1:]), "}") {
		return ""
	}
	return text[:i+1] + `"théirs" : [ 1.0e+2,null ] ,` + text[i+1:]
}

// age makes every file in the clone look old and returns the time.
func age(t *testing.T, clone string) time.Time {
	t.Helper()
	long := time.Now().Add(-time.Hour).Truncate(time.Second)
	must(t, filepath.WalkDir(clone, func(path string, _ fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		return os.Chtimes(path, long, long)
	}))
	return long
}

func untouched(t *testing.T, clone string, since time.Time) {
	t.Helper()
	must(t, filepath.WalkDir(clone, func(path string, d fs.DirEntry, err error) error {
		if info, _ := os.Stat(path); err == nil && !d.IsDir() && !info.ModTime().Equal(since) {
			t.Errorf("%s was written again", path)
		}
		return err
	}))
}

// FuzzRoundTrip: whatever a settings file holds, either nothing happens to it and somebody is told, or it is the same to the
// byte after clean.
func FuzzRoundTrip(f *testing.F) {
	for _, src := range documents(f) {
		f.Add([]byte(src))
	}
	f.Add([]byte("{\"hooks\": null}"))
	f.Add([]byte("{\"hooks\": {\"Stop\": [1, 2,], // x\n}}"))
	f.Fuzz(func(t *testing.T, src []byte) {
		if strings.Contains(string(src), DispatcherName) {
			return // such a file may hold entries of ours already
		}
		clone, o := setup(t, map[string]string{"lorimer.yaml": yaml, settingsFile: string(src)})
		before := tree(t, clone)
		if _, err := Materialize(clone, o); err == nil {
			if p := materialize(t, clone, o); !p.Clean() {
				t.Errorf("the second run wrote:\n%s", p.Diff())
			}
			clean(t, clone, o)
		}
		same(t, "afterwards", tree(t, clone), before)
	})
}
