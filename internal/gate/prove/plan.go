package prove

import (
	"slices"
	"strings"

	"github.com/lorimer-dev/lorimer/internal/gate"
)

// lock is a set of features that are locked while all others are open, and the capabilities that only go with all of them.
type lock struct {
	features []string
	ids      []string
	gone     []string // every capability that is locked then
	alone    bool     // it changes what other capabilities can be seen to be
}

// locks finds for each capability the features that open it, and joins what is locked by the same ones; then what can be seen
// in one run is put into one.
func (p *proof) locks() ([]lock, error) {
	opens := map[string][]string{}
	for _, f := range p.Gate.Features() {
		c, err := p.Gate.Render([]string{f})
		if err != nil {
			return nil, err
		}
		for _, id := range c.Enabled() {
			opens[id] = append(opens[id], f)
		}
	}
	var all []lock
	for _, id := range p.ids {
		i := slices.IndexFunc(all, func(l lock) bool { return slices.Equal(l.features, opens[id]) })
		if i < 0 {
			i = len(all)
			all = append(all, lock{features: opens[id]})
		}
		all[i].ids = append(all[i].ids, id)
		all[i].alone = all[i].alone || strings.HasPrefix(id, "approvalMode:")
	}
	for i := range all {
		c, err := p.without(all[i].features)
		if err != nil {
			return nil, err
		}
		all[i].gone = minus(p.ids, c.Enabled())
	}
	return p.packed(all), nil
}

// without renders the gate with these features locked and all others open.
func (p *proof) without(features []string) (*gate.Config, error) {
	return p.Gate.Render(minus(p.Gate.Features(), features))
}

// packed joins locks as long as none hides what another is seen by. A run in which everything is locked would not show what a
// lock takes along, so such a one is made two.
func (p *proof) packed(all []lock) []lock {
	packs, half := p.joined(all), len(all)/2
	if half > 0 && slices.ContainsFunc(packs, func(l lock) bool { return len(minus(p.ids, l.gone)) == 0 }) {
		packs = append(p.joined(all[:half]), p.joined(all[half:])...)
	}
	return packs
}

func (p *proof) joined(all []lock) (packs []lock) {
	for _, l := range all {
		i := slices.IndexFunc(packs, func(other lock) bool {
			return !l.alone && !other.alone && !p.hides(l, other) && !p.hides(other, l)
		})
		if i < 0 {
			packs = append(packs, l)
			continue
		}
		packs[i].features = union(packs[i].features, l.features)
		packs[i].ids = append(packs[i].ids, l.ids...)
		packs[i].gone = append(packs[i].gone, l.gone...)
	}
	return packs
}

// hides says whether one lock takes away what a capability of the other is seen by.
func (p *proof) hides(a, b lock) bool {
	return slices.ContainsFunc(b.ids, func(id string) bool { return intersect(p.by(id), a.gone) })
}

// by are the capabilities without which another cannot be seen.
func (p *proof) by(id string) []string {
	name, probe := p.call(id)
	by := slices.Clone(probe.With)
	if via := "tool:" + name; via != id && slices.Contains(p.ids, via) {
		by = append(by, via)
	}
	return by
}

func minus(all, some []string) []string {
	return slices.DeleteFunc(slices.Clone(all), func(s string) bool { return slices.Contains(some, s) })
}

func union(a, b []string) []string { return append(a, minus(b, a)...) }

func intersect(a, b []string) bool {
	return slices.ContainsFunc(a, func(s string) bool { return slices.Contains(b, s) })
}
