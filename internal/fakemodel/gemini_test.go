package fakemodel

import (
	"encoding/json"
	"strings"
	"testing"
)

const (
	geminiWholePath  = "/v1beta/models/fake-1:generateContent"
	geminiStreamPath = "/v1beta/models/fake-1:streamGenerateContent"
	geminiTools      = `"tools":[{"functionDeclarations":[{"name":"read_file"},{"name":"glob"}]}]`
)

// geminiSaid is what a client makes of the chunks of an answer.
func geminiSaid(t *testing.T, chunks ...string) (out said) {
	t.Helper()
	for _, chunk := range chunks {
		var m struct {
			Candidates []struct {
				Content struct {
					Role  string
					Parts []struct {
						Text         string
						FunctionCall *struct {
							ID, Name string
							Args     json.RawMessage
						}
					}
				}
				FinishReason string
			}
			UsageMetadata struct{ CandidatesTokenCount int }
			ModelVersion  string
		}
		decode(t, chunk, &m)
		c := m.Candidates[0]
		if c.Content.Role != "model" || m.ModelVersion != "fake-1" {
			t.Errorf("chunk %s", chunk)
		}
		out.stop += c.FinishReason
		out.tokens += m.UsageMetadata.CandidatesTokenCount
		for _, p := range c.Content.Parts {
			out.text += p.Text
			if p.FunctionCall != nil {
				out.calls = append(out.calls, call{id: p.FunctionCall.ID, name: p.FunctionCall.Name, input: p.FunctionCall.Args})
			}
		}
	}
	return out
}

func TestGeminiCarriesTheStep(t *testing.T) {
	for path, chunks := range map[string]func(string) []string{
		geminiWholePath: func(body string) []string { return []string{body} }, geminiStreamPath: eventsOf,
	} {
		s := start(t, Steps(full))
		_, body := post(t, s, path, "{"+geminiTools+"}")
		got := geminiSaid(t, chunks(body)...)
		if got.text != full.Text || got.stop != "STOP" || got.tokens < 10 || len(got.calls) != 2 {
			t.Fatalf("%s: %+v of %s", path, got, body)
		}
		if a, b := got.calls[0], got.calls[1]; a.id == b.id || a.id == "" || a.name != "Bash" || string(b.input) != `{"b":12345678901234567890,"a":"\u00e9"}` {
			t.Errorf("%s: calls %+v", path, got.calls)
		}
		if n := strings.Count(body, "data: "); path == geminiStreamPath && n < 3 {
			t.Errorf("a stream of %d chunks", n)
		}
	}
}

func TestGeminiRequests(t *testing.T) {
	s := start(t, Steps(Say("done")))
	ask := func(path, body string) string { _, answer := post(t, s, path, body); return answer }
	ask(geminiStreamPath, `{`+geminiTools+`,"systemInstruction":{"parts":[{"text":"be brief"}]},"contents":[
		{"role":"user","parts":[{"text":"go"},{"text":"on"}]},
		{"role":"model","parts":[{"text":"hm","thought":true},{"functionCall":{"id":"7","name":"glob","args":{"pattern":"*"}}}]},
		{"role":"user","parts":[{"functionResponse":{"id":"7","name":"glob","response":{"output":"a.txt"}}}]},
		{"role":"user","parts":[{"functionResponse":{"id":"8","name":"glob","response":{"error":"no"}}}]}]}`)
	ask(geminiWholePath, `{"contents":[{"role":"user","parts":[{"text":"a title?"}]}]}`)
	if tokens := ask("/v1beta/models/fake-1:countTokens", `{}`); !strings.Contains(tokens, `"totalTokens":1`) {
		t.Errorf("tokens: %s", tokens)
	}
	log := s.Requests()
	if len(log) != 1 || len(s.All()) != 3 {
		t.Fatalf("%d requests, %d of the conversation", len(s.All()), len(log))
	}
	r := log[0]
	if r.Model != "fake-1" || !r.Stream || r.System != "be brief" || strings.Join(r.Tools, " ") != "read_file glob" {
		t.Errorf("%+v", r)
	}
	if text := r.Text(); text != "be brief\ngo\non\n\na.txt\nno" {
		t.Errorf("text %q", text)
	}
	results := log.Results()
	if len(results) != 2 || results[0].Name != "glob" || results[0].Error || !results[1].Error {
		t.Errorf("results %+v", results)
	}
}

func TestGeminiFailures(t *testing.T) {
	s := start(t, Steps(Fail(429, "too often")))
	status, body := post(t, s, geminiStreamPath, "{"+geminiTools+"}")
	if status != 429 || body != `{"error":{"code":429,"message":"too often","status":"RESOURCE_EXHAUSTED"}}` {
		t.Errorf("%d %s", status, body)
	}
}
