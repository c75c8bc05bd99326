package certify

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/lorimer-dev/lorimer/internal/npmlock"
)

// npm fills a directory with the packages of the lock, each with the bytes that the lock's hash names. No package's own script is
// run. Without a lock npm writes one, by what the registry says, and everything in it must have a hash.
func (i Installer) npm(ctx context.Context, dir string) error {
	exe, err := exec.LookPath("npm")
	if err != nil {
		return errors.New("npm is not on PATH; install node, or name a program of your own with --from")
	}
	manifest, err := json.MarshalIndent(i.manifest(), "", "  ")
	if err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(dir, "package.json"), manifest, 0o600); err != nil {
		return err
	}
	lock, how := filepath.Join(dir, "package-lock.json"), "install"
	if i.Lock != nil {
		if err := npmlock.Sealed(i.Lock); err != nil {
			return err
		}
		if err := os.WriteFile(lock, i.Lock, 0o600); err != nil {
			return err
		}
		how = "ci"
	}
	if err := i.runNPM(ctx, exe, dir, how); err != nil {
		return err
	}
	data, err := os.ReadFile(lock)
	if err != nil {
		return err
	}
	if err := npmlock.Sealed(data); err != nil {
		return err
	}
	return npmlock.Held(data, filepath.Join(dir, "node_modules", ".package-lock.json"))
}

// manifest is the package.json of an installation.
func (i Installer) manifest() map[string]any {
	npm := maps.Clone(i.Row.NPM)
	npm[i.Row.Package] = i.Version
	return npmlock.Manifest(i.Row.ID, npm, i.Row.System)
}

func (i Installer) runNPM(ctx context.Context, exe, dir string, args ...string) error {
	args = append(args, "--ignore-scripts", "--no-audit", "--no-fund", "--no-progress", "--save-exact", "--loglevel=error")
	cmd := exec.CommandContext(ctx, exe, args...)
	var said bounded
	cmd.Dir, cmd.Stdout, cmd.Stderr, cmd.WaitDelay = dir, &said, &said, 5*time.Second
	endsWhole(cmd)
	stop := i.ticking(dir)
	err := cmd.Run()
	stop()
	if ctx.Err() != nil {
		return fmt.Errorf("npm %s was interrupted", args[0])
	}
	if err != nil {
		return fmt.Errorf("npm %s: %w: %s", args[0], err, npmSays(said.String()))
	}
	return nil
}

// npmSays is what npm complains of, without its manual.
func npmSays(text string) string {
	var lines []string
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(line), "npm error"))
		if line == "Usage:" || strings.HasPrefix(line, "A complete log") {
			break
		}
		lines = append(lines, line)
	}
	return cut(oneLine(strings.Join(lines, "\n")), 500)
}

// ticking calls Tick a few times a second until the function that it returns is called.
func (i Installer) ticking(dir string) (stop func()) {
	if i.Tick == nil {
		return func() {}
	}
	done, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		for {
			select {
			case <-done:
				return
			case <-time.After(250 * time.Millisecond):
				i.Tick(dir)
			}
		}
	}()
	return func() {
		close(done)
		<-ended
		i.Tick("")
	}
}

// Newest asks npm for the newest version of a package.
func Newest(ctx context.Context, pkg string) (string, error) {
	out, err := exec.CommandContext(ctx, "npm", "view", pkg, "version").Output()
	if version := strings.TrimSpace(string(out)); err == nil && exact.Re().MatchString(version) {
		return version, nil
	}
	return "", fmt.Errorf("npm view %s version: %v: %s", pkg, err, cut(oneLine(string(out)), maxReported))
}
