package dispatch

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"github.com/lorimer-dev/lorimer/internal/fastfile"
	"github.com/lorimer-dev/lorimer/internal/manifest"
	"github.com/lorimer-dev/lorimer/internal/state"
	"github.com/lorimer-dev/lorimer/internal/trust"
)

// maxManifest is the size in bytes beyond which a manifest is not read. Materialize writes some thousands.
const maxManifest = 16 << 20

// openManifest finds the clone and reads its manifest: at --root, else where the harness says that its project is, else
// above the working directory. Without a manifest there is nothing to do; but where --root was baked into a hook by
// materialize, the hook has to fail closed, or the user agreed to a manifest once, its absence is a fault: somebody removed the
// policy. A hook of the user's own runs in every directory, so there the last of these alone is one.
func (c *call) openManifest() error {
	if c.rootFlag != "" {
		if err := c.openAt(c.rootFlag); !isAbsent(err) {
			return err
		}
		c.root, _ = resolved(c.rootFlag) // unknown: then nothing was agreed to there
		return fmt.Errorf("%s: no manifest there any more, so no hook was run; run `lorimer materialize %s`", manifest.Path(c.rootFlag), c.rootFlag)
	}
	for _, dir := range c.projectDirs() {
		if err := c.openAt(dir); !isAbsent(err) {
			return err
		}
	}
	root, err := findAbove()
	switch {
	case err != nil:
		c.root = root
		return err
	case root != "":
		return c.openAt(root)
	case c.user:
		return c.lostPolicy()
	case c.failClosed:
		return fmt.Errorf("no manifest found, so no hook was run; run `lorimer materialize` in the clone")
	}
	return errNothingToDo
}

// lostPolicy is a fault when there was a manifest around here that the user agreed to.
func (c *call) lostPolicy() error {
	home := c.stateHome()
	around := c.projectDirs()
	if cwd, err := os.Getwd(); err == nil {
		around = append(around, cwd)
	}
	for _, dir := range around {
		dir, err := resolved(dir)
		if err != nil || home == "" {
			continue
		}
		for ; dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
			if _, err := os.Stat(manifest.Path(dir)); isAbsent(err) && trust.Known(home, dir) {
				c.root = dir
				return fmt.Errorf("%s: no manifest there any more, so no hook was run; run `lorimer materialize %s`", manifest.Path(dir), dir)
			}
		}
	}
	return errNothingToDo
}

// projectDirs are the directories that the host names as its project's, the most certain first.
func (c *call) projectDirs() (dirs []string) {
	if c.harness.Hooks == nil {
		return nil
	}
	for _, name := range c.harness.Hooks.ProjectEnv {
		if dir := os.Getenv(name); filepath.IsAbs(dir) {
			dirs = append(dirs, dir)
		}
	}
	return dirs
}

// openAt reads the manifest of the clone at dir. isAbsent tells the error of a directory that has none.
func (c *call) openAt(dir string) error {
	path := manifest.Path(dir)
	info, err := os.Stat(path)
	if isAbsent(err) {
		return err
	}
	var unresolved error
	if c.root, unresolved = resolved(dir); unresolved != nil {
		return unresolved
	}
	if err != nil {
		return err
	}
	if !info.Mode().IsRegular() || info.Size() > maxManifest {
		return fmt.Errorf("%s: not a manifest: %s of %d bytes; run `lorimer materialize %s`", path, info.Mode(), info.Size(), dir)
	}
	src, err := fastfile.Read(path)
	if err != nil {
		return err
	}
	view, err := manifest.Parse(src)
	if err != nil {
		return fmt.Errorf("%s: %w; run `lorimer materialize %s`", path, err, dir)
	}
	c.manifest, c.compiled, c.view = src, info.ModTime(), view
	return nil
}

func isAbsent(err error) bool {
	return errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR)
}

// deviceOf tells one file system from another; tests have some of their own.
var deviceOf = device

// findAbove looks for a manifest in the working directory and above it. A clone that was not named by anybody must be the
// user's own, below HOME, and on the file system where the work is: else whoever can write to a directory above, like /tmp,
// would be asked. "" is returned when there is none.
func findAbove() (string, error) {
	cwd, err := os.Getwd()
	if err != nil {
		return "", fmt.Errorf("the working directory is gone, so no manifest could be looked for: %w", err)
	}
	dir, err := resolved(cwd)
	tops := homes()
	if err != nil {
		return "", nil
	}
	start := deviceOf(dir)
	for ; isBelowOne(dir, tops) && deviceOf(dir) == start; dir = filepath.Dir(dir) {
		if _, err := os.Stat(manifest.Path(dir)); err == nil {
			return dir, foreign(dir)
		}
	}
	return "", nil
}

// homes are HOME and, in a session that was given another one, the user's own.
func homes() (all []string) {
	home, _ := os.UserHomeDir() // unknown: then nothing lies below it
	for _, dir := range []string{home, os.Getenv(state.UserHome)} {
		if real, err := resolved(dir); dir != "" && err == nil {
			all = append(all, real)
		}
	}
	return all
}

func isBelowOne(dir string, tops []string) bool {
	return slices.ContainsFunc(tops, func(top string) bool { return isBelow(dir, top) })
}

// foreign refuses a manifest that another user owns, or could exchange; a link is asked for both its owners.
func foreign(root string) error {
	path := manifest.Path(root)
	for _, p := range []string{root, filepath.Dir(path), path} {
		if target, err := filepath.EvalSymlinks(p); !ours(p) || err != nil || !ours(target) {
			return fmt.Errorf("%s: not run, because %s belongs to another user; name the clone with --root if it is yours", path, p)
		}
	}
	return nil
}

func isBelow(dir, top string) bool {
	rel, err := filepath.Rel(top, dir)
	return err == nil && rel != "." && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator))
}

func resolved(dir string) (string, error) {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	return filepath.EvalSymlinks(abs)
}
