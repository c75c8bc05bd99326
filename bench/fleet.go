package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/lorimer-dev/lorimer/golden/go/table"
)

// rounds is how often many clones are done anew. The least of each figure counts: what a busy machine adds is nobody's.
const rounds = 3

// fleet measures what materialize costs over many clones: the first time, against a copy of the very same files, and when nothing
// changed, against `git status` in each clone; and its memory, against a tenth of the clones. Then the same with an agent that has
// its hooks in the user's own files, where each clone has a say in what all others find.
func (s *scene) fleet(clones int) error {
	if _, err := exec.LookPath("git"); err != nil {
		fmt.Fprintln(os.Stderr, "bench: SKIPPED many clones: no git on PATH")
		return nil
	}
	var project, user figures
	for range rounds {
		if err := s.round(&project, clones, "project", inClones()); err != nil {
			return err
		}
		if err := s.round(&user, clones, "user", []string{external()}); err != nil {
			return err
		}
	}
	fmt.Printf("\n| %d clones, %d harnesses, the least of %d | took | against | ratio |\n|---|---|---|---|\n", clones, len(inClones()), rounds)
	project.print()
	fmt.Printf("\n| %d clones, one harness in the user's own files, the least of %d | took | against | ratio |\n|---|---|---|---|\n", clones, rounds)
	user.print()
	return nil
}

// figures are the least that was measured.
type figures struct {
	cold, copied, again, check, status time.Duration
	most, few                          float64
}

// round measures once, over clones that it makes and removes.
func (s *scene) round(f *figures, n int, scope string, harnesses []string) error {
	top, copied := filepath.Join(s.work, "fleet"), filepath.Join(s.work, "copy")
	defer func() { _ = os.RemoveAll(top); _ = os.RemoveAll(copied) }()
	dirs, err := s.clones(top, n, harnesses)
	if err != nil {
		return err
	}
	_, few, err := s.over("materialize", scope, dirs[:max(n/10, 1)])
	if err != nil {
		return err
	}
	if _, _, err := s.over("clean", "", dirs[:max(n/10, 1)]); err != nil {
		return err
	}
	cold, most, err := s.over("materialize", scope, dirs)
	if err != nil {
		return err
	}
	took, err := spent("cp", "-R", top, copied)
	if err != nil {
		return err
	}
	again, _, err := s.over("materialize", scope, dirs)
	if err != nil {
		return err
	}
	status, err := spent("sh", append([]string{"-c", `for d do git -C "$d" status --porcelain >/dev/null || exit 1; done`, "sh"}, dirs...)...)
	if err != nil {
		return err
	}
	check, _, err := s.over("check", scope, dirs)
	if err != nil {
		return err
	}
	f.least(figures{cold, took, again, check, status, most, few})
	_, _, err = s.over("clean", "", dirs)
	return err
}

func (f *figures) least(x figures) {
	for _, d := range []struct{ have, now *time.Duration }{
		{&f.cold, &x.cold}, {&f.copied, &x.copied}, {&f.again, &x.again}, {&f.check, &x.check}, {&f.status, &x.status},
	} {
		if *d.have == 0 || *d.now < *d.have {
			*d.have = *d.now
		}
	}
	if f.most == 0 || x.most < f.most {
		f.most = x.most
	}
	if f.few == 0 || x.few < f.few {
		f.few = x.few
	}
}

func (f *figures) print() {
	row := func(what string, took time.Duration, against string, other time.Duration) {
		fmt.Printf("| %s | %.2f s | %s, %.2f s | **%.2f** |\n", what, took.Seconds(), against, other.Seconds(), took.Seconds()/other.Seconds())
	}
	row("`lorimer materialize`, the first time", f.cold, "`cp -R` of all clones", f.copied)
	row("`lorimer materialize`, nothing changed", f.again, "`git status` in each", f.status)
	row("`lorimer check`, nothing changed", f.check, "`git status` in each", f.status)
	fmt.Printf("| memory at the most, the first time | %.1f MB | a tenth of the clones, %.1f MB | **%.2f** |\n", f.most, f.few, f.most/f.few)
}

// clones makes git repositories with hooks for some agents.
func (s *scene) clones(dir string, n int, harnesses []string) (dirs []string, err error) {
	first := filepath.Join(dir, "0")
	if err := os.MkdirAll(first, 0o755); err != nil {
		return nil, err
	}
	if err := os.WriteFile(filepath.Join(first, "lorimer.yaml"), fmt.Appendf(nil, hooks, strings.Join(harnesses, ", ")), 0o644); err != nil {
		return nil, err
	}
	if _, err := spent("git", "-C", first, "init", "-q"); err != nil {
		return nil, err
	}
	dirs = []string{first}
	for i := 1; i < n; i++ {
		d := filepath.Join(dir, fmt.Sprint(i))
		if err := os.CopyFS(d, os.DirFS(first)); err != nil {
			return nil, err
		}
		dirs = append(dirs, d)
	}
	return dirs, nil
}

// inClones are the harnesses that have their hooks in the clone. One that has them in the user's own file is told of by each clone
// to all others, which is another figure.
func inClones() (ids []string) {
	for _, h := range table.All {
		if h.Shim != nil && h.Shim.Project != "" || h.Hooks != nil && h.Hooks.Local+h.Hooks.Shared != "" {
			ids = append(ids, h.ID)
		}
	}
	return ids
}

// over runs a command over clones, and returns how long it took and how much memory it had at the most, in MB.
func (s *scene) over(what, scope string, dirs []string) (time.Duration, float64, error) {
	args := []string{what}
	if scope != "" {
		args = append(args, "--scope", scope)
	}
	cmd := exec.Command(filepath.Join(s.bin, "lorimer"), append(args, dirs...)...)
	cmd.Env = s.env
	start := time.Now()
	out, err := cmd.CombinedOutput()
	if err != nil {
		return 0, 0, fmt.Errorf("%s over %d clones: %w\n%s", what, len(dirs), err, out[max(len(out)-2000, 0):])
	}
	return time.Since(start), peak(cmd.ProcessState), nil
}

func spent(program string, args ...string) (time.Duration, error) {
	start := time.Now()
	out, err := exec.Command(program, args...).CombinedOutput()
	if err != nil {
		err = fmt.Errorf("%s: %w\n%s", program, err, out[:min(len(out), 2000)])
	}
	return time.Since(start), err
}
