package fakemodel

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"
)

// said is what a client makes of an answer.
type said struct {
	text   string
	calls  []call
	stop   string
	tokens int // written, as the answer says
}

// full is the answer that all forms must carry: text, two calls, characters of each length in UTF-8, and numbers and key
// order that a decoder would spoil.
var full = Step{
	Text: "fine — ✓ 🐎 \"quoted\"\nline two",
	Calls: []Call{
		{"Bash", map[string]any{"command": "echo '🐎' && printf \"ß\""}},
		{"Write", json.RawMessage(`{"b":12345678901234567890,"a":"\u00e9"}`)},
	},
}

func TestEveryFormCarriesTheStep(t *testing.T) {
	for _, c := range []struct {
		name, path, stream string
		read               func(*testing.T, string) said
		stop               string
	}{
		{"messages whole", messages, "false", readMessage, "tool_use"},
		{"messages stream", messages, "true", readMessageStream, "tool_use"},
		{"chat whole", chat, "false", readCompletion, "tool_calls"},
		{"chat stream", chat, "true", readCompletionStream, "tool_calls"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := start(t, Steps(full))
			_, body := post(t, s, c.path, `{"model":"m","stream":`+c.stream+`,`+tools[c.path]+`}`)
			got := c.read(t, body)
			if got.tokens < 10 {
				t.Errorf("it says that it cost %d tokens", got.tokens)
			}
			if got.text != full.Text || got.stop != c.stop || len(got.calls) != 2 {
				t.Fatalf("got %+v", got)
			}
			if a, b := got.calls[0], got.calls[1]; a.id == b.id || a.id == "" || a.name != "Bash" || b.name != "Write" {
				t.Errorf("calls %+v", got.calls)
			}
			if want := `{"command":"echo '🐎' && printf \"ß\""}`; string(got.calls[0].input) != want {
				t.Errorf("input %s, want %s", got.calls[0].input, want)
			}
			if want := `{"b":12345678901234567890,"a":"\u00e9"}`; string(got.calls[1].input) != want {
				t.Errorf("input %s, want %s", got.calls[1].input, want)
			}
		})
	}
}

func TestPlainTextEndsTheTurn(t *testing.T) {
	for stream, read := range map[string]func(*testing.T, string) said{"false": readMessage, "true": readMessageStream} {
		s := start(t, nil)
		_, body := post(t, s, messages, `{"stream":`+stream+`,`+tools[messages]+`}`)
		if got := read(t, body); got.text != "" || got.stop != "end_turn" {
			t.Errorf("stream %s: %+v", stream, got)
		}
	}
	for stream, read := range map[string]func(*testing.T, string) said{"false": readCompletion, "true": readCompletionStream} {
		s := start(t, Steps(Say("x")))
		_, body := post(t, s, chat, `{"stream":`+stream+`,`+tools[chat]+`}`)
		if got := read(t, body); got.text != "x" || got.stop != "stop" {
			t.Errorf("stream %s: %+v", stream, got)
		}
	}
}

func TestAStreamComesInFragments(t *testing.T) {
	s := start(t, Steps(full))
	_, body := post(t, s, messages, `{"stream":true,`+tools[messages]+`}`)
	if n := strings.Count(body, "text_delta"); n < 2 {
		t.Errorf("text in %d pieces", n)
	}
	if n := strings.Count(body, "input_json_delta"); n < 4 {
		t.Errorf("two inputs in %d pieces", n)
	}
}

func TestAStreamIsDeclaredAsOne(t *testing.T) {
	s := start(t, nil)
	res, err := http.Post(s.URL()+chat, "", strings.NewReader(`{"stream":true,`+tools[chat]+`}`))
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	if got := res.Header.Get("Content-Type"); got != "text/event-stream" {
		t.Errorf("content type %q", got)
	}
}

func TestAnInputThatCannotBeEncodedIsAnError(t *testing.T) {
	s := start(t, Steps(Use("Bash", func() {})))
	status, body := ask(t, s, messages)
	if status != 500 || !strings.Contains(body, "input of the call of Bash") {
		t.Errorf("%d %s", status, body)
	}
}

func TestPieces(t *testing.T) {
	for _, s := range []string{"", "a", "ab", "🐎", "🐎🐎", "a🐎b🐎c", strings.Repeat("ß", 100)} {
		got := pieces(s)
		if strings.Join(got, "") != s {
			t.Errorf("%q became %q", s, got)
		}
		for _, p := range got {
			if p == "" || strings.ToValidUTF8(p, "?") != p {
				t.Errorf("%q was cut into %q", s, got)
			}
		}
	}
}

