//go:build linux

package main

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"github.com/lorimer-dev/lorimer/e2e/rig"
)

// The pinned packages, measured: about 340 MB to download, 840 MB on disk.
const unpackedMB = 840

// fetch says in which directory the agents are. Where the end-to-end tests have not brought all theirs, npm installs the demo's
// two alone, from its own lockfile, and fetch shows how far that is. e2e is the directory of those tests.
func fetch(ctx context.Context, p *printer, e2e string) (dir string, err error) {
	for _, dir := range []string{e2e, filepath.Join(e2e, "demo")} {
		if _, err := rig.Installed(dir, agents...); err == nil {
			return dir, nil
		}
	}
	dir = filepath.Join(e2e, "demo")
	return dir, npmCI(ctx, p, dir)
}

// npmCI has npm fetch what dir's lockfile pins.
func npmCI(ctx context.Context, p *printer, dir string) error {
	if _, err := exec.LookPath("npm"); err != nil {
		return fmt.Errorf("the agents come from the npm registry, and npm is not there: %w; install Node.js", err)
	}
	p.text("Fetching the two agents from the npm registry, once: about 340 MB.")
	cmd := exec.CommandContext(ctx, "npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error")
	cmd.Dir, cmd.Stderr = dir, os.Stderr
	stop := p.progress(func() string {
		return fmt.Sprintf("%d of about %d MB unpacked", size(filepath.Join(dir, "node_modules"))>>20, unpackedMB)
	})
	err := cmd.Run()
	stop()
	if err != nil {
		return fmt.Errorf("npm ci in %s: %w", dir, err)
	}
	return nil
}

// progress shows how far something is until stop is called: on a terminal in one line, elsewhere a line every ten seconds.
func (p *printer) progress(state func() string) (stop func()) {
	every, form := 10*time.Second, "  %s\n"
	if p.terminal {
		every, form = time.Second/2, "\r\x1b[K  %s"
	}
	quit, gone := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(gone)
		for tick := time.NewTicker(every); ; {
			select {
			case <-tick.C:
				fmt.Fprintf(p.w, form, state())
			case <-quit:
				tick.Stop()
				if p.terminal {
					fmt.Fprint(p.w, "\r\x1b[K")
				}
				return
			}
		}
	}()
	return func() { close(quit); <-gone }
}

// size adds up the files below dir, in bytes. Files that come and go are not missed.
func size(dir string) (n int64) {
	filepath.WalkDir(dir, func(_ string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return nil
		}
		if info, err := d.Info(); err == nil {
			n += info.Size()
		}
		return nil
	})
	return n
}
