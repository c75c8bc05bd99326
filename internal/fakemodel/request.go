package fakemodel

import (
	"encoding/json"
	"net/http"
	"strings"
	"time"
)

// Request is one HTTP request as the server understood it. Fields that the dialect could not fill are empty.
type Request struct {
	N    int       // number of the request on this server, from 1
	Turn int       // number among the requests that the script answered, from 1; 0 = not one of them
	Time time.Time // when its body had been read

	Method string
	Path   string // without the query
	Header http.Header
	Body   []byte // decompressed

	Dialect  string // name of the wire format; empty when the path belongs to none
	Model    string
	Stream   bool
	Tools    []string // names offered, in order
	System   string   // system prompt that stands outside the messages
	Messages []Message

	custom []string // of Tools those that take a text instead of an object
}

// Message is one entry of the conversation.
type Message struct {
	Role  string // user, assistant, system, tool, ...: the wire's own word
	Parts []Part
}

// Kind says what a Part is.
type Kind string

// The kinds of parts that are understood; images and the model's thinking are left out.
const (
	Text   Kind = "text"
	Called Kind = "call"
	Result Kind = "result"
)

// Part is a piece of a message.
type Part struct {
	Kind  Kind
	Text  string          // the text, or what a tool answered
	ID    string          // joins a call and its result
	Name  string          // tool, of a call
	Input json.RawMessage // of a call
	Error bool            // result that the wire marks as failed; OpenAI's has no such mark
}

// Text returns all that the model reads in this request: system prompt, messages and tool results, one a line.
func (r Request) Text() string {
	lines := []string{r.System}
	for _, m := range r.Messages {
		lines = append(lines, m.Text())
	}
	return strings.Join(lines, "\n")
}

// Last returns the newest message, or a zero one.
func (r Request) Last() Message {
	if len(r.Messages) == 0 {
		return Message{}
	}
	return r.Messages[len(r.Messages)-1]
}

// Text joins the texts of a message, one a line.
func (m Message) Text() string {
	var lines []string
	for _, p := range m.Parts {
		if p.Kind != Called {
			lines = append(lines, p.Text)
		}
	}
	return strings.Join(lines, "\n")
}

// parts returns the parts of one kind, in order.
func (r Request) parts(k Kind) []Part {
	var out []Part
	for _, m := range r.Messages {
		for _, p := range m.Parts {
			if p.Kind == k {
				out = append(out, p)
			}
		}
	}
	return out
}
