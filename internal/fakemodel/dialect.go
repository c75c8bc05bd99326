package fakemodel

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"unicode/utf8"
)

// dialect is one wire format: where it is spoken, how a request is read, how an answer is written.
type dialect struct {
	name   string
	path   string // end of the URL path of its one POST endpoint
	decode func(body []byte, r *Request) error
	stream func(*events, reply)
	whole  func(reply) any
	fail   func(w http.ResponseWriter, status int, message string)
}

var dialects = []*dialect{anthropic, openai, responses, gemini, geminiStream}

// dialectOf returns the dialect that the request is written in, or nil.
func dialectOf(r Request) *dialect {
	for _, d := range dialects {
		if r.Method == http.MethodPost && strings.HasSuffix(r.Path, d.path) {
			return d
		}
	}
	return nil
}

// reply is a step made ready to be written.
type reply struct {
	id    string
	model string
	text  string
	calls []call
	in    int   // tokens read, about a quarter of the bytes
	out   int   // tokens written
	bill  *Bill // of a server with a cache; nil = it has none

	refused  bool
	category string
	broken   object // the error that a stream ends with; nil = it ends well
}

// cached is how much of what was read came from the cache.
func (a reply) cached() int {
	if a.bill == nil {
		return 0
	}
	return a.bill.Read
}

type call struct {
	id    string
	name  string
	input json.RawMessage

	custom bool // the tool takes a text, in a dialect that has such tools
}

// other answers what is no turn in any dialect, and is asked by some agents at start: which models there are, how many
// tokens a text has, whether anybody is there.
func other(w http.ResponseWriter, r Request) {
	switch {
	case r.Method == http.MethodHead:
		w.WriteHeader(http.StatusOK)
	case strings.HasSuffix(r.Path, "/models"):
		writeJSON(w, http.StatusOK, object{"object": "list", "data": []object{{"id": "fake-1", "object": "model", "owned_by": "fake"}}})
	case strings.HasSuffix(r.Path, ":countTokens"):
		writeJSON(w, http.StatusOK, object{"totalTokens": len(r.Body)/4 + 1})
	case strings.HasSuffix(r.Path, "/count_tokens"):
		writeJSON(w, http.StatusOK, object{"input_tokens": len(r.Body)/4 + 1})
	default:
		writeJSON(w, http.StatusNotFound, object{"error": object{"type": "not_found_error", "message": "fake model: no such endpoint: " + r.Path}})
	}
}

// object is a JSON object to be written.
type object = map[string]any

func writeJSON(w http.ResponseWriter, status int, v any) {
	w.Header().Set("Content-Type", "application/json")
	b, _ := encode(v) // objects of strings, numbers and checked JSON always encode
	w.WriteHeader(status)
	w.Write(b)
}

// encode writes JSON as a model does: "&&" of a shell line stays readable.
func encode(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimRight(b.Bytes(), "\n"), nil
}

// events writes server-sent events, each one flushed: a client must not be able to rely on getting them all at once.
type events struct {
	w       http.ResponseWriter
	started bool
}

// send writes one event. An empty name leaves the event line out.
func (e *events) send(name string, data any) {
	b, ok := data.(string)
	if !ok {
		j, _ := encode(data) // always encodes, as in writeJSON
		b = string(j)
	}
	if !e.started {
		e.started = true
		e.w.Header().Set("Content-Type", "text/event-stream")
		e.w.Header().Set("Cache-Control", "no-cache")
	}
	if name != "" {
		fmt.Fprintf(e.w, "event: %s\n", name)
	}
	fmt.Fprintf(e.w, "data: %s\n\n", b)
	if f, ok := e.w.(http.Flusher); ok {
		f.Flush()
	}
}

// pieces cuts s into a few parts at rune boundaries, as a model streams it: text and tool input arrive in fragments, and a
// fragment of JSON is no JSON. An empty string gives no piece.
func pieces(s string) []string {
	var out []string
	for size := len(s)/3 + 1; len(s) > 0; {
		n := min(size, len(s))
		for n < len(s) && !utf8.RuneStart(s[n]) {
			n++
		}
		out = append(out, s[:n])
		s = s[n:]
	}
	return out
}
