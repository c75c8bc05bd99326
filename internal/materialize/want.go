package materialize

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/lorimer-dev/lorimer/internal/config"
	"github.com/lorimer-dev/lorimer/internal/harness"
	"github.com/lorimer-dev/lorimer/internal/manifest"
	"github.com/lorimer-dev/lorimer/internal/materialize/clonefs"
	"github.com/lorimer-dev/lorimer/internal/meant"
	"github.com/lorimer-dev/lorimer/internal/plainfile"
	"github.com/lorimer-dev/lorimer/internal/splice"
	"github.com/lorimer-dev/lorimer/internal/strictyaml"
	"github.com/lorimer-dev/lorimer/internal/userlevel"
)

// dir is our own directory in a clone.
const dir = ".lorimer"

const (
	manifestPath = dir + "/manifest.json"
	ignorePath   = dir + "/.gitignore"
	backupDir    = dir + "/backup"
)

// want is what should stand in a clone.
type want struct {
	wholes     []whole
	companions []whole
	groups     []groups
	harnesses  []Harness
	warnings   []string
	manifest   []byte
	compiled   manifest.Manifest // the same, decoded
	user       userlevel.Needs   // of the clone, in the user's own files
	only       []string          // agents that the user named
}

// whole is a file that is ours alone.
type whole struct {
	path, harness string
	data          []byte
	keep          clonefs.Keep
	ours          func([]byte) bool // tells a file of ours when the record does not; may be nil
}

// groups are our entries in one file that is the user's.
type groups struct {
	path, harness string
	keys          []string
	entries       []splice.Entry
}

// Harness is what a plan does for one harness.
type Harness struct {
	ID      string          `json:"id"`
	Name    string          `json:"name"`
	File    string          `json:"file"`              // that holds the shim or the hooks; the user's own begins with "~/"
	Events  []harness.Event `json:"events"`            // hooked, in the harness's own order; none = nothing is written for it
	Brought []harness.Event `json:"brought,omitempty"` // of Events: those that no handler wants, and that another one of them needs
	Itself  bool            `json:"itself"`            // it runs the hooks by itself, from its own files
	Restart bool            `json:"restart"`           // a running one notices nothing
	Trust   string          `json:"trust,omitempty"`   // what the user has to do before the host runs the hooks in File

	Commands []string `json:"-"` // that start our hooks in it, where the host has a hook config
}

// wanted renders everything that should stand in the clone.
func (o *Options) wanted(clone *clonefs.FS) (want, error) {
	if err := o.notNewer(clone); err != nil {
		return want{}, err
	}
	only, err := o.pick(clone)
	if err != nil {
		return want{}, err
	}
	c, source, err := o.load(clone)
	if err != nil {
		return want{}, err
	}
	picked, err := c.Select(o.Table, func(h *harness.Harness) bool { return o.found(h, clone) })
	if err != nil {
		return want{}, err
	}
	o.portable = o.isPortable(clone)
	w := want{only: only}
	if w.warnings, err = c.Fit(picked); err != nil {
		return want{}, err
	}
	w.warnings = append(w.warnings, missingPrograms(c, clone)...)
	before := userlevel.Of(o.Home, clone.Dir)
	for _, h := range picked {
		if err := o.render(&w, c, h, clone.Dir, before); err != nil {
			return want{}, fmt.Errorf("%s: %w", h.ID, err)
		}
		if row := w.harnesses[len(w.harnesses)-1]; h.Shim != nil && row.File == path.Clean(h.Shim.Project) {
			w.addCompanions(h, clone, o.usersHome())
		}
	}
	m := c.Manifest(source, picked)
	w.manifest, w.compiled = m.Encode(), m
	w.wholes = append([]whole{{path: ignorePath, data: []byte("*\n")}}, w.wholes...)
	w.wholes = append(w.wholes, whole{path: manifestPath, data: w.manifest, keep: clonefs.Durable})
	return w, nil
}

