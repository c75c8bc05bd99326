package certify

import (
	"context"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/lorimer-dev/lorimer/internal/npmlock"
)

// copied fills a directory from what the user named: a program, or a directory with installed packages.
func (i Installer) copied(ctx context.Context, dir string) (mark, error) {
	from, err := filepath.Abs(i.From)
	if err != nil {
		return mark{}, err
	}
	info, err := os.Stat(from)
	if err != nil {
		return mark{}, err
	}
	i.say(fmt.Sprintf("copying %s %s from %s", i.Row.Name, i.Version, from))
	if !info.IsDir() {
		return i.copiedProgram(from, dir, info)
	}
	stop := i.ticking(dir)
	defer stop()
	if err := i.copiedPackages(ctx, from, dir); err != nil {
		return mark{}, err
	}
	return i.found(dir, from)
}

func (i Installer) copiedProgram(from, dir string, info fs.FileInfo) (mark, error) {
	if !info.Mode().IsRegular() {
		return mark{}, fmt.Errorf("%s is neither a program nor a directory", from)
	}
	name := "bin/" + i.Row.Binary
	if strings.EqualFold(filepath.Ext(from), ".exe") {
		name += ".exe"
	}
	if err := os.Mkdir(filepath.Join(dir, "bin"), 0o700); err != nil {
		return mark{}, err
	}
	return mark{Source: from, Program: []string{name}}, copyFile(from, filepath.Join(dir, filepath.FromSlash(name)), 0o700)
}

// copiedPackages copies those packages of the lock that lie in from, each in the lock's version; without a lock all of them.
func (i Installer) copiedPackages(ctx context.Context, from, dir string) error {
	if filepath.Base(from) != "node_modules" {
		from = filepath.Join(from, "node_modules")
	}
	if i.Lock == nil {
		return copyTree(ctx, from, filepath.Join(dir, "node_modules"))
	}
	paths, err := npmlock.Differing(i.Lock, filepath.Join(from, ".package-lock.json"))
	if err != nil {
		return err
	}
	for _, path := range paths {
		rel := strings.TrimPrefix(path, "node_modules/")
		if strings.Contains(rel, "/node_modules/") {
			continue // comes with the package around it
		}
		source := filepath.Join(from, filepath.FromSlash(rel))
		if _, err := os.Stat(source); os.IsNotExist(err) {
			continue // for another system; what is missing is found at the end
		}
		if err := copyTree(ctx, source, filepath.Join(dir, filepath.FromSlash(path))); err != nil {
			return err
		}
	}
	return nil
}

// copyTree copies files, directories and links that stay inside; other things are left out.
func copyTree(ctx context.Context, from, to string) error {
	return filepath.WalkDir(from, func(path string, d fs.DirEntry, err error) error {
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(from, path)
		if err != nil {
			return err
		}
		target := filepath.Join(to, rel)
		switch {
		case d.IsDir():
			return os.MkdirAll(target, 0o700)
		case d.Type()&fs.ModeSymlink != 0:
			return copyLink(path, target, from)
		case d.Type().IsRegular():
			info, err := d.Info()
			if err != nil {
				return err
			}
			return copyFile(path, target, 0o600|info.Mode().Perm()&0o100)
		}
		return nil
	})
}

func copyLink(path, target, root string) error {
	dest, err := os.Readlink(path)
	if err != nil {
		return err
	}
	if filepath.IsAbs(dest) || !below(root, filepath.Join(filepath.Dir(path), dest)) {
		return nil
	}
	return os.Symlink(dest, target)
}

func copyFile(from, to string, mode fs.FileMode) error {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	if end := out.Close(); err == nil {
		err = end
	}
	return err
}
