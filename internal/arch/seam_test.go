package arch

import (
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// seamed is what only package platform may know, in the supervisor's code.
var seamed = regexp.MustCompile(`runtime\.GOOS|Setsid|Setpgid|CreationFlags|HideWindow|taskkill|powershell|cygpath|"/proc|/proc/|x/sys/|syscall\.Kill|\.Process\.Kill|Process\.Signal`)

// renamed is what the supervisor's contract renamed away.
var renamed = regexp.MustCompile(`(?i)\bforks\.py|spire:forks|SPIRE_FORKS|taskkill_rc|spawn_failed|skills/forks`)

// supervisorCode calls f with every line of the supervisor's own Go code, without comments that stand alone.
func supervisorCode(t *testing.T, tests bool, f func(place, line string)) {
	t.Helper()
	files := 0
	for _, dir := range []string{"../gremlin", "../../cmd/lorimer-gremlins"} {
		err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
			if err != nil || d.IsDir() || filepath.Ext(path) != ".go" || !tests && strings.HasSuffix(path, "_test.go") {
				return err
			}
			files++
			src, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			set := token.NewFileSet()
			parsed, err := parser.ParseFile(set, path, src, parser.ParseComments)
			if err != nil {
				return err
			}
			for _, c := range parsed.Comments {
				for i := set.Position(c.Pos()).Offset; i < set.Position(c.End()).Offset; i++ {
					if src[i] != '\n' {
						src[i] = ' '
					}
				}
			}
			n := 0
			for line := range strings.Lines(string(src)) {
				n++
				f(path+":"+strconv.Itoa(n), line)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if files < 20 {
		t.Errorf("only %d files were read", files)
	}
}

// TestTheSupervisorKnowsNoOperatingSystem: everything that one does stands behind platform.Platform.
func TestTheSupervisorKnowsNoOperatingSystem(t *testing.T) {
	supervisorCode(t, false, func(place, line string) {
		if found := seamed.FindString(line); found != "" {
			t.Errorf("%s: %s belongs behind platform.Platform", place, found)
		}
	})
}

func TestNothingIsCalledAsItWas(t *testing.T) {
	look := func(place, line string) {
		if found := renamed.FindString(line); found != "" {
			t.Errorf("%s: %s", place, found)
		}
	}
	supervisorCode(t, true, look)
	texts := 0
	for _, dir := range []string{"../../templates", "../../docs", "../../cmd/lorimer-gremlins/testdata", "../gremlin"} {
		err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
			if err != nil || d.IsDir() || !strings.Contains(".md .golden .json .jsonl", filepath.Ext(path)) {
				return err
			}
			texts++
			b, err := os.ReadFile(path)
			for line := range strings.Lines(string(b)) {
				look(path, line)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if texts < 20 {
		t.Errorf("only %d texts were read", texts)
	}
}