func readMessage(t *testing.T, body string) said {
	var m struct {
		Content []struct {
			Type, Text, ID, Name string
			Input                json.RawMessage
		}
		Stop  string `json:"stop_reason"`
		Usage struct {
			Out int `json:"output_tokens"`
		}
	}
	decode(t, body, &m)
	out := said{stop: m.Stop, tokens: m.Usage.Out}
	for _, b := range m.Content {
		switch b.Type {
		case "text":
			out.text += b.Text
		case "tool_use":
			out.calls = append(out.calls, call{id: b.ID, name: b.Name, input: b.Input})
		}
	}
	return out
}

func readMessageStream(t *testing.T, body string) said {
	type block struct {
		kind, id, name string
		content        []byte
		closed         bool
	}
	var blocks []*block
	var out said
	for _, ev := range eventsOf(body) {
		var e struct {
			Type  string
			Index int
			Block struct{ Type, ID, Name string } `json:"content_block"`
			Delta struct {
				Text    string
				Partial string `json:"partial_json"`
				Stop    string `json:"stop_reason"`
			}
			Usage struct {
				Out int `json:"output_tokens"`
			}
		}
		decode(t, ev, &e)
		switch e.Type {
		case "content_block_start":
			if e.Index != len(blocks) {
				t.Errorf("block %d is called %d", len(blocks), e.Index)
			}
			blocks = append(blocks, &block{kind: e.Block.Type, id: e.Block.ID, name: e.Block.Name})
		case "content_block_delta":
			blocks[e.Index].content = append(blocks[e.Index].content, e.Delta.Text+e.Delta.Partial...)
		case "content_block_stop":
			blocks[e.Index].closed = true
		case "message_delta":
			out.stop, out.tokens = e.Delta.Stop, e.Usage.Out
		}
	}
	for i, b := range blocks {
		if !b.closed {
			t.Errorf("block %d is not closed", i)
		}
		if b.kind == "text" {
			out.text += string(b.content)
		} else {
			out.calls = append(out.calls, call{id: b.id, name: b.name, input: b.content})
		}
	}
	if !strings.Contains(body, "event: message_stop\n") {
		t.Error("the stream has no end")
	}
	return out
}

type chatCalls []struct {
	Index    int
	ID       string
	Function struct{ Name, Arguments string }
}

type chatUsage struct {
	Out int `json:"completion_tokens"`
}

func readCompletion(t *testing.T, body string) said {
	var m struct {
		Choices []struct {
			Message struct {
				Content string
				Calls   chatCalls `json:"tool_calls"`
			}
			Finish string `json:"finish_reason"`
		}
		Usage chatUsage
	}
	decode(t, body, &m)
	c := m.Choices[0]
	out := said{text: c.Message.Content, stop: c.Finish, tokens: m.Usage.Out}
	for _, k := range c.Message.Calls {
		out.calls = append(out.calls, call{id: k.ID, name: k.Function.Name, input: json.RawMessage(k.Function.Arguments)})
	}
	return out
}

func readCompletionStream(t *testing.T, body string) said {
	var out said
	for _, ev := range eventsOf(body) {
		if ev == "[DONE]" {
			return out
		}
		var m struct {
			Choices []struct {
				Delta struct {
					Content string
					Calls   chatCalls `json:"tool_calls"`
				}
				Finish string `json:"finish_reason"`
			}
			Usage chatUsage
		}
		decode(t, ev, &m)
		c := m.Choices[0]
		out.text += c.Delta.Content
		out.stop += c.Finish
		out.tokens += m.Usage.Out
		for _, k := range c.Delta.Calls {
			if k.ID != "" {
				out.calls = append(out.calls, call{id: k.ID, name: k.Function.Name})
			}
			out.calls[k.Index].input = append(out.calls[k.Index].input, k.Function.Arguments...)
		}
	}
	t.Error("the stream has no end")
	return out
}

func eventsOf(body string) []string {
	var out []string
	for line := range strings.SplitSeq(body, "\n") {
		if data, ok := strings.CutPrefix(line, "data: "); ok {
			out = append(out, data)
		}
	}
	return out
}

func decode(t *testing.T, body string, v any) {
	t.Helper()
	if err := json.Unmarshal([]byte(body), v); err != nil {
		t.Fatalf("%v in %s", err, body)
	}
}
