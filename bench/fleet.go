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

// fleet measures what materialize costs over many clones: the first time, against a copy of the very same files, and when nothing
// changed, against `git status` in each clone; and its memory, against a tenth of the clones.
func (s *scene) fleet(clones int) error {
	if _, err := exec.LookPath("git"); err != nil {
		fmt.Fprintln(os.Stderr, "bench: SKIPPED many clones: no git on PATH")
		return nil
	}
	dirs, err := s.clones(filepath.Join(s.work, "fleet"), clones)
	if err != nil {
		return err
	}
	cold, _, err := s.over("materialize", dirs)
	if err != nil {
		return err
	}
	copied, err := spent("cp", "-R", filepath.Join(s.work, "fleet"), filepath.Join(s.work, "copy"))
	if err != nil {
		return err
	}
	again, most, err := s.over("materialize", dirs)
	if err != nil {
		return err
	}
	_, few, err := s.over("materialize", dirs[:max(clones/10, 1)])
	if err != nil {
		return err
	}
	status, err := spent("sh", append([]string{"-c", `for d do git -C "$d" status --porcelain >/dev/null || exit 1; done`, "sh"}, dirs...)...)
	if err != nil {
		return err
	}
	fmt.Printf("\n| %d clones, %d harnesses | took | against | ratio |\n|---|---|---|---|\n", clones, len(inClones()))
	fmt.Printf("| `lorimer materialize`, the first time | %.2f s | `cp -R` of all clones, %.2f s | **%.2f** |\n", cold.Seconds(), copied.Seconds(), cold.Seconds()/copied.Seconds())
	fmt.Printf("| `lorimer materialize`, nothing changed | %.2f s | `git status` in each, %.2f s | **%.2f** |\n", again.Seconds(), status.Seconds(), again.Seconds()/status.Seconds())
	fmt.Printf("| memory at the most | %.1f MB | a tenth of the clones, %.1f MB | **%.2f** |\n", most, few, most/few)
	return nil
}

// clones makes git repositories with hooks for every agent.
func (s *scene) clones(dir string, n int) (dirs []string, err error) {
	first := filepath.Join(dir, "0")
	if err := os.MkdirAll(first, 0o755); err != nil {
		return nil, err
	}
	if err := os.WriteFile(filepath.Join(first, "lorimer.yaml"), fmt.Appendf(nil, hooks, strings.Join(inClones(), ", ")), 0o644); err != nil {
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
func (s *scene) over(what string, dirs []string) (time.Duration, float64, error) {
	cmd := exec.Command(filepath.Join(s.bin, "lorimer"), append([]string{what, "--scope", "project"}, dirs...)...)
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
