package fakemodel

import (
	"encoding/json"
	"net/http"
	"strings"
)

// anthropic is the Messages API: POST /v1/messages.
var anthropic = &dialect{
	name:   "anthropic-messages",
	path:   "/messages",
	decode: anthropicDecode,
	stream: anthropicStream,
	whole:  anthropicWhole,
	fail:   anthropicFail,
}

// anthropicBlock is a content block of any of the types that are read.
type anthropicBlock struct {
	Type      string
	Text      string
	ID        string
	Name      string
	Input     json.RawMessage
	ToolUseID string `json:"tool_use_id"`
	Content   anthropicContent
	IsError   bool `json:"is_error"`
}

// anthropicContent is a list of blocks, or a string that stands for one text block.
type anthropicContent []anthropicBlock

func (c *anthropicContent) UnmarshalJSON(b []byte) error {
	if b[0] != '"' {
		return json.Unmarshal(b, (*[]anthropicBlock)(c))
	}
	*c = make(anthropicContent, 1)
	(*c)[0].Type = "text"
	return json.Unmarshal(b, &(*c)[0].Text)
}

// text joins the text blocks, one a line.
func (c anthropicContent) text() string {
	var lines []string
	for _, b := range c {
		if b.Type == "text" {
			lines = append(lines, b.Text)
		}
	}
	return strings.Join(lines, "\n")
}

func anthropicDecode(body []byte, r *Request) error {
	var in struct {
		Model    string
		Stream   bool
		System   anthropicContent
		Tools    []struct{ Name string }
		Messages []struct {
			Role    string
			Content anthropicContent
		}
	}
	if err := json.Unmarshal(body, &in); err != nil {
		return err
	}
	r.Model, r.Stream, r.System = in.Model, in.Stream, in.System.text()
	for _, t := range in.Tools {
		r.Tools = append(r.Tools, t.Name)
	}
	for _, m := range in.Messages {
		r.Messages = append(r.Messages, Message{m.Role, anthropicParts(m.Content)})
	}
	return nil
}

func anthropicParts(blocks anthropicContent) []Part {
	var out []Part
	for _, b := range blocks {
		switch b.Type {
		case "text":
			out = append(out, Part{Kind: Text, Text: b.Text})
		case "tool_use":
			out = append(out, Part{Kind: Called, ID: b.ID, Name: b.Name, Input: b.Input})
		case "tool_result":
			out = append(out, Part{Kind: Result, ID: b.ToolUseID, Text: b.Content.text(), Error: b.IsError})
		}
	}
	return out
}

func anthropicStop(a reply) string {
	if a.refused {
		return "refusal"
	}
	if len(a.calls) > 0 {
		return "tool_use"
	}
	return "end_turn"
}

func anthropicWhole(a reply) any {
	content := []object{}
	if a.text != "" || len(a.calls) == 0 {
		content = append(content, object{"type": "text", "text": a.text})
	}
	for _, c := range a.calls {
		content = append(content, object{"type": "tool_use", "id": "toolu_" + c.id, "name": c.name, "input": c.input})
	}
	return anthropicMessage(a, content, anthropicStop(a), a.out)
}

func anthropicMessage(a reply, content []object, stop any, out int) object {
	usage := object{"input_tokens": a.in, "output_tokens": out}
	if a.bill != nil {
		usage["cache_read_input_tokens"], usage["cache_creation_input_tokens"] = a.bill.Read, a.bill.Write
		usage["cache_creation"] = object{"ephemeral_5m_input_tokens": a.bill.Write - a.bill.Write1h, "ephemeral_1h_input_tokens": a.bill.Write1h}
	}
	return object{
		"id": "msg_" + a.id, "type": "message", "role": "assistant", "model": a.model, "content": content,
		"stop_reason": stop, "stop_sequence": nil, "usage": usage,
	}
}

func anthropicStream(e *events, a reply) {
	send := func(kind string, o object) {
		o["type"] = kind
		e.send(kind, o)
	}
	index := 0
	block := func(start object, deltas []object) {
		send("content_block_start", object{"index": index, "content_block": start})
		for _, d := range deltas {
			send("content_block_delta", object{"index": index, "delta": d})
		}
		send("content_block_stop", object{"index": index})
		index++
	}
	send("message_start", object{"message": anthropicMessage(a, []object{}, nil, 1)})
	if a.broken != nil {
		send("error", object{"error": a.broken})
		return
	}
	if a.text != "" || len(a.calls) == 0 {
		block(object{"type": "text", "text": ""}, deltas("text_delta", "text", a.text))
	}
	for _, c := range a.calls {
		block(object{"type": "tool_use", "id": "toolu_" + c.id, "name": c.name, "input": object{}},
			deltas("input_json_delta", "partial_json", string(c.input)))
	}
	end := object{"stop_reason": anthropicStop(a), "stop_sequence": nil}
	if a.category != "" {
		end["stop_details"] = object{"type": "refusal", "category": a.category, "explanation": "The fake model does not do that."}
	}
	send("message_delta", object{"delta": end, "usage": object{"output_tokens": a.out}})
	send("message_stop", object{})
}

func deltas(kind, key, s string) []object {
	var out []object
	for _, p := range pieces(s) {
		out = append(out, object{"type": kind, key: p})
	}
	return out
}

// anthropicErrors are the error types that clients tell failures apart by.
var anthropicErrors = map[int]string{
	400: "invalid_request_error", 401: "authentication_error", 403: "permission_error", 404: "not_found_error",
	413: "request_too_large", 429: "rate_limit_error", 500: "api_error", 529: "overloaded_error",
}

func anthropicFail(w http.ResponseWriter, status int, message string) {
	writeJSON(w, status, object{"type": "error", "error": anthropicError(status, message)})
}

func anthropicError(status int, message string) object {
	kind := anthropicErrors[status]
	if kind == "" {
		kind = "api_error"
	}
	return object{"type": kind, "message": message}
}
