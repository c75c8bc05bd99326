package gate

import (
	"path/filepath"
	"strings"
)

// Overlay is a rendered gate in a place: what has to be written, and with what the agent is started so that the gate is
// loaded and wins over the user's and the project's config.
type Overlay struct {
	Dir   string   // where the files lie
	Files []File   // none where the command line or a variable says everything
	Argv  []string // words behind the program, before all others
	Env   []string // NAME=value
	gate  *Gate
}

// File is one file of an overlay.
type File struct {
	Path string // absolute, or as Dir is
	Text []byte // as it is where there is no file yet
	doc  int
	tree tree
}

// Overlay renders the gate for a directory. For an agent whose gate has a place among its own files (Gate.Dir) it has to be
// that directory, wherever the session's is.
func (g *Gate) Overlay(unlocked []string, dir string) (Overlay, error) {
	c, err := g.Render(unlocked)
	if err != nil {
		return Overlay{}, err
	}
	return c.In(dir), nil
}

// In puts a rendered gate into a directory.
func (c *Config) In(dir string) Overlay {
	o := Overlay{Dir: dir, gate: c.gate}
	for i, f := range c.gate.Files {
		t := c.trees[i]
		if t == nil {
			continue
		}
		path := filepath.Join(dir, filepath.FromSlash(f.Path))
		if f.Path != "" {
			o.Files = append(o.Files, File{Path: path, Text: c.text(i), doc: i, tree: t})
		}
		tokens := strings.NewReplacer("{file}", path, "{dir}", dir, "{text}", scalar(t))
		for _, a := range f.Argv {
			o.Argv = append(o.Argv, tokens.Replace(a))
		}
		for _, e := range f.Env {
			o.Env = append(o.Env, tokens.Replace(e))
		}
	}
	o.Argv = append(o.Argv, c.words...)
	return o
}

// text is a document as it stands where nothing was before.
func (c *Config) text(i int) []byte {
	if c.gate.Files[i].Format == "yaml" {
		return append([]byte(Header), yamlText(c.trees[i])...)
	}
	return encoded(c.trees[i], "  ")
}
