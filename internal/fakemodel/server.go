package fakemodel

import (
	"compress/gzip"
	"context"
	"crypto/rand"
	"encoding/hex"
	"fmt"
	"io"
	"net"
	"net/http"
	"slices"
	"sync"
	"time"
)

// maxBody bounds what is read of one request, in bytes. Agents send some hundred kilobytes.
const maxBody = 256 << 20

// Server is a running model server. Its methods may be called from any goroutine.
type Server struct {
	script Script
	http   http.Server
	url    string
	cache  *Cache // nil = nothing is cached
	every  bool   // a request without tools is a turn, too
	nonce  string // makes ids unique among servers, since a resumed conversation carries the ids of an earlier one

	mu      sync.Mutex
	log     Log
	turns   int
	changed chan struct{} // closed and replaced whenever the log grows
}

// Start listens on a free port of 127.0.0.1 and serves until Close. A nil script says nothing.
func Start(script Script) (*Server, error) {
	if script == nil {
		script = Steps()
	}
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("fake model: %w (is the loopback interface up?)", err)
	}
	s := &Server{script: script, url: "http://" + ln.Addr().String(), nonce: nonce(), changed: make(chan struct{})}
	s.http.Handler = http.HandlerFunc(s.serve)
	go s.http.Serve(ln)
	return s, nil
}

func nonce() string {
	b := make([]byte, 4)
	rand.Read(b)
	return hex.EncodeToString(b)
}

// URL is the server's base URL, without a path and without a final slash. Anthropic clients take it as it is, OpenAI
// clients want "/v1" behind it.
func (s *Server) URL() string { return s.url }

// UseCache has the server bill as one with a cache does. Call it before the first request.
func (s *Server) UseCache(c *Cache) { s.cache = c }

// UseEveryRequest makes a request without tools a turn of the conversation, too: for an agent that has been left without any.
// Call it before the first request.
func (s *Server) UseEveryRequest() { s.every = true }

// Close drops all connections, the held ones too, and frees the port. It may be called twice.
func (s *Server) Close() error { return s.http.Close() }

// Requests returns the requests that the script answered: those of the conversation. The result is the caller's own.
func (s *Server) Requests() Log {
	return slices.DeleteFunc(s.All(), func(r Request) bool { return r.Turn == 0 })
}

// All returns every request, also those for titles, token counts and unknown paths.
func (s *Server) All() Log {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.log)
}

// Wait returns when the conversation's log satisfies until, which is tested now and after each request. It returns an error
// that tells what has come when ctx ends first.
func (s *Server) Wait(ctx context.Context, until func(Log) bool) error {
	for {
		s.mu.Lock()
		changed := s.changed
		s.mu.Unlock()
		if until(s.Requests()) {
			return nil
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return fmt.Errorf("fake model: waited in vain, after %d requests (%d of the conversation): %w", len(s.All()), len(s.Requests()), ctx.Err())
		}
	}
}

// serve logs one request and answers it.
func (s *Server) serve(w http.ResponseWriter, hr *http.Request) {
	body, err := readBody(hr)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	r := Request{Time: time.Now(), Method: hr.Method, Path: hr.URL.Path, Header: hr.Header, Body: body}
	d := dialectOf(r)
	if d == nil {
		s.record(&r, false)
		other(w, r)
		return
	}
	r.Dialect = d.name
	if err := d.decode(body, &r); err != nil {
		s.record(&r, false)
		d.fail(w, http.StatusBadRequest, "fake model: cannot read this "+d.name+" request: "+err.Error())
		return
	}
	step := s.record(&r, s.every || len(r.Tools) > 0)
	if wait(hr.Context(), step) {
		s.answer(w, d, r, step)
	}
}

// record appends r to the log and returns what to answer. A request without tools is no turn of an agent (it asks for a
// title, or whether the key works) and uses up no step.
func (s *Server) record(r *Request, turn bool) Step {
	s.mu.Lock()
	defer s.mu.Unlock()
	step := Say("ok")
	r.N = len(s.log) + 1
	if turn {
		s.turns++
		r.Turn = s.turns
		step = s.script(*r)
	}
	s.log = append(s.log, *r)
	close(s.changed)
	s.changed = make(chan struct{})
	return step
}

// wait holds the answer back as the step says, and reports false when the connection was closed meanwhile, by either side.
func wait(ctx context.Context, step Step) bool {
	timer := time.NewTimer(step.Delay)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-ctx.Done():
		return false
	}
	if step.Until == nil {
		return true
	}
	select {
	case <-step.Until:
		return true
	case <-ctx.Done():
		return false
	}
}

func (s *Server) answer(w http.ResponseWriter, d *dialect, r Request, step Step) {
	if step.Error == "" {
		step.Error = http.StatusText(step.Status)
	}
	if step.Status != 0 && !(step.Late && r.Stream && d == anthropic) {
		for name, value := range step.Header {
			w.Header().Set(name, value)
		}
		d.fail(w, step.Status, step.Error)
		return
	}
	a, err := s.reply(r, step)
	if err != nil {
		d.fail(w, http.StatusInternalServerError, err.Error())
		return
	}
	if r.Stream {
		d.stream(&events{w: w}, a)
		return
	}
	writeJSON(w, http.StatusOK, d.whole(a))
}

// reply turns a step into what a dialect writes: ids given, inputs encoded.
func (s *Server) reply(r Request, step Step) (reply, error) {
	a := reply{id: fmt.Sprintf("fake%s%d", s.nonce, r.N), model: r.Model, text: step.Text, in: len(r.Body)/4 + 1, out: len(step.Text)/4 + 1}
	for i, c := range step.Calls {
		in, err := encode(c.Input)
		if err != nil {
			return a, fmt.Errorf("fake model: input of the call of %s: %w", c.Name, err)
		}
		a.calls = append(a.calls, call{fmt.Sprintf("%s_%d", a.id, i), c.Name, in, slices.Contains(r.custom, c.Name)})
		a.out += len(in)/4 + 1
	}
	a.refused, a.category = step.Refused, step.Category
	if step.Status != 0 {
		a.broken = anthropicError(step.Status, step.Error)
	}
	if step.Model != "" {
		a.model = step.Model
	}
	switch {
	case s.cache == nil:
	case r.Dialect == anthropic.name:
		bill := s.cache.bill(r.Model, r.Body, a.out)
		a.bill, a.in = &bill, bill.Input
	default:
		bill := s.cache.billWhole(r.Model, r.Body, a.in, a.out)
		a.bill = &bill
	}
	return a, nil
}

// readBody reads and decompresses the body.
func readBody(hr *http.Request) ([]byte, error) {
	var in io.Reader = hr.Body
	if hr.Header.Get("Content-Encoding") == "gzip" {
		z, err := gzip.NewReader(in)
		if err != nil {
			return nil, err
		}
		in = z
	}
	b, err := io.ReadAll(io.LimitReader(in, maxBody+1))
	if err == nil && len(b) > maxBody {
		err = fmt.Errorf("fake model: body over %d bytes", maxBody)
	}
	return b, err
}
