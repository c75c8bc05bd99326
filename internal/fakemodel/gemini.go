package fakemodel

import (
	"encoding/json"
	"net/http"
	"strings"
)

// gemini is Google's generateContent, whole and streamed: POST /v1beta/models/MODEL:generateContent. The model's name and whether
// the answer is streamed stand in the path.
var (
	gemini       = geminiAt(":generateContent")
	geminiStream = geminiAt(geminiStreamed)
)

const geminiStreamed = ":streamGenerateContent"

func geminiAt(method string) *dialect {
	return &dialect{
		name:   "gemini-generate",
		path:   method,
		decode: geminiDecode,
		stream: geminiSend,
		whole:  func(a reply) any { return geminiChunk(a, geminiContent(a), true) },
		fail:   geminiFail,
	}
}

// geminiPart is a part of any of the kinds that are read.
type geminiPart struct {
	Text         string
	Thought      bool
	FunctionCall *struct {
		ID, Name string
		Args     json.RawMessage
	}
	FunctionResponse *struct {
		ID, Name string
		Response map[string]json.RawMessage
	}
}

type geminiMessage struct {
	Role  string
	Parts []geminiPart
}

func geminiDecode(body []byte, r *Request) error {
	var in struct {
		Contents          []geminiMessage
		SystemInstruction geminiMessage
		Tools             []struct{ FunctionDeclarations []struct{ Name string } }
	}
	if err := json.Unmarshal(body, &in); err != nil {
		return err
	}
	model := r.Path[strings.LastIndexByte(r.Path, '/')+1:]
	r.Model, _, _ = strings.Cut(model, ":")
	r.Stream = strings.HasSuffix(r.Path, geminiStreamed)
	r.System = Message{Parts: geminiParts(in.SystemInstruction.Parts)}.Text()
	for _, t := range in.Tools {
		for _, f := range t.FunctionDeclarations {
			r.Tools = append(r.Tools, f.Name)
		}
	}
	for _, m := range in.Contents {
		r.Messages = append(r.Messages, Message{m.Role, geminiParts(m.Parts)})
	}
	return nil
}

func geminiParts(parts []geminiPart) []Part {
	var out []Part
	for _, p := range parts {
		switch {
		case p.FunctionCall != nil:
			out = append(out, Part{Kind: Called, ID: p.FunctionCall.ID, Name: p.FunctionCall.Name, Input: p.FunctionCall.Args})
		case p.FunctionResponse != nil:
			text, failed := geminiResult(p.FunctionResponse.Response)
			out = append(out, Part{Kind: Result, ID: p.FunctionResponse.ID, Name: p.FunctionResponse.Name, Text: text, Error: failed})
		case p.Text != "" && !p.Thought:
			out = append(out, Part{Kind: Text, Text: p.Text})
		}
	}
	return out
}

// geminiResult reads what a tool answered. The wire wants an object; by convention its member is output or error.
func geminiResult(response map[string]json.RawMessage) (text string, failed bool) {
	raw, failed := response["error"]
	if !failed {
		raw = response["output"]
	}
	if json.Unmarshal(raw, &text) != nil {
		text = string(raw)
	}
	return text, failed
}

func geminiContent(a reply) []object {
	parts := []object{}
	if a.text != "" || len(a.calls) == 0 {
		parts = append(parts, object{"text": a.text})
	}
	return append(parts, geminiCalls(a)...)
}

func geminiCalls(a reply) (parts []object) {
	for _, c := range a.calls {
		parts = append(parts, object{"functionCall": object{"id": "call_" + c.id, "name": c.name, "args": c.input}})
	}
	return parts
}

func geminiChunk(a reply, parts []object, last bool) object {
	candidate := object{"index": 0, "content": object{"role": "model", "parts": parts}}
	out := object{"candidates": []object{candidate}, "modelVersion": a.model, "responseId": a.id}
	if last {
		candidate["finishReason"] = "STOP"
		out["usageMetadata"] = object{"promptTokenCount": a.in, "candidatesTokenCount": a.out, "totalTokenCount": a.in + a.out}
	}
	return out
}

// geminiSend streams a text in pieces. A call comes whole: this wire has no fragments of JSON.
func geminiSend(e *events, a reply) {
	for _, p := range pieces(a.text) {
		e.send("", geminiChunk(a, []object{{"text": p}}, false))
	}
	calls := geminiCalls(a)
	if calls == nil {
		calls = []object{{"text": ""}}
	}
	e.send("", geminiChunk(a, calls, true))
}

// geminiStatus are the words that clients tell failures apart by.
var geminiStatus = map[int]string{
	400: "INVALID_ARGUMENT", 401: "UNAUTHENTICATED", 403: "PERMISSION_DENIED", 404: "NOT_FOUND", 429: "RESOURCE_EXHAUSTED", 500: "INTERNAL", 503: "UNAVAILABLE",
}

func geminiFail(w http.ResponseWriter, status int, message string) {
	word := geminiStatus[status]
	if word == "" {
		word = "UNKNOWN"
	}
	writeJSON(w, status, object{"error": object{"code": status, "message": message, "status": word}})
}
