package clonefs

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"strings"
)

// maxLinks is how many links one path may pass; more is a loop.
const maxLinks = 40

// Resolve returns the path without links in it. A part that does not exist yet is taken as it stands. A link that leads out
// of the clone, to nothing, or in circles is an error that names it.
func (f *FS) Resolve(name string) (string, error) {
	if f.seen == nil {
		return f.resolve(name)
	}
	real, ok := f.seen.real[name]
	if ok {
		return real, nil
	}
	real, err := f.resolve(name)
	if err == nil {
		f.seen.real[name] = real
	}
	return real, err
}

func (f *FS) resolve(name string) (string, error) {
	if !fs.ValidPath(name) || name == "." {
		return "", fmt.Errorf("%q is no path in a clone", name)
	}
	done, rest := "", strings.Split(name, "/")
	links, linked := 0, 0 // linked: how many of rest a link put there
	for ; len(rest) > 0; linked-- {
		next := path.Join(done, rest[0])
		info, err := f.lstat(next)
		switch {
		case errors.Is(err, fs.ErrNotExist) && linked > 0:
			return "", fmt.Errorf("%s passes a link to %s, which does not exist; make it, or take the link away", name, next)
		case errors.Is(err, fs.ErrNotExist):
			return path.Join(append([]string{next}, rest[1:]...)...), nil
		case err != nil:
			return "", fmt.Errorf("%s cannot be reached: %w", name, err)
		case info.Mode()&fs.ModeSymlink == 0:
			if len(rest) > 1 && !info.IsDir() {
				return "", fmt.Errorf("%s is %s; expected a directory, for %s", next, kindOfFile(info), name)
			}
			done, rest = next, rest[1:]
			continue
		}
		if links++; links > maxLinks {
			return "", fmt.Errorf("%s: the link %s leads in circles", name, next)
		}
		target, err := f.follow(next)
		if err != nil {
			return "", err
		}
		parts := split(target)
		linked = len(parts) + max(linked-1, 0) + 1 // the loop takes one off
		done, rest = "", append(parts, rest[1:]...)
	}
	return done, nil
}

func kindOfFile(info fs.FileInfo) string {
	if info.Mode().IsRegular() {
		return "a file"
	}
	return kind(info.Mode())
}

// split takes a clean path apart; the root itself has no parts.
func split(p string) []string {
	if p == "." {
		return nil
	}
	return strings.Split(p, "/")
}

// follow returns where the link leads, as a path below the root.
func (f *FS) follow(link string) (string, error) {
	root, at := f.at(link)
	target, err := root.Readlink(at)
	if err != nil {
		return "", err
	}
	inside := path.Join(path.Dir(link), filepath.ToSlash(target))
	if filepath.IsAbs(target) {
		inside = f.below(target)
	}
	if inside == ".." || strings.HasPrefix(inside, "../") {
		return "", fmt.Errorf("%s is a link that leads out of %s, to %s; nothing is written through it: "+
			"replace it by a directory or file of its own", link, f.what, target)
	}
	return inside, nil
}

// below turns an absolute path into one below the root; "../" stands for everything outside.
func (f *FS) below(abs string) string {
	if real, err := filepath.EvalSymlinks(abs); err == nil {
		abs = real
	}
	rel, err := filepath.Rel(f.Dir, abs)
	if err != nil {
		return ".."
	}
	return filepath.ToSlash(rel)
}
