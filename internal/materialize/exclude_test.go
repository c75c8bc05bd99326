package materialize

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/lorimer-dev/lorimer/internal/materialize/clonefs"
)

// git runs the real program, with no configuration of the machine's.
func git(t *testing.T, dir string, args ...string) string {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("SKIPPED: no git on PATH")
	}
	cmd := exec.Command("git", args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_SYSTEM=/dev/null", "GIT_AUTHOR_NAME=x", "GIT_AUTHOR_EMAIL=x@x",
		"GIT_COMMITTER_NAME=x", "GIT_COMMITTER_EMAIL=x@x")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("git %v: %v\n%s", args, err, out)
	}
	return string(out)
}

// checkout is a repository with the configuration and one harness's shared file committed, and worktrees of it.
func checkout(t *testing.T, worktrees ...string) (main string, trees []string, o Options) {
	t.Helper()
	main, o = setup(t, map[string]string{"lorimer.yaml": yaml, "mule.json": "{}\n"})
	git(t, main, "init", "-q")
	git(t, main, "add", ".")
	git(t, main, "commit", "-q", "-m", "x")
	for _, w := range worktrees {
		trees = append(trees, filepath.Join(filepath.Dir(main), w))
		git(t, main, "worktree", "add", "-q", "-b", w, trees[len(trees)-1])
	}
	return main, trees, o
}

func excludeOf(t *testing.T, main string) string { return read(t, main, ".git/info/exclude") }

// Git shows nothing of ours but the entries in files that it tracks, in any checkout; the file is one for all of them, so
// they must agree about it; and it is what it was when the last one is clean.
func TestExcludeInWorktrees(t *testing.T) {
	main, trees, o := checkout(t, "one", "two")
	write(t, main, ".git/info/exclude", "*.log\n# no end")
	before := excludeOf(t, main)
	materialize(t, main, o)
	first := excludeOf(t, main)
	if !strings.HasPrefix(first, before+"\n# >>> lorimer") || !strings.Contains(first, "\n/.lorimer/\n/.pony/extensions/lorimer.js\n") {
		t.Errorf("the exclude file is\n%s", first)
	}
	write(t, trees[1], "lorimer.yaml", "version: 1\nharnesses: [pony]\nhandlers: [{ name: p, event: PostToolUse, run: x }]\n")
	for _, tree := range trees {
		materialize(t, tree, o)
		if p := materialize(t, main, o); !p.Clean() || excludeOf(t, main) != first {
			t.Errorf("%s and the main checkout do not agree:\n%s", tree, excludeOf(t, main))
		}
	}
	for i, dir := range append(trees, main) {
		want := map[bool]string{true: " M lorimer.yaml\n", false: " M mule.json\n"}[i == 1]
		if got := git(t, dir, "status", "--porcelain"); got != want {
			t.Errorf("%s: git status says\n%s", dir, got)
		}
	}
	for _, dir := range []string{main, trees[0]} {
		clean(t, dir, o)
		if excludeOf(t, main) != first {
			t.Errorf("cleaning %s took the lines from the others", dir)
		}
	}
	clean(t, trees[1], o)
	if got := excludeOf(t, main); got != before {
		t.Errorf("when all are clean it is\n%s", got)
	}
}

func TestExcludeFileThatWasNotThere(t *testing.T) {
	main, _, o := checkout(t)
	must(t, os.RemoveAll(filepath.Join(main, ".git/info")))
	p, err := PlanMaterialize(main, o)
	if err != nil || p.Clean() || !strings.Contains(string(p.Diff()), "+++ b/.git/info/exclude\n") || strings.Contains(paths(p), "exclude") {
		t.Errorf("%v: the plan shows\n%s", err, p.Diff())
	}
	if _, err := os.Stat(filepath.Join(main, ".git/info")); err == nil {
		t.Error("a plan made something")
	}
	materialize(t, main, o)
	must(t, os.WriteFile(filepath.Join(main, "mule.json"), []byte(read(t, main, "mule.json")), 0o600))
	if got := git(t, main, "status", "--porcelain"); got != " M mule.json\n" {
		t.Errorf("git status says\n%s", got)
	}
	clean(t, main, o)
	if _, err := os.Stat(filepath.Join(main, ".git/info/exclude")); err == nil {
		t.Error("the file is still there")
	}
}

