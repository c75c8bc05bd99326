package splice

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
)

// Any stands in File.At for every key.
const Any = ""

// File is a document to edit and the rule that tells our entries from others'.
type File struct {
	Name string   // for messages
	Src  []byte   // empty when there is no file yet
	At   []string // keys from the root to the arrays that hold entries; Any stands for every key
	// Mine judges one element of such an array, given as it stands in the file.
	Mine func(element []byte) Claim
	// Force takes entries that someone else changed for ours.
	Force bool
}

// Claim is whose an element is.
type Claim int

const (
	Foreign Claim = iota // not ours: never touched
	Ours                 // ours, and says what we wrote
	Edited               // ours, and someone changed it
)

// Entry is a value that is to stand in the array at a path that fits File.At.
type Entry struct {
	At    []string
	Value []byte // JSON
}

// Result is what Put made.
type Result struct {
	Src    []byte   // the new text; equal to the old one when nothing had to be done
	Undo   []Origin // to be given to the next Put
	Forced bool     // File.Force made a difference: the old text holds something that the new one lacks
}

// Put returns the text in which exactly the wanted entries of ours stand: those that are there already stay where they are,
// others are changed in place, taken out, or added behind the last element. undo is what the last Put returned.
//
// It fails with *Error where the document cannot be edited safely and with *EditedError where an entry of ours was changed.
func Put(f File, want []Entry, undo []Origin) (Result, error) {
	mark, text := cutBOM(f.Src)
	d := &doc{file: f.Name, undo: slices.Clone(undo)}
	if err := d.set(text); err != nil {
		return Result{}, err
	}
	old := *d
	p, err := f.plan(d, want)
	if err != nil {
		return Result{}, err
	}
	if err := p.run(d); err != nil {
		return Result{}, err
	}
	union := append(slices.Clone(d.undo), undo...)
	if err := d.prune(); err != nil {
		return Result{}, err
	}
	if f.foreign(&old, union) != f.foreign(d, union) {
		return Result{}, fmt.Errorf("%s: the edit would have changed something that is not lorimer's; nothing was written; "+
			"this is a fault of lorimer, please report it", f.Name)
	}
	d.tidy(f.scan(d))
	out := append(append([]byte{}, mark...), d.text...) // never nil, which would mean that there is no file
	return Result{Src: out, Undo: d.undo, Forced: p.forced}, nil
}

func cutBOM(src []byte) (mark, text []byte) {
	if rest, ok := bytes.CutPrefix(src, bom); ok {
		return bom, rest
	}
	return nil, src
}

// plan is what has to be done, in the order in which positions stay valid.
type plan struct {
	replace, remove []hit
	with            []Entry // with[i] goes in place of replace[i]
	add             []Entry
	forced          bool
}

// plan compares what stands there with what is wanted, array by array.
func (f File) plan(d *doc, want []Entry) (plan, error) {
	var p plan
	hits := f.scan(d)
	for _, h := range hits {
		if _, err := d.follow(h.at, true); err != nil {
			return p, err // a double key: which of the two a host takes is anyone's guess
		}
	}
	wanted := slices.Clone(want)
	// First pair the equal ones, so that the second pass does not rewrite an entry that only stands in another order.
	hits = slices.DeleteFunc(hits, func(h hit) bool {
		i := slices.IndexFunc(wanted, func(e Entry) bool { return slices.Equal(e.At, h.at) && Equal(e.Value, h.value) })
		if i >= 0 {
			wanted = slices.Delete(wanted, i, i+1)
		}
		return i >= 0
	})
	for _, h := range hits {
		if err := p.allow(f, d, h); err != nil {
			return p, err
		}
		if i := slices.IndexFunc(wanted, func(e Entry) bool { return slices.Equal(e.At, h.at) }); i >= 0 {
			p.replace, p.with = append(p.replace, h), append(p.with, wanted[i])
			wanted = slices.Delete(wanted, i, i+1)
			continue
		}
		p.remove = append(p.remove, h)
	}
	slices.Reverse(p.remove)
	p.add = wanted
	return p, nil
}

// allow says whether the element may be replaced or removed.
func (p *plan) allow(f File, d *doc, h hit) error {
	if h.claim == Ours && !hasComment(h.value) {
		return nil
	}
	if f.Force {
		p.forced = true
		return nil
	}
	return &EditedError{d.errorAt(h.start, "this entry is lorimer's and was changed by someone else", "",
		"move what was added into an entry of your own, or give --force, which keeps a copy of the file")}
}

func (p plan) run(d *doc) error {
	for i, h := range p.replace {
		if err := d.replace(h, p.with[i].Value); err != nil {
			return err
		}
	}
	for _, h := range p.remove {
		if err := d.remove(h.at, h.index); err != nil {
			return err
		}
	}
	for _, e := range p.add {
		if err := d.add(e.At, e.Value); err != nil {
			return err
		}
	}
	return nil
}

// replace changes an element in place.
func (d *doc) replace(h hit, value []byte) error {
	t, err := d.follow(h.at, true)
	if err != nil {
		return err
	}
	it := t.last().items[h.index]
	st := d.styleOf()
	if !hasBreak(d.text[it.start:it.end]) {
		st.newline = ""
	}
	text, err := render(value, st, d.indentAt(it.start))
	if err != nil {
		return err
	}
	return d.apply(edit{it.start, it.end, strings.TrimSpace(text)})
}
