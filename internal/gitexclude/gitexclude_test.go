package gitexclude

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

func TestBlockComesAndGoesWithoutATrace(t *testing.T) {
	for _, src := range []string{"", "\n", "a", "a\n", "a\r\n", "# c\n*.o\n\n", "\x00\n", "no end # >>> lorimer", "ü"} {
		in := []byte(src)
		with, err := With(in, []string{"/.lorimer/", "/.a b/x"})
		if err != nil || !strings.Contains("\n"+string(with), "\n/.lorimer/\n/.a b/x\n"+end+"\n") || !strings.HasPrefix(string(with), src) {
			t.Fatalf("%q: %v\n%s", src, err, with)
		}
		if again, err := With(with, []string{"/.lorimer/", "/.a b/x"}); err != nil || string(again) != string(with) {
			t.Errorf("%q: a second time: %v\n%s", src, err, again)
		}
		other, err := With(append([]byte{}, append(with, "theirs\n"...)...), []string{"/y"})
		if out, err2 := Without(other); err != nil || err2 != nil || string(out) != src+"theirs\n" {
			t.Errorf("%q with something below: %v %v %q", src, err, err2, out)
		}
		if out, err := Without(with); err != nil || out == nil || string(out) != src {
			t.Errorf("%q: taken out: %v %q", src, err, out)
		}
	}
	with, err := With(nil, []string{"/x"})
	if out, err2 := Without(with); err != nil || err2 != nil || out != nil {
		t.Errorf("a file that was not there: %v %v %q", err, err2, out)
	}
	if out, err := Without(append(with, "theirs\n"...)); err != nil || string(out) != "theirs\n" {
		t.Errorf("and that somebody wrote into: %v %q", err, out)
	}
}

func TestCutBlockIsRefused(t *testing.T) {
	for _, src := range []string{begin + "\n/x\n", "a\n" + begin, "a " + begin + "\n" + end + "\n", begin + " (odd)\n" + end + "\n"} {
		_, err := With([]byte(src), nil)
		_, err2 := Without([]byte(src))
		if err == nil || err2 == nil || !strings.Contains(err.Error(), "take them out by hand") {
			t.Errorf("%q: %v, %v", src, err, err2)
		}
	}
}

// git runs the real program, with no configuration of the machine's.
func git(t *testing.T, dir string, args ...string) string {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("SKIPPED: no git on PATH")
	}
	cmd := exec.Command("git", args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_SYSTEM=/dev/null", "GIT_AUTHOR_NAME=x", "GIT_AUTHOR_EMAIL=x@x",
		"GIT_COMMITTER_NAME=x", "GIT_COMMITTER_EMAIL=x@x", "GIT_ALLOW_PROTOCOL=file")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("git %v: %v\n%s", args, err, out)
	}
	return strings.TrimSpace(string(out))
}

// TestFind holds what is found against what git says, in every kind of checkout that it makes.
func TestFind(t *testing.T) {
	base, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	main, tree, bare, lib := filepath.Join(base, "main"), filepath.Join(base, "a tree"), filepath.Join(base, "bare"), filepath.Join(base, "lib")
	git(t, base, "init", "-q", lib)
	git(t, lib, "commit", "-q", "--allow-empty", "-m", "x")
	git(t, base, "init", "-q", main)
	git(t, main, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", lib, "sub")
	git(t, main, "commit", "-q", "-m", "x")
	git(t, main, "worktree", "add", "-q", "-b", "w", tree)
	git(t, base, "clone", "-q", "--bare", lib, bare)
	bareTree := filepath.Join(base, "of-bare")
	git(t, bare, "worktree", "add", "-q", "-b", "v", bareTree)
	for _, root := range []string{main, tree, filepath.Join(main, "sub"), bareTree} {
		r, ok := Find(root)
		want := git(t, root, "rev-parse", "--path-format=absolute", "--git-path", "info/exclude")
		if !ok || r.File() != want {
			t.Errorf("%s: %v %s; git says %s", root, ok, r.File(), want)
		}
	}
	for _, root := range []string{bare, base, filepath.Join(main, "nowhere")} {
		if r, ok := Find(root); ok {
			t.Errorf("%s: found %s", root, r.Common)
		}
	}
	r, _ := Find(main)
	w, _ := Find(tree)
	if got := r.Others(); len(got) != 1 || got[0] != tree {
		t.Errorf("others of the main checkout: %v", got)
	}
	if got := w.Others(); len(got) != 1 || got[0] != main {
		t.Errorf("others of the worktree: %v", got)
	}
}

// A .git file that names somebody else's repository is no leave to write there.
func TestForeignGitFile(t *testing.T) {
	base := t.TempDir()
	victim, clone := filepath.Join(base, "victim"), filepath.Join(base, "clone")
	git(t, base, "init", "-q", victim)
	if err := os.Mkdir(clone, 0o755); err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{"gitdir: ../victim/.git", "gitdir: " + victim + "/.git\n", "gitdir: nowhere", "", "nonsense"} {
		if err := os.WriteFile(filepath.Join(clone, ".git"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if r, ok := Find(clone); ok {
			t.Errorf("%q: found %s", text, r.Common)
		}
	}
	if err := os.Remove(filepath.Join(clone, ".git")); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(filepath.Join(victim, ".git"), filepath.Join(clone, ".git")); err != nil {
		t.Fatal(err)
	}
	if r, ok := Find(clone); ok {
		t.Errorf("a link: found %s", r.Common)
	}
}

// Git reads the patterns as they are meant, whatever is in a name.
func TestGitUnderstandsThePatterns(t *testing.T) {
	dir := t.TempDir()
	git(t, dir, "init", "-q")
	names := []string{".lorimer/x", ".a b/s.js", "#x", "!y", "st*r", "q?", "[z]", "end "}
	var patterns []string
	for _, n := range names {
		full := filepath.Join(dir, n)
		if err := os.MkdirAll(filepath.Dir(full), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(full, nil, 0o600); err != nil {
			t.Fatal(err)
		}
		patterns = append(patterns, Pattern(n))
	}
	if err := os.WriteFile(filepath.Join(dir, "strr"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	r, _ := Find(dir)
	src, _ := os.ReadFile(r.File())
	with, err := With(src, patterns)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(r.File(), with, 0o600); err != nil {
		t.Fatal(err)
	}
	if got := git(t, dir, "status", "--porcelain"); got != "?? strr" {
		t.Errorf("git status says:\n%s", got)
	}
}
