package fakemodel

import "time"

// Step is one answer of the model. The zero value is an empty text.
type Step struct {
	Text  string // said before the tool calls
	Calls []Call // tools to call, in order

	Model string // that answers; empty = the one that was asked for

	Status int               // HTTP status of a failure, 400 to 599; 0 = the request succeeds
	Error  string            // message of the failure; empty = the status's own text
	Header map[string]string // of the failure
	Late   bool              // the failure comes in mid-stream, where a stream is asked for (Messages API)

	Refused  bool   // by the provider's own classifier, behind the text (Messages API)
	Category string // of what was refused; empty = it is not told

	Delay time.Duration   // wait this long before the first byte
	Until <-chan struct{} // then wait until the channel is closed; nil = do not wait
}

// Call is a tool call that the model makes.
type Call struct {
	Name  string // as the agent offers it
	Input any    // encoded with encoding/json; a json.RawMessage keeps its numbers, escapes and order of keys
}

// Script decides what the model answers to a request that offers tools; Request.Turn counts those from 1. It is called
// once a request, never concurrently with itself.
type Script func(Request) Step

// Steps answers the n-th request with the n-th step. When the steps have run out the last one is repeated, so that an agent
// which is made to go on and on needs no longer script than one that is not. Without any step the model says nothing.
func Steps(steps ...Step) Script {
	return func(r Request) Step {
		if len(steps) == 0 {
			return Step{}
		}
		return steps[min(r.Turn, len(steps))-1]
	}
}

// Say is a step that ends the turn with a text.
func Say(text string) Step { return Step{Text: text} }

// Use is a step that calls one tool.
func Use(name string, input any) Step { return Step{Calls: []Call{{name, input}}} }

// Fail is a step that answers with an HTTP error.
func Fail(status int, message string) Step { return Step{Status: status, Error: message} }