func TestExcludeTouchesNothingThatIsNotTheClones(t *testing.T) {
	main, _, o := checkout(t)
	outside := filepath.Join(filepath.Dir(main), "dotfiles")
	must(t, os.WriteFile(outside, []byte("mine\n"), 0o600))
	must(t, os.Remove(filepath.Join(main, ".git/info/exclude")))
	must(t, os.Symlink(outside, filepath.Join(main, ".git/info/exclude")))
	p := materialize(t, main, o)
	if len(p.Warnings) != 1 || !strings.HasPrefix(p.Warnings[0], "git will show lorimer's files as untracked: ") || !strings.Contains(p.Warnings[0], "leads out") {
		t.Errorf("warnings: %q", p.Warnings)
	}
	foreign, o2 := setup(t, map[string]string{"lorimer.yaml": yaml, ".git": "gitdir: " + main + "/.git\n"})
	materialize(t, foreign, o2)
	if got, _ := os.ReadFile(outside); string(got) != "mine\n" {
		t.Errorf("somebody's file is\n%s", got)
	}
	must(t, os.Remove(filepath.Join(main, ".git/info/exclude")))
	write(t, main, ".git/info/exclude", "# >>> lorimer: what it puts into checkouts; `lorimer clean` takes these lines out\n/x\n")
	if p := materialize(t, main, o); len(p.Warnings) != 1 || !strings.Contains(p.Warnings[0], "take them out by hand") {
		t.Errorf("a block that is cut short: %q", p.Warnings)
	}
}

func TestExcludeByManyAtOnce(t *testing.T) {
	main, trees, o := checkout(t, "a", "b", "c", "d")
	before := excludeOf(t, main)
	both := func(run func(string, Options) (*Plan, error)) {
		var wg sync.WaitGroup
		for _, dir := range append(trees, main) {
			wg.Go(func() {
				if p, err := run(dir, o); err != nil || len(p.Warnings) > 0 {
					t.Error(err, p.Warnings)
				}
			})
		}
		wg.Wait()
	}
	both(Materialize)
	if got := strings.Count(excludeOf(t, main), "# >>> lorimer"); got != 1 {
		t.Errorf("%d blocks", got)
	}
	both(Clean)
	if got := excludeOf(t, main); got != before {
		t.Errorf("when all are clean it is\n%s", got)
	}
}

// TestExcludeKilledAtEveryOperation: the file is the old or the new one, nothing is left beside it, and the next run ends it.
func TestExcludeKilledAtEveryOperation(t *testing.T) {
	const theirs = "*.o\r\n# no end"
	for n := 1; ; n++ {
		clone, o := setup(t, map[string]string{"lorimer.yaml": yaml, ".git/HEAD": "x", ".git/objects/": "", ".git/info/exclude": theirs})
		seen := 0
		o.Hook = func(_ clonefs.Op, path string) error {
			if strings.HasPrefix(path, "info") {
				seen++
			}
			return when(seen >= n && strings.HasPrefix(path, "info"), errDead)
		}
		p := materialize(t, clone, o)
		got := excludeOf(t, clone)
		if got != theirs && !strings.HasPrefix(got, theirs+"\n# >>>") || (len(p.Warnings) > 0) != (seen >= n) {
			t.Errorf("operation %d: warnings %q, and the file is\n%s", n, p.Warnings, got)
		}
		died := seen >= n
		o.Hook = nil
		materialize(t, clone, o)
		if p := materialize(t, clone, o); !p.Clean() || !strings.Contains(excludeOf(t, clone), "/.lorimer/\n") {
			t.Errorf("operation %d: the next run does not end it:\n%s", n, p.Diff())
		}
		clean(t, clone, o)
		if names, _ := filepath.Glob(filepath.Join(clone, ".git/info/*")); len(names) != 1 || excludeOf(t, clone) != theirs {
			t.Errorf("operation %d: after clean %v, %q", n, names, excludeOf(t, clone))
		}
		if !died {
			if n < 5 {
				t.Errorf("only %d operations", n-1)
			}
			return
		}
	}
}
