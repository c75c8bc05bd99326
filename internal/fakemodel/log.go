package fakemodel

import (
	"slices"
	"strings"
)

// Log is a list of requests in the order in which they came.
type Log []Request

// Text returns all that the model has read, request by request.
func (l Log) Text() string {
	var b strings.Builder
	for _, r := range l {
		b.WriteString(r.Text())
		b.WriteByte('\n')
	}
	return b.String()
}

// First returns the first request whose text contains s, and false when the model has never read it.
func (l Log) First(s string) (Request, bool) {
	i := slices.IndexFunc(l, func(r Request) bool { return strings.Contains(r.Text(), s) })
	if i < 0 {
		return Request{}, false
	}
	return l[i], true
}

// Results returns what the tools answered: one part a call, in the order in which the model first read them, with the
// tool's name filled in. Agents send the whole conversation each time; a result that comes again is not listed again.
func (l Log) Results() []Part {
	names := map[string]string{}
	seen := map[string]bool{}
	var out []Part
	for _, r := range l {
		for _, c := range r.parts(Called) {
			names[c.ID] = c.Name
		}
		for _, p := range r.parts(Result) {
			if !seen[p.ID] {
				seen[p.ID] = true
				p.Name = names[p.ID]
				out = append(out, p)
			}
		}
	}
	return out
}

// Tools returns the tool names that were ever offered, sorted.
func (l Log) Tools() []string {
	var out []string
	for _, r := range l {
		out = append(out, r.Tools...)
	}
	slices.Sort(out)
	return slices.Compact(out)
}
