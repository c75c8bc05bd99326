package descriptor

import (
	"slices"
	"strings"

	"github.com/lorimer-dev/lorimer/internal/meant"
	"github.com/lorimer-dev/lorimer/internal/strictyaml"
)

// checkNeighbours finds what descriptors say of each other that is not so. ids are those of all files, also of the ones
// that could not be loaded.
func checkNeighbours(all []*Descriptor, ids []string) (faults strictyaml.Faults) {
	byID := map[string]*Descriptor{}
	for _, d := range all {
		byID[d.ID.Text] = d
	}
	for _, d := range all {
		for _, id := range before(d) {
			if slices.Contains(ids, id.Text) {
				continue
			}
			f := strictyaml.At(d.File, id.Pos, "detect.before names %q, but there is no such descriptor", id.Text)
			f.Expected, f.Hint = "one of "+strings.Join(ids, ", "), meant.DidYouMean(id.Text, ids)
			faults = append(faults, f)
		}
	}
	return append(faults, checkCycles(all, byID)...)
}

func before(d *Descriptor) []Str {
	if d.Detect == nil {
		return nil
	}
	return d.Detect.Before
}

// checkCycles: when two harnesses must each be asked before the other, neither can be first.
func checkCycles(all []*Descriptor, byID map[string]*Descriptor) (faults strictyaml.Faults) {
	const visiting, done = 1, 2
	state := map[string]int{}
	var way []string
	var visit func(d *Descriptor)
	visit = func(d *Descriptor) {
		id := d.ID.Text
		state[id] = visiting
		way = append(way, id)
		for _, next := range before(d) {
			switch other := byID[next.Text]; {
			case other == nil:
			case state[next.Text] == visiting:
				loop := append(slices.Clone(way[slices.Index(way, next.Text):]), next.Text)
				f := strictyaml.At(d.File, next.Pos, "detect.before goes round in a circle: %s", strings.Join(loop, " before "))
				f.Hint = "take one of them out"
				faults = append(faults, f)
			case state[next.Text] != done:
				visit(other)
			}
		}
		way = way[:len(way)-1]
		state[id] = done
	}
	for _, d := range all {
		if state[d.ID.Text] == 0 {
			visit(d)
		}
	}
	return faults
}