// load reads the configuration. source is how the manifest names the file.
func (o *Options) load(clone *clonefs.FS) (c *config.Config, source string, err error) {
	known := config.IDs(config.Usable(o.Table))
	if c, source, err = o.configuration(clone, known); err != nil {
		return nil, "", err
	}
	if len(o.Only) == 0 {
		return c, source, nil
	}
	c.Harnesses = nil
	for _, id := range o.Only {
		if slices.Contains(config.Recognised(o.Table), id) {
			return nil, "", fmt.Errorf("%s; expected one of %s", config.NotHooked(id), strings.Join(known, ", "))
		}
		if !slices.Contains(known, id) {
			return nil, "", fmt.Errorf("unknown harness %q; expected one of %s%s", id, strings.Join(known, ", "),
				meant.Ending(id, known))
		}
		c.Harnesses = append(c.Harnesses, strictyaml.Str{Text: id})
	}
	return c, source, nil
}

// configuration reads the clone's lorimer.yaml or the one that was named; without any, the hooks that stand in the clone in
// a host's own files.
func (o *Options) configuration(clone *clonefs.FS, known []string) (*config.Config, string, error) {
	name, src, source, err := o.read(clone)
	if err != nil {
		return nil, "", err
	}
	if src != nil {
		c, err := config.Load(name, src, known, config.Recognised(o.Table)...)
		return c, source, err
	}
	c, err := config.InPlace(o.Table, o.places(clone), func(path string) ([]byte, error) { return readSource(clone, path) }, startsDispatcher)
	if c == nil && err == nil {
		err = fmt.Errorf("%s: there is none in %s, and no hooks in %s; write one with `version: 1` and your handlers, or name another with --config FILE",
			config.FileName, clone.Dir, strings.Join(config.NativeFiles(o.Table), " or "))
	}
	return c, "", err
}

// read returns the lorimer.yaml that counts; nil bytes when the clone has none and none was named.
func (o *Options) read(clone *clonefs.FS) (name string, src []byte, source string, err error) {
	if o.Config == "" {
		src, err = readFile(clone, config.FileName)
		return config.FileName, src, config.FileName, err
	}
	abs, err := filepath.Abs(o.Config)
	if err != nil {
		return "", nil, "", err
	}
	src, err = plainfile.Settings(abs)
	if rel, relErr := filepath.Rel(clone.Dir, abs); relErr == nil && filepath.IsLocal(rel) {
		abs = rel
	}
	return o.Config, src, filepath.ToSlash(abs), err
}

// readFile reads a file of the clone; nil when there is none.
func readFile(clone *clonefs.FS, path string) ([]byte, error) {
	real, err := clone.Resolve(path)
	if err != nil {
		return nil, err
	}
	src, _, err := clone.Read(real)
	return src, err
}

// afterwards returns the manifest's bytes with its sources as they are when the plan was carried out: entries of ours may go
// from a file that is one.
func (p *planner) afterwards(m manifest.Manifest) []byte {
	m.Sources = slices.Clone(m.Sources)
	for i, s := range m.Sources {
		for _, c := range p.Changes {
			if c.Path == s.Path {
				m.Sources[i] = s.As(c.New)
			}
		}
	}
	return m.Encode()
}

// missingPrograms warns of handlers whose program is a file of the clone's that is not there: they would fail at every event.
func missingPrograms(c *config.Config, clone *clonefs.FS) []string {
	var warnings []string
	for i := range c.Handlers {
		h := &c.Handlers[i]
		if !h.On() || len(h.Argv) == 0 || !strings.ContainsAny(h.Argv[0].Text, `/\`) || filepath.IsAbs(h.Argv[0].Text) {
			continue
		}
		program := h.Argv[0].Text
		if strings.Contains(program, "${") {
			continue
		}
		if _, err := os.Stat(filepath.Join(clone.Dir, program)); errors.Is(err, fs.ErrNotExist) {
			warnings = append(warnings, NoProgram(h.Name.Text, program))
		}
	}
	return warnings
}

// NoProgram is the warning of a handler whose program is not there.
func NoProgram(handler, program string) string {
	return fmt.Sprintf("handler %q: %s does not exist in the clone", handler, program)
}
