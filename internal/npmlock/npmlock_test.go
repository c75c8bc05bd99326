package npmlock

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/lorimer-dev/lorimer/golden/go/certified"
	"github.com/lorimer-dev/lorimer/internal/goldentest"
)

// What is certified is what the end-to-end tests run, package by package: each harness's lock is cut out of theirs.
func TestLocksOfWhatIsCertified(t *testing.T) {
	proven, err := os.ReadFile("../../e2e/package-lock.json")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range certified.All {
		lock, err := Cut(proven, c.ID, c.NPM, c.System)
		if err != nil {
			t.Errorf("%s: %v", c.ID, err)
			continue
		}
		if err := Sealed(lock); err != nil {
			t.Errorf("%s: %v", c.ID, err)
		}
		goldentest.Compare(t, "../../harnesses/locks/"+c.ID+".json", string(lock))
	}
	files, _ := filepath.Glob("../../harnesses/locks/*")
	if len(files) != len(certified.All) {
		t.Errorf("%d locks of %d harnesses", len(files), len(certified.All))
	}
}

const small = `{"lockfileVersion": 3, "packages": {
	"": {"dependencies": {"a": "1.0.0", "z": "1.0.0"}},
	"node_modules/a": {"version": "1.0.0", "integrity": "sha512-a", "dependencies": {"b": "^1"}, "optionalDependencies": {"gone": "1"}, "peerDependencies": {"p": "1"}},
	"node_modules/a/node_modules/b": {"version": "1.1.0", "integrity": "sha512-b1", "dependencies": {"c": "*"}},
	"node_modules/b": {"version": "2.0.0", "integrity": "sha512-b2"},
	"node_modules/c": {"version": "1.0.0", "integrity": "sha512-c", "dependencies": {"b": "2", "a": "1"}},
	"node_modules/p": {"version": "1.0.0", "integrity": "sha512-p"},
	"node_modules/s": {"version": "3.0.0", "integrity": "sha512-s"},
	"node_modules/z": {"version": "1.0.0", "integrity": "sha512-z"}
}}`

func TestCutKeepsWhatIsNeededWhereItIs(t *testing.T) {
	data, err := Cut([]byte(small), "x", map[string]string{"a": "1.0.0"}, map[string]string{"s": "3.0.0"})
	if err != nil {
		t.Fatal(err)
	}
	l, err := Parse(data)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, path := range []string{"a", "a/node_modules/b", "b", "c", "p", "s", "z"} {
		if l.Packages["node_modules/"+path] != nil {
			got = append(got, path)
		}
	}
	if strings.Join(got, " ") != "a a/node_modules/b b c p s" || len(l.Packages) != 7 {
		t.Errorf("%v\n%s", got, data)
	}
	if root := string(l.Packages[""]); !strings.Contains(root, `"optionalDependencies"`) || strings.Contains(root, `"z"`) {
		t.Error(root)
	}
	for _, wrong := range []map[string]string{{"a": "1.0.1"}, {"nobody": "1.0.0"}} {
		if _, err := Cut([]byte(small), "x", wrong, nil); err == nil {
			t.Errorf("%v was found", wrong)
		}
	}
}

func TestSealed(t *testing.T) {
	if err := Sealed([]byte(small)); err != nil {
		t.Error(err)
	}
	for name, change := range map[string][2]string{
		"no hash":      {`"integrity": "sha512-p"`, `"x": ""`},
		"a weak hash":  {"sha512-p", "sha1-p"},
		"a git source": {`"integrity": "sha512-p"`, `"integrity": "sha512-p", "resolved": "git+ssh://git@x/p"`},
		"a file":       {`"integrity": "sha512-p"`, `"integrity": "sha512-p", "resolved": "file:../p"`},
		"a link":       {`"integrity": "sha512-p"`, `"integrity": "sha512-p", "link": true`},
		"old":          {`"lockfileVersion": 3`, `"lockfileVersion": 1`},
		"not JSON":     {"{", ""},
	} {
		if err := Sealed([]byte(strings.Replace(small, change[0], change[1], 1))); err == nil {
			t.Errorf("%s is taken", name)
		}
	}
}

func TestDiffering(t *testing.T) {
	hidden := filepath.Join(t.TempDir(), "lock")
	for have, want := range map[string]string{
		`{"packages": {"node_modules/p": {"version": "1.0.0", "integrity": "sha512-p"}}}`:     "",
		`{"packages": {"node_modules/other": {"version": "1.0.0", "integrity": "sha512-p"}}}`: "",
		`{"packages": {"node_modules/p": {"version": "1.0.1", "integrity": "sha512-p"}}}`:     "node_modules/p is installed there in version 1.0.1",
		`{"packages": {"node_modules/p": {"version": "1.0.0", "integrity": "sha512-q"}}}`:     "node_modules/p is installed there",
		`[`: "unexpected end",
	} {
		if err := os.WriteFile(hidden, []byte(have), 0o600); err != nil {
			t.Fatal(err)
		}
		_, err := Differing([]byte(small), hidden)
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", have, err)
		}
	}
	for have, want := range map[string]string{
		`{"packages": {"node_modules/p": {"version": "1.0.0", "integrity": "sha512-p"}}}`:     "",
		`{"packages": {"node_modules/other": {"version": "1.0.0", "integrity": "sha512-p"}}}`: "node_modules/other was installed",
		`{"packages": {"node_modules/free": {"version": "1.0.0", "integrity": "sha512-p"}}}`:  "other bytes",
	} {
		lock := strings.Replace(small, `"node_modules/p"`, `"node_modules/free": {"version": "1.0.0", "optional": true, "os": ["linux"], "cpu": ["x64"]}, "node_modules/p"`, 1)
		if err := os.WriteFile(hidden, []byte(have), 0o600); err != nil {
			t.Fatal(err)
		}
		err := Held([]byte(lock), hidden)
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", have, err)
		}
	}
	if _, err := Differing([]byte(small), hidden+".gone"); err == nil {
		t.Error("what is not there is taken")
	}
}
