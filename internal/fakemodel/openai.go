package fakemodel

import (
	"encoding/json"
	"net/http"
	"strings"
)

// openai is the chat completions API: POST /v1/chat/completions.
var openai = &dialect{
	name:   "openai-chat",
	path:   "/chat/completions",
	decode: openaiDecode,
	stream: openaiStream,
	whole:  openaiWhole,
	fail:   openaiFail,
}

// openaiContent is a string, a list of typed parts, or null; what is not text is left out.
type openaiContent string

func (c *openaiContent) UnmarshalJSON(b []byte) error {
	if b[0] != '[' {
		return json.Unmarshal(b, (*string)(c))
	}
	var parts []struct{ Type, Text string }
	if err := json.Unmarshal(b, &parts); err != nil {
		return err
	}
	var lines []string
	for _, p := range parts {
		if p.Type == "text" {
			lines = append(lines, p.Text)
		}
	}
	*c = openaiContent(strings.Join(lines, "\n"))
	return nil
}

// openaiMessage is a message of any role.
type openaiMessage struct {
	Role       string
	Content    openaiContent
	ToolCallID string `json:"tool_call_id"`
	ToolCalls  []struct {
		ID       string
		Function struct{ Name, Arguments string }
	} `json:"tool_calls"`
}

func openaiDecode(body []byte, r *Request) error {
	var in struct {
		Model    string
		Stream   bool
		Tools    []struct{ Function struct{ Name string } }
		Messages []openaiMessage
	}
	if err := json.Unmarshal(body, &in); err != nil {
		return err
	}
	r.Model, r.Stream = in.Model, in.Stream
	for _, t := range in.Tools {
		r.Tools = append(r.Tools, t.Function.Name)
	}
	for _, m := range in.Messages {
		r.Messages = append(r.Messages, Message{m.Role, openaiParts(m)})
	}
	return nil
}

func openaiParts(m openaiMessage) []Part {
	if m.Role == "tool" {
		return []Part{{Kind: Result, ID: m.ToolCallID, Text: string(m.Content)}}
	}
	var out []Part
	if m.Content != "" {
		out = append(out, Part{Kind: Text, Text: string(m.Content)})
	}
	for _, c := range m.ToolCalls {
		out = append(out, Part{Kind: Called, ID: c.ID, Name: c.Function.Name, Input: json.RawMessage(c.Function.Arguments)})
	}
	return out
}

func openaiFinish(a reply) string {
	if len(a.calls) > 0 {
		return "tool_calls"
	}
	return "stop"
}

func openaiUsage(a reply) object {
	usage := object{"prompt_tokens": a.in, "completion_tokens": a.out, "total_tokens": a.in + a.out}
	if a.bill != nil {
		usage["prompt_tokens_details"] = object{"cached_tokens": a.bill.Read}
	}
	return usage
}

// openaiHead is what a completion and each of its chunks begin with. The time is a constant: nothing reads it, and equal
// runs should give equal bytes.
func openaiHead(a reply, kind string, choice object) object {
	return object{"id": "chatcmpl-" + a.id, "object": kind, "created": 1, "model": a.model, "choices": []object{choice}}
}

func openaiWhole(a reply) any {
	m := object{"role": "assistant", "content": a.text}
	var calls []object
	for _, c := range a.calls {
		calls = append(calls, object{"id": "call_" + c.id, "type": "function", "function": object{"name": c.name, "arguments": string(c.input)}})
	}
	if calls != nil {
		m["tool_calls"] = calls
	}
	o := openaiHead(a, "chat.completion", object{"index": 0, "message": m, "finish_reason": openaiFinish(a)})
	o["usage"] = openaiUsage(a)
	return o
}

func openaiStream(e *events, a reply) {
	chunk := func(delta object, finish any) object {
		return openaiHead(a, "chat.completion.chunk", object{"index": 0, "delta": delta, "finish_reason": finish})
	}
	e.send("", chunk(object{"role": "assistant", "content": ""}, nil))
	for _, p := range pieces(a.text) {
		e.send("", chunk(object{"content": p}, nil))
	}
	for i, c := range a.calls {
		e.send("", chunk(openaiCall(object{"index": i, "id": "call_" + c.id, "type": "function"}, c.name, ""), nil))
		for _, p := range pieces(string(c.input)) {
			e.send("", chunk(openaiCall(object{"index": i}, "", p), nil))
		}
	}
	last := chunk(object{}, openaiFinish(a))
	last["usage"] = openaiUsage(a)
	e.send("", last)
	e.send("", "[DONE]")
}

// openaiCall is the delta that carries a fragment of one tool call: the name comes once, the arguments piece by piece.
func openaiCall(head object, name, arguments string) object {
	f := object{"arguments": arguments}
	if name != "" {
		f["name"] = name
	}
	head["function"] = f
	return object{"tool_calls": []object{head}}
}

func openaiFail(w http.ResponseWriter, status int, message string) {
	writeJSON(w, status, object{"error": object{"message": message, "type": "fake_model_error", "code": nil}})
}
