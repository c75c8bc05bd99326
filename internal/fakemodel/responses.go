package fakemodel

import (
	"encoding/json"
	"strings"
)

// responses is OpenAI's Responses API: POST /v1/responses. Tools are functions, whose arguments are JSON, or custom ones, whose
// input is a text; a script that calls a custom one gives an object with one text in it, whatever its key. Some models are told
// their tools inside the input.
var responses = &dialect{
	name:   "openai-responses",
	path:   "/responses",
	decode: responsesDecode,
	stream: responsesStream,
	whole:  func(a reply) any { return responsesDone(a, responsesItems(a)) },
	fail:   openaiFail,
}

// responsesItem is an entry of the input, of any type.
type responsesItem struct {
	Type, Role, Name, Arguments, Input string
	CallID                             string `json:"call_id"`
	Content                            responsesText
	Output                             responsesText
	Tools                              []responsesTool
}

// responsesText is a text, or a list of typed parts; what is no text is left out.
type responsesText string

func (c *responsesText) UnmarshalJSON(b []byte) error {
	if b[0] != '[' {
		return json.Unmarshal(b, (*string)(c))
	}
	var parts []struct{ Text string }
	if err := json.Unmarshal(b, &parts); err != nil {
		return err
	}
	var lines []string
	for _, p := range parts {
		if p.Text != "" {
			lines = append(lines, p.Text)
		}
	}
	*c = responsesText(strings.Join(lines, "\n"))
	return nil
}

// responsesTool is a tool that is offered, or a namespace of some.
type responsesTool struct {
	Type, Name string
	Tools      []responsesTool
}

func responsesDecode(body []byte, r *Request) error {
	var in struct {
		Model, Instructions string
		Stream              bool
		Tools               []responsesTool
		Input               []responsesItem
	}
	if err := json.Unmarshal(body, &in); err != nil {
		return err
	}
	r.Model, r.Stream, r.System = in.Model, in.Stream, in.Instructions
	r.offer("", in.Tools)
	for _, item := range in.Input {
		r.offer("", item.Tools)
		if m, ok := item.message(); ok {
			r.Messages = append(r.Messages, m)
		}
	}
	return nil
}

// offer notes the tools; those of a namespace have its name before theirs.
func (r *Request) offer(space string, tools []responsesTool) {
	for _, t := range tools {
		switch {
		case t.Type == "namespace":
			r.offer(t.Name+".", t.Tools)
			continue
		case t.Name == "":
			continue
		case t.Type == "custom":
			r.custom = append(r.custom, t.Name)
		}
		r.Tools = append(r.Tools, space+t.Name)
	}
}

// message is what an entry says; false for one that is nothing which is said.
func (i responsesItem) message() (Message, bool) {
	switch i.Type {
	case "message", "":
		return Message{i.Role, []Part{{Kind: Text, Text: string(i.Content)}}}, true
	case "function_call":
		return Message{"assistant", []Part{{Kind: Called, ID: i.CallID, Name: i.Name, Input: json.RawMessage(i.Arguments)}}}, true
	case "custom_tool_call":
		text, _ := encode(i.Input) // a string always encodes
		return Message{"assistant", []Part{{Kind: Called, ID: i.CallID, Name: i.Name, Input: text}}}, true
	case "function_call_output", "custom_tool_call_output":
		return Message{"tool", []Part{{Kind: Result, ID: i.CallID, Text: string(i.Output)}}}, true
	}
	return Message{}, false
}

// responsesItems are the entries that the answer consists of.
func responsesItems(a reply) []object {
	items := []object{}
	if a.text != "" {
		items = append(items, object{"type": "message", "role": "assistant", "id": "msg_" + a.id,
			"content": []object{{"type": "output_text", "text": a.text}}})
	}
	for _, c := range a.calls {
		items = append(items, responsesCall(c))
	}
	return items
}

func responsesCall(c call) object {
	if c.custom {
		return object{"type": "custom_tool_call", "call_id": "call_" + c.id, "name": c.name, "input": onlyText(c.input)}
	}
	item := object{"type": "function_call", "call_id": "call_" + c.id, "name": c.name, "arguments": string(c.input)}
	if space, name, ok := strings.Cut(c.name, "."); ok {
		item["namespace"], item["name"] = space, name
	}
	return item
}

// onlyText is the text that an input consists of: itself, or the one member of an object.
func onlyText(input json.RawMessage) string {
	var text string
	if json.Unmarshal(input, &text) == nil {
		return text
	}
	var object map[string]string
	if json.Unmarshal(input, &object) == nil && len(object) == 1 {
		for _, text = range object {
		}
		return text
	}
	return string(input)
}

func responsesDone(a reply, items []object) object {
	return object{"id": "resp_" + a.id, "object": "response", "status": "completed", "model": a.model, "output": items, "usage": object{
		"input_tokens": a.in, "input_tokens_details": object{"cached_tokens": a.cached()},
		"output_tokens": a.out, "output_tokens_details": object{"reasoning_tokens": 0}, "total_tokens": a.in + a.out,
	}}
}

func responsesStream(e *events, a reply) {
	say := func(kind string, more object) {
		more["type"] = kind
		e.send(kind, more)
	}
	items := responsesItems(a)
	say("response.created", object{"response": object{"id": "resp_" + a.id}})
	for i, item := range items {
		say("response.output_item.added", object{"output_index": i, "item": responsesBegun(item)})
		if item["type"] == "message" {
			for _, p := range pieces(a.text) {
				say("response.output_text.delta", object{"output_index": i, "content_index": 0, "item_id": item["id"], "delta": p})
			}
		}
		say("response.output_item.done", object{"output_index": i, "item": item})
	}
	say("response.completed", object{"response": responsesDone(a, items)})
}

// responsesBegun is an entry of which nothing was said yet.
func responsesBegun(item object) object {
	begun := object{}
	for k, v := range item {
		begun[k] = v
	}
	for _, k := range []string{"arguments", "input"} {
		if _, ok := begun[k]; ok {
			begun[k] = ""
		}
	}
	if _, ok := begun["content"]; ok {
		begun["content"] = []object{}
	}
	return begun
}
