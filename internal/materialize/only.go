package materialize

import (
	"bytes"
	"path/filepath"
	"slices"

	"github.com/lorimer-dev/lorimer/internal/config"
	"github.com/lorimer-dev/lorimer/internal/harness"
	"github.com/lorimer-dev/lorimer/internal/materialize/clonefs"
	"github.com/lorimer-dev/lorimer/internal/owned"
	"github.com/lorimer-dev/lorimer/internal/plainfile"
)

// Which agents a clone serves, when the user names them on the command line, is remembered in its record, as where they have their
// hooks and whether their files are committed: a refresh must not bring in an agent that was left out, or take one away.

// DefaultAgents stands in Options.Only for what the configuration says, else what is found: what was remembered is forgotten.
const DefaultAgents = "default"

// pick settles Options.Only, and returns what the record is to say of it.
func (o *Options) pick(clone *clonefs.FS) (remember []string, err error) {
	src, err := readFile(clone, owned.Path)
	if err != nil {
		return nil, err
	}
	before := named(src)
	switch {
	case slices.Equal(o.Only, []string{DefaultAgents}):
		o.Only = nil
		return o.ifWritten(nil, before), nil
	case len(o.Only) > 0:
		return o.ifWritten(o.Only, before), nil
	case o.As != "":
		if o.Only, err = agentsOf(o.As); err != nil {
			return nil, err
		}
		other, _ := plainfile.Settings(filepath.Join(o.As, filepath.FromSlash(owned.Path))) // none names none
		return o.ifWritten(named(other), before), nil
	}
	o.Only = usable(before, o.Table)
	return before, nil
}

// Named returns the agents that were named for a clone last, of those in the table; none = nobody named any.
func Named(dir string, table []*harness.Harness) []string {
	src, _ := plainfile.Settings(filepath.Join(dir, filepath.FromSlash(owned.Path))) // none names none
	return usable(named(src), table)
}

// usable drops the ids that another version of lorimer knows.
func usable(ids []string, table []*harness.Harness) []string {
	known := config.IDs(config.Usable(table))
	return slices.DeleteFunc(slices.Clone(ids), func(id string) bool { return !slices.Contains(known, id) })
}

// ifWritten is what the record is to say: a plan that is only looked at changes nothing of it.
func (o *Options) ifWritten(now, before []string) []string {
	if o.writing {
		return now
	}
	return before
}

// named returns the agents that a record names. One that is damaged is spoken of where it is read for what it is.
func named(record []byte) []string {
	if !bytes.Contains(record, []byte(`"only"`)) {
		return nil
	}
	r, err := owned.Parse(record)
	if err != nil {
		return nil
	}
	if r.Next != nil {
		return r.Next.Only
	}
	return r.Only
}
