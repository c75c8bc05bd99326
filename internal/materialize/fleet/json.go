package fleet

import (
	"encoding/json"

	"github.com/lorimer-dev/lorimer/internal/agree"
	"github.com/lorimer-dev/lorimer/internal/materialize"
)

// jsonReport is for programs: one document, when all is done.
type jsonReport struct {
	*Command
	doc document
}

type document struct {
	Dispatcher dispatcherDoc `json:"dispatcher"`
	Clones     []cloneDoc    `json:"clones"`
}

// dispatcherDoc is the program that hooks start.
type dispatcherDoc struct {
	Path    string `json:"path"`
	Differs bool   `json:"differs"` // was (check: is) missing or of another version
}

type cloneDoc struct {
	Clone     string                `json:"clone"` // as given
	Root      string                `json:"root,omitempty"`
	Status    string                `json:"status"` // same | changed | differs (check, --dry-run) | failed
	Changes   []changeDoc           `json:"changes"`
	Harnesses []materialize.Harness `json:"harnesses"`
	Commands  []materialize.Program `json:"commands"` // that were not agreed to before: they run from now on
	Trust     []agree.Difference    `json:"trust"`    // all that is agreed to by this run: what is new, changed and gone
	Warnings  []string              `json:"warnings"`
	Untrusted bool                  `json:"untrusted"` // check, --dry-run: the hooks were not agreed to on this machine
	Portable  bool                  `json:"portable"`  // the agents' files are ones that can be committed
	Kept      []string              `json:"kept"`
	Error     string                `json:"error,omitempty"`
}

type changeDoc struct {
	Path   string `json:"path"`
	Action string `json:"action"` // create | update | remove
	Backup string `json:"backup,omitempty"`
	Diff   string `json:"diff"`
}

func (r *jsonReport) dispatcher(string) { r.doc.Dispatcher.Differs = true }

func (r *jsonReport) clone(clone string, x Result) {
	d := cloneDoc{
		Clone: clone, Status: r.status(x), Changes: []changeDoc{}, Harnesses: []materialize.Harness{},
		Commands: []materialize.Program{}, Trust: []agree.Difference{}, Warnings: []string{}, Kept: []string{},
	}
	if x.Err != nil {
		d.Error = x.Err.Error()
	} else {
		d.Root, d.Untrusted, d.Portable = x.Root, x.Untrusted && !r.writes(), x.Portable
		d.Harnesses = append(d.Harnesses, x.Harnesses...)
		d.Commands, d.Trust = append(d.Commands, x.Commands...), append(d.Trust, x.Differences...)
		d.Warnings, d.Kept = append(d.Warnings, x.Warnings...), append(d.Kept, x.Kept...)
		for _, c := range x.All() {
			d.Changes = append(d.Changes, changeDoc{c.Path, c.Verb(), c.Backup(), string(c.Diff())})
		}
	}
	r.doc.Clones = append(r.doc.Clones, d)
}

func (r *jsonReport) status(x Result) string {
	switch {
	case x.Err != nil:
		return "failed"
	case x.Clean():
		return "same"
	case r.writes():
		return "changed"
	}
	return "differs"
}

func (r *jsonReport) end([]string) error {
	r.doc.Dispatcher.Path = r.Options.Dispatcher()
	enc := json.NewEncoder(r.Stdout)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(r.doc)
}
