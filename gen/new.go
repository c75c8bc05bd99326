package gen

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/lorimer-dev/lorimer/gen/descriptor"
	"github.com/lorimer-dev/lorimer/gen/plan"
	"github.com/lorimer-dev/lorimer/harnesses"
	"github.com/lorimer-dev/lorimer/internal/harness"
	"github.com/lorimer-dev/lorimer/internal/meant"
)

// New is `lorimer new`: a descriptor to begin with.
type New struct {
	ID     string
	Like   string // which template; Likes has them
	Name   string // what people call it; empty = the id
	Dir    string // where it is written
	DryRun bool   // print it instead
	Today  time.Time
	Stdout io.Writer
}

// Likes are the harnesses that there is a template of.
func Likes() (all []string) {
	files, _ := fs.Glob(harnesses.New, "new/*.yaml") // the pattern is well formed
	for _, f := range files {
		all = append(all, strings.TrimSuffix(strings.TrimPrefix(f, "new/"), ".yaml"))
	}
	return all
}

// Run writes the descriptor and says what to do with it. It never overwrites a file.
func (c New) Run() error {
	file := filepath.Join(c.Dir, c.ID+".yaml")
	text, kind, err := c.text(filepath.ToSlash(file))
	if err != nil {
		return err
	}
	if c.DryRun {
		_, err = io.WriteString(c.Stdout, text)
		return err
	}
	if err := create(file, text); err != nil {
		return err
	}
	fmt.Fprintf(c.Stdout, "%s is written, and valid. It is an example until you have measured what it says: look for MEASURE.\n\n", file)
	fmt.Fprintf(c.Stdout, "  lorimer validate %s\n", file)
	if kind == harness.Generative {
		_, err = fmt.Fprintf(c.Stdout, "  lorimer conform %s --harness-dir %s\n  lorimer materialize --harness-dir %[2]s --harness %[1]s   # hook the agent itself\n", c.ID, c.Dir)
	} else {
		_, err = fmt.Fprintf(c.Stdout, "\nIts payloads are read by the dispatcher, so conform and materialize need a lorimer that has it built in: put it\ninto harnesses/ of lorimer's sources, `make generate build`, and use bin/lorimer.\n")
	}
	return err
}

// text is the template, filled in, as a descriptor without faults.
func (c New) text(file string) (string, harness.Kind, error) {
	src, err := fs.ReadFile(harnesses.New, "new/"+c.Like+".yaml")
	if err != nil {
		return "", "", fmt.Errorf("there is no template like %q; expected one of %s%s", c.Like, strings.Join(Likes(), ", "), meant.Ending(c.Like, Likes()))
	}
	if !validID(c.ID) {
		return "", "", fmt.Errorf("the id %q cannot be used; expected lower-case letters, digits and single hyphens, a letter first", c.ID)
	}
	name := c.Name
	if name == "" {
		name = c.ID
	}
	text := strings.NewReplacer("{{ID}}", c.ID, "{{NAME}}", harness.Quoted(name), "{{DATE}}", c.Today.Format(time.DateOnly),
		"{{VARIABLE}}", strings.ToUpper(strings.ReplaceAll(c.ID, "-", "_"))).Replace(string(src))
	d, err := descriptor.LoadFile(file, []byte(text))
	if err != nil {
		return "", "", fmt.Errorf("what the template gives is not valid: %w", err)
	}
	p, err := plan.Build([]*descriptor.Descriptor{d})
	if err != nil {
		return "", "", err
	}
	return text, p.Harnesses[0].Kind, nil
}

// validID says whether a text can be an id: the loader says the same of the file that it is put into.
func validID(id string) bool {
	parts := strings.Split(id, "-")
	return id != "" && id[0] >= 'a' && id[0] <= 'z' && !slices.Contains(parts, "") &&
		strings.Trim(id, "abcdefghijklmnopqrstuvwxyz0123456789-") == ""
}

func create(file, text string) error {
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		return err
	}
	f, err := os.OpenFile(file, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("%s is there already, and is not overwritten; take another id, or another --dir", file)
	}
	if err != nil {
		return err
	}
	_, err = f.WriteString(text)
	return errors.Join(err, f.Close())
}
