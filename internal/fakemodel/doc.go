// Package fakemodel is a model server that says what it is told to say, so that a real coding agent can be run offline and
// its every request can be looked at.
//
// A Server listens on a free loopback port and speaks the dialects that agents speak: Anthropic Messages, OpenAI chat
// completions and Responses, and Google's generateContent, streaming and not. A Script decides what the model answers: text, tool calls, an
// HTTP error, a delay, or nothing until the caller lets go. Everything that was asked is kept in a Log of dialect-free requests:
//
//	model, err := fakemodel.Start(fakemodel.Steps(
//		fakemodel.Use("Bash", map[string]any{"command": "rm -rf build"}),
//		fakemodel.Say("I am done."),
//	))
//	defer model.Close()
//	run(agent, "ANTHROPIC_BASE_URL="+model.URL())
//	model.Requests().Text() // all that the model has read
//
// The package knows no agent: which URL, key or model name an agent wants is for its caller to know. A dialect is one row
// of a table (dialect.go), so that another wire format is another file and nothing else.
//
// Nothing here is safe to expose: no authentication, no limit on the number of requests. It binds 127.0.0.1 alone.
package fakemodel
