package certify

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/lorimer-dev/lorimer/internal/harness"
	"github.com/lorimer-dev/lorimer/internal/state"
)

// Installer puts a runtime in its place.
type Installer struct {
	Row     *harness.Certified
	Version string
	Lock    []byte           // package-lock.json of what is certified; nil: npm makes one first
	From    string           // a program, or a directory with node_modules in it, that is copied; empty: from npm
	Say     func(string)     // what happens, for the user; may be nil
	Tick    func(dir string) // called now and then while something is put into dir, and with "" at the end; may be nil
}

// asideName begins the names of directories in which something is being installed, and nothing else.
const asideName = ".new-"

// hold keeps other processes from installing below the same directory.
func (i Installer) hold(ctx context.Context, to Paths) (release func(), err error) {
	return state.Hold(ctx, filepath.Join(filepath.Dir(to.Runtime), ".lock"), func() { i.say("another lorimer is at work here; waiting for it") })
}

// install builds the runtime aside and renames it. Whatever ends it leaves the place as it was; what a killed one left behind is
// removed by the next. The lock must be held.
func (i Installer) install(ctx context.Context, to Paths) error {
	parent := filepath.Dir(to.Runtime)
	sweep(parent)
	aside, err := os.MkdirTemp(parent, asideName)
	if err != nil {
		return err
	}
	defer os.RemoveAll(aside)
	m, err := i.build(ctx, aside)
	if err != nil {
		return fmt.Errorf("%s %s was not installed: %w", i.Row.Name, i.Version, err)
	}
	if err := finish(aside, to, m); err != nil {
		return err
	}
	return swap(aside, to.Runtime)
}

func (i Installer) say(line string) {
	if i.Say != nil {
		i.Say(line)
	}
}

// build fills a directory and says what is in it.
func (i Installer) build(ctx context.Context, dir string) (mark, error) {
	if i.From != "" {
		return i.copied(ctx, dir)
	}
	i.say(fmt.Sprintf("installing %s %s from npm", i.Row.Package, i.Version))
	if err := i.npm(ctx, dir); err != nil {
		return mark{}, err
	}
	return i.found(dir, "npm")
}

// found is the mark of packages that lie in dir. The error says which file of theirs is missing: npm passes over a package that
// is for another system, and over one that is optional and cannot be fetched.
func (i Installer) found(dir, source string) (mark, error) {
	m := mark{Source: source}
	for _, paths := range []map[string]string{i.Row.With, i.Row.Path} {
		path := onSystem(paths, runtime.GOOS)
		if path == "" && len(paths) > 0 {
			return m, fmt.Errorf("no packages are known for %s; name a program of your own with --from", runtime.GOOS)
		}
		if path == "" {
			continue
		}
		full := filepath.Join(dir, filepath.FromSlash(path))
		if info, err := os.Stat(full); err != nil || !info.Mode().IsRegular() {
			return m, fmt.Errorf("the packages for %s/%s have no %s", runtime.GOOS, runtime.GOARCH, path)
		}
		m.Program = append(m.Program, path)
	}
	return m, nil
}

func onSystem(paths map[string]string, goos string) string {
	if path, ok := paths[goos]; ok {
		return path
	}
	return paths[""]
}

// finish writes the mark, and bin/ with something that starts the program for people.
func finish(aside string, to Paths, m mark) error {
	data, err := json.MarshalIndent(m, "", "  ")
	if err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(aside, markName), append(data, '\n'), 0o600); err != nil {
		return err
	}
	rel, err := filepath.Rel(to.Runtime, to.Binary)
	if err != nil {
		return err
	}
	binary := filepath.Join(aside, rel)
	if _, err := os.Stat(binary); err == nil {
		return nil // a copied program
	}
	if err := os.MkdirAll(filepath.Dir(binary), 0o700); err != nil {
		return err
	}
	return entry(binary, to.Runtime, m.Program)
}

// entry makes the file by which a person starts the program: a link, or where an interpreter runs it a script. A link leads to
// the program as it lies, because some look for their own files beside themselves.
func entry(binary, runtimeDir string, program []string) error {
	if len(program) == 1 {
		target := filepath.Join("..", filepath.FromSlash(program[0]))
		if err := os.Symlink(target, binary); err == nil || runtime.GOOS != "windows" {
			return err
		}
		return os.Link(filepath.Join(filepath.Dir(binary), target), binary)
	}
	words := make([]string, len(program))
	for i, path := range program {
		words[i] = harness.ShellQuote(filepath.Join(runtimeDir, filepath.FromSlash(path)))
	}
	return os.WriteFile(binary, []byte("#!/bin/sh\nexec "+strings.Join(words, " ")+` "$@"`+"\n"), 0o700)
}

// swap puts aside into the place of runtime. Where one is there already it is moved out of the way first, and back when the
// other cannot come.
func swap(aside, runtime string) error {
	if err := os.Chmod(aside, 0o700); err != nil {
		return err
	}
	old := filepath.Join(filepath.Dir(runtime), asideName+"old-"+filepath.Base(runtime))
	err := os.Rename(runtime, old)
	if err != nil && !os.IsNotExist(err) {
		return err
	}
	was := err == nil
	if err := os.Rename(aside, runtime); err != nil {
		if was {
			os.Rename(old, runtime)
		}
		return err
	}
	return os.RemoveAll(old)
}

// sweep removes what a killed installation left. The lock is ours, so nobody works in any of them.
func sweep(parent string) {
	left, _ := filepath.Glob(filepath.Join(parent, asideName+"*"))
	for _, dir := range left {
		os.RemoveAll(dir)
	}
}
