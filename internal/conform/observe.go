package conform

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/lorimer-dev/lorimer/internal/fakemodel"
	"github.com/lorimer-dev/lorimer/internal/harness"
)

// Trial is one run of the installed program that is looked at, and nothing is expected of.
type Trial struct {
	Argv    []string // behind the program, instead of the descriptor's; token {prompt}; nil: the descriptor's
	Moved   string   // slash path below HOME, without "~/", that the program was told to look for elsewhere; empty: none
	MovedTo string   // where
	Shim    []byte   // what stands in the place of the shim; nil: the shim
	Input   string   // JSON of that shell call's input, with the token {command} for the line; empty: the descriptor's
	Shell   string   // a shell line that the model wants to be run before it is done; empty: none
}

// Sight is what came of it.
type Sight struct {
	Exit     int
	Output   string // standard output and standard error
	Requests fakemodel.Log
	Calls    map[harness.Event]int // of handlers
	Home     []string              // files that the program wrote below HOME, slash paths with "~/" before them, sorted
	Moved    []string              // below Trial.MovedTo, relative slash paths, sorted
	Clone    []string              // in the clone, relative slash paths, sorted
}

// Observe runs the installed program once, as conform --real does: in a throwaway home, with the hooks of every event in its
// clone and a fake model behind it. c.Env may have variables that take it elsewhere. The error says why it could not be run.
func Observe(ctx context.Context, c Config, t Trial) (Sight, error) {
	s, err := c.subject()
	if err != nil {
		return Sight{}, err
	}
	if c.Program == nil {
		return Sight{}, errors.New("there is no program to observe")
	}
	ctx, cancel := context.WithTimeout(ctx, realLimit)
	defer cancel()
	w, err := newWorld(ctx, s, s.places()[0], kase{real: true})
	if err != nil {
		return Sight{}, err
	}
	defer w.close()
	w.argv, w.moved, w.movedTo = t.Argv, t.Moved, t.MovedTo
	if t.Shim != nil && w.row.Shim != nil {
		if err := os.WriteFile(filepath.Join(w.clone, filepath.FromSlash(w.row.Shim.Project)), t.Shim, 0o600); err != nil {
			return Sight{}, err
		}
	}
	if err := w.move(); err != nil {
		return Sight{}, err
	}
	return w.observe(t)
}

// move gives the program what stands for it in the directory that it is told to look for elsewhere: hooks of the user's level.
func (w *world) move() error {
	from := filepath.Join(w.home(), filepath.FromSlash(w.moved))
	if _, err := os.Stat(from); w.moved == "" || err != nil {
		return nil
	}
	return os.CopyFS(w.movedTo, os.DirFS(from))
}

func (w *world) observe(t Trial) (Sight, error) {
	steps := []fakemodel.Step{fakemodel.Say("done")}
	if t.Shell != "" {
		call := w.shellCall(t.Shell)
		if t.Input != "" {
			call.Calls[0].Input = json.RawMessage(filledJSON(json.RawMessage(t.Input), map[string]string{"command": harness.Quoted(t.Shell)}))
		}
		steps = append([]fakemodel.Step{call}, steps...)
	}
	r, err := w.startReal(fakemodel.Steps(steps...))
	if err != nil {
		return Sight{}, err
	}
	before := append(filesBelow(w.home(), w.clone), filesBelow(t.MovedTo, "")...)
	if err := w.ask(r, said, ""); err != nil {
		return Sight{}, err
	}
	s := Sight{Exit: r.exit, Output: r.output.String(), Requests: r.requests(), Calls: map[harness.Event]int{}}
	for _, b := range w.row.Events {
		s.Calls[b.Event] = len(w.board.calls(string(b.Event)))
	}
	s.Home = relative(w.home(), "~/", newFiles(before, filesBelow(w.home(), w.clone)))
	s.Moved = relative(t.MovedTo, "", newFiles(before, filesBelow(t.MovedTo, "")))
	s.Clone = relative(w.clone, "", filesBelow(w.clone, ""))
	return s, nil
}

// filesBelow are the files, sockets and empty directories below a directory, without those below another.
func filesBelow(dir, without string) (files []string) {
	if dir == "" {
		return nil
	}
	filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return nil // gone meanwhile
		case path == without:
			return fs.SkipDir
		case !d.IsDir() || path != dir && empty(path):
			files = append(files, path)
		}
		return nil
	})
	return files
}

func empty(dir string) bool {
	entries, err := os.ReadDir(dir)
	return err == nil && len(entries) == 0
}

func newFiles(before, after []string) []string {
	return slices.DeleteFunc(after, func(path string) bool { return slices.Contains(before, path) })
}

func relative(dir, prefix string, files []string) (all []string) {
	for _, path := range files {
		all = append(all, prefix+filepath.ToSlash(strings.TrimPrefix(path, dir+string(filepath.Separator))))
	}
	slices.Sort(all)
	return all
}
