package usage

import (
	"bytes"
	"runtime"
	"sync"

	"github.com/lorimer-dev/lorimer/internal/gremlin/record"
	"github.com/lorimer-dev/lorimer/internal/gremlin/store"
)

// mostWorkers read a ledger at once: more would only wait for the memory.
const mostWorkers = 8

// mostBad is of how many bad lines the numbers are told.
const mostBad = 20

// Read adds up the ledger at path. A ledger that is not there is empty.
func Read(path string, q Query) (Report, error) {
	workers := make([]worker, min(runtime.GOMAXPROCS(0), mostWorkers))
	for i := range workers {
		workers[i].sums = newSums(q)
	}
	var mu sync.Mutex
	var found []chunk
	torn, err := store.Parts(path, len(workers), func(w int, p store.Part) error {
		got := workers[w].part(p.Lines)
		mu.Lock()
		defer mu.Unlock()
		for len(found) <= p.N {
			found = append(found, chunk{})
		}
		found[p.N] = got
		return nil
	})
	sum := workers[0].sums
	for _, w := range workers[1:] {
		sum.join(w.sums)
	}
	r := sum.report()
	r.gather(found)
	r.Torn = record.Or(string(torn))
	return r, err
}

// worker adds up the parts that it gets.
type worker struct{ sums *sums }

// chunk is what is to be put together again in the order of the lines.
type chunk struct {
	lines    int
	bad      int
	badLines []int // from 1, in the part
	calls    []record.Result
}

func (w *worker) part(lines []byte) (p chunk) {
	for len(lines) > 0 {
		i := bytes.IndexByte(lines, '\n')
		p.lines++
		if i > 0 {
			w.line(lines[:i], &p)
		}
		lines = lines[i+1:]
	}
	return p
}

func (w *worker) line(line []byte, p *chunk) {
	e, ok := parse(line)
	switch {
	case !ok:
		p.bad++
		if len(p.badLines) < mostBad {
			p.badLines = append(p.badLines, p.lines)
		}
	case w.sums.wants(&e):
		w.sums.add(&e)
		if !w.sums.query.Sums {
			r, _ := decode(line)
			p.calls = append(p.calls, r)
		}
	}
}

// gather puts the parts together.
func (r *Report) gather(parts []chunk) {
	before := 0
	for _, p := range parts {
		r.Bad += p.bad
		for _, n := range p.badLines {
			if len(r.BadLines) < mostBad {
				r.BadLines = append(r.BadLines, before+n)
			}
		}
		r.calls = append(r.calls, p.calls...)
		before += p.lines
	}
}
