package descriptor

import (
	"path"
	"slices"
	"strings"
	"time"

	"github.com/lorimer-dev/lorimer/internal/lazyre"
)

var (
	idForm       = lazyre.Pattern{Expr: `^[a-z][a-z0-9]*(-[a-z0-9]+)*$`}
	homepageForm = lazyre.Pattern{Expr: `^https://[^\s/]+(/\S*)?$`}
)

// identity checks who the descriptor says it is.
func (k *checker) identity() {
	d := k.d
	switch file := strings.TrimSuffix(path.Base(d.File), ".yaml"); {
	case d.ID.Text == "":
	case !idForm.Re().MatchString(d.ID.Text):
		k.want(d.ID.Pos, "lower-case letters, digits and single hyphens, a letter first", "id is %q", d.ID.Text)
	case d.ID.Text != file:
		k.want(d.ID.Pos, file, "id is %q, but the file is %s", d.ID.Text, path.Base(d.File))
	}
	if n := k.Top("name"); n != nil && n.Tag == "!!str" && n.Value == "" {
		k.mend(d.Name.Pos, "write what people call it", "name is empty")
	}
	if d.Family.Set() && !idForm.Re().MatchString(d.Family.Text) {
		k.want(d.Family.Pos, "an id", "family is %q", d.Family.Text)
	}
	if d.Homepage.Set() && !homepageForm.Re().MatchString(d.Homepage.Text) {
		k.want(d.Homepage.Pos, "an https:// URL", "homepage is %q", d.Homepage.Text)
	}
	for _, x := range d.Certified {
		k.date(x.Date)
	}
	for _, x := range d.Notes {
		k.date(x.Date)
	}
}

func (k *checker) date(s Str) {
	if _, err := time.Parse(time.DateOnly, s.Text); s.Text != "" && err != nil {
		k.want(s.Pos, "YYYY-MM-DD", "date is %q", s.Text)
	}
}

// kind is what a descriptor is by the section that it has.
type kind struct {
	section string // "" = neither shim nor hooks
	who     string // in faults
	needs   []string
	without []string // what means nothing in it
}

var kinds = []kind{
	{"shim", "a generative descriptor", []string{"events"}, []string{"payload", "polarity", "speaker", "also_reads", "answers"}},
	{"hooks", "an external descriptor", []string{"events", "payload"}, []string{"companions"}},
	{"", "a descriptor with neither shim nor hooks", nil,
		[]string{"events", "payload", "polarity", "speaker", "also_reads", "answers", "tools", "limits", "companions", "fake", "trust"}},
}

// kind checks that the descriptor is generative, external or bare, and has no section of another kind.
func (k *checker) kind() {
	if k.Top("shim") != nil && k.Top("hooks") != nil {
		k.want(k.d.ID.Pos, "one of them: a host is joined by a module or by commands", "there is shim, and there is hooks")
		return
	}
	i := slices.IndexFunc(kinds, func(x kind) bool { return x.section == "" || k.Top(x.section) != nil })
	k.goesWith(kinds[i].section, kinds[i].needs...)
	k.without(kinds[i].who, kinds[i].without...)
}

// goesWith reports sections that one section cannot be without.
func (k *checker) goesWith(section string, keys ...string) {
	for _, key := range keys {
		if k.Top(key) == nil {
			k.mend(k.d.ID.Pos, "add it", "there is %s, but no %s", section, key)
		}
	}
}

// without reports sections that mean nothing in a descriptor of this kind.
func (k *checker) without(who string, keys ...string) {
	for i := 0; i+1 < len(k.Root().Content); i += 2 {
		key := k.Root().Content[i]
		for _, unwanted := range keys {
			if key.Value == unwanted {
				k.mend(Pos{Line: key.Line, Col: key.Column}, "take it out", "%s means nothing in %s", unwanted, who)
			}
		}
	}
}
