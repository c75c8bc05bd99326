// Package gitexclude keeps what lorimer puts into a checkout out of `git status`, without touching a file that is committed:
// by a block of its own in the repository's info/exclude.
//
// That file is one for all worktrees of a repository, so what stands in the block must not depend on which of them is at
// work, or they would rewrite each other for ever: it lists everything that this lorimer may put into any checkout. The block
// stays until the last checkout that lorimer is in has been cleaned. Git's own files are read as git does; git is not started.
package gitexclude

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/lorimer-dev/lorimer/internal/plainfile"
)

// Repository is where a checkout's repository keeps what concerns all its checkouts.
type Repository struct {
	Common string // the directory with info/ and worktrees/
	root   string // the checkout, links resolved
}

// File is the exclude file, which need not exist.
func (r Repository) File() string { return filepath.Join(r.Common, "info", "exclude") }

// Find returns the repository that root is a checkout of: of the main one, a worktree or a submodule. ok is false for a
// directory without .git, a bare repository, and a .git that does not belong to this directory: what it names is somebody
// else's, whoever wrote the file.
func Find(root string) (r Repository, ok bool) {
	root, err := filepath.EvalSymlinks(root)
	if err != nil {
		return r, false
	}
	dotGit := filepath.Join(root, ".git")
	info, err := os.Lstat(dotGit)
	switch {
	case err != nil:
		return r, false
	case info.IsDir() && isRepository(dotGit):
		return Repository{dotGit, root}, true
	case info.Mode().IsRegular():
		return linked(root, dotGit)
	}
	return r, false
}

// Linked says whether root is a linked worktree: a checkout beside the one that has the repository in it.
func Linked(root string) bool {
	r, ok := Find(root)
	return ok && r.Common != filepath.Join(r.root, ".git") && filepath.Base(filepath.Dir(path(filepath.Join(r.root, ".git"), r.root, "gitdir: "))) == "worktrees"
}

// isRepository says whether git would take a directory for one.
func isRepository(dir string) bool {
	_, head := os.Stat(filepath.Join(dir, "HEAD"))
	objects, err := os.Stat(filepath.Join(dir, "objects"))
	return head == nil && err == nil && objects.IsDir()
}

// linked follows a .git file to the directory that it names, when that directory names this checkout in turn.
func linked(root, dotGit string) (r Repository, ok bool) {
	dir := path(dotGit, root, "gitdir: ")
	if dir == "" {
		return r, false
	}
	if same(path(filepath.Join(dir, "gitdir"), dir, ""), dotGit) { // a worktree
		common := path(filepath.Join(dir, "commondir"), dir, "")
		return Repository{common, root}, common != "" && isRepository(common)
	}
	return Repository{dir, root}, isRepository(dir) && same(coreWorktree(dir), root) // a submodule
}

// path reads a file of git's that holds one path, which may be relative to base; "" when there is none.
func path(file, base, prefix string) string {
	data, err := plainfile.Settings(file)
	text, found := strings.CutPrefix(strings.TrimRight(string(data), "\r\n"), prefix)
	if err != nil || !found || text == "" || len(data) > 1<<16 {
		return ""
	}
	if !filepath.IsAbs(text) {
		text = filepath.Join(base, text)
	}
	return filepath.Clean(text)
}

// coreWorktree is where a submodule's repository says that its checkout is; "" when it says nothing.
func coreWorktree(dir string) string {
	data, _ := plainfile.Settings(filepath.Join(dir, "config"))
	for line := range bytes.Lines(data) {
		key, value, _ := strings.Cut(string(line), "=")
		if value = strings.Trim(strings.TrimSpace(value), `"`); strings.TrimSpace(key) == "worktree" && value != "" {
			if filepath.IsAbs(value) {
				return value
			}
			return filepath.Join(dir, value)
		}
	}
	return ""
}

func same(a, b string) bool {
	x, err := os.Stat(a)
	if a == "" || err != nil {
		return false
	}
	y, err := os.Stat(b)
	return err == nil && os.SameFile(x, y)
}

// Others returns the other checkouts of the repository.
func (r Repository) Others() (dirs []string) {
	if filepath.Base(r.Common) == ".git" {
		dirs = append(dirs, filepath.Dir(r.Common))
	}
	names, _ := filepath.Glob(filepath.Join(r.Common, "worktrees", "*", "gitdir"))
	for _, f := range names {
		if p := path(f, filepath.Dir(f), ""); p != "" {
			dirs = append(dirs, filepath.Dir(p))
		}
	}
	return slices.DeleteFunc(dirs, func(d string) bool { return same(d, r.root) })
}
