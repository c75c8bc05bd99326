package fakemodel

import (
	"slices"
	"strings"
	"testing"
)

func TestWhatRequestsShareIsReadFromTheCache(t *testing.T) {
	long := strings.Repeat("x", 4000)
	body := func(messages string) []byte {
		return []byte(`{"model":"m","tools":[{"name":"Bash"}],"system":[{"type":"text","text":"x-anthropic-billing-header: ` + messages[len(messages)-3:len(messages)-2] + `"},{"type":"text","text":"` + long + `","cache_control":{"type":"ephemeral"}}],"messages":[` + messages + `]}`)
	}
	first := `{"role":"user","content":"` + long + `"}`
	var c Cache
	a := c.bill("m", body(first), 7)
	if a.Read != 0 || a.Write < 2000 || a.Output != 7 {
		t.Errorf("%+v", a)
	}
	b := c.bill("m", body(`{"role":"user","content":[{"type":"text","text":"`+long+`","cache_control":{}}]},{"role":"user","content":"more"}`), 1)
	if b.Read != a.Write || b.Write == 0 || b.Write > 30 {
		t.Errorf("%+v after %+v: a text and its block are one, and marks do not count", b, a)
	}
	d := c.bill("m", body(`{"role":"user","content":"other"},`+first), 1)
	if d.Read < 1000 || d.Read > 1100 || d.Write < 1000 {
		t.Errorf("%+v: behind another beginning nothing is the same", d)
	}
	if got := c.Billed(); !slices.Equal(got, []Bill{a, b, d}) {
		t.Errorf("%+v", got)
	}
	hour := c.bill("m", []byte(`{"model":"m","messages":[{"role":"user","content":[{"type":"text","text":"`+long+`","cache_control":{"type":"ephemeral","ttl":"1h"}}]}]}`), 1)
	if hour.Write1h != hour.Write || hour.Write == 0 || a.Write1h != 0 {
		t.Errorf("for an hour: %+v", hour)
	}
	c.Forget()
	c.Shorten()
	if e := c.bill("m", []byte(`{"model":"m","messages":[{"role":"user","content":[{"type":"text","text":"x","cache_control":{"type":"ephemeral","ttl":"1h"}}]}]}`), 1); e.Write1h != 0 || e.Write == 0 {
		t.Errorf("for five minutes after all: %+v", e)
	}
	c.Forget()
	if e := c.bill("m", body(first), 1); e.Read != 0 {
		t.Errorf("%+v", e)
	}
}

// Where nothing is marked for caching the input contains what came from the cache.
func TestABeginningThatIsTheSameIsReadFromTheCache(t *testing.T) {
	for _, path := range []string{"/v1/chat/completions", "/v1/responses"} {
		cache := &Cache{}
		s := start(t, Steps(Say("Done.")))
		s.UseCache(cache)
		var inputs, reads []int
		for _, more := range []string{"a", "ab"} {
			var got struct {
				Usage struct {
					Prompt  int `json:"prompt_tokens"`
					Input   int `json:"input_tokens"`
					Prompts struct {
						Cached int `json:"cached_tokens"`
					} `json:"prompt_tokens_details"`
					Inputs struct {
						Cached int `json:"cached_tokens"`
					} `json:"input_tokens_details"`
				}
			}
			body := `{"model":"m","stream":false,"x":"` + strings.Repeat("x", 4000) + more + `","tools":[{"type":"function","name":"f","function":{"name":"f"}}],"messages":[],"input":[]}`
			_, answer := post(t, s, path, body)
			decode(t, answer, &got)
			inputs, reads = append(inputs, got.Usage.Prompt+got.Usage.Input), append(reads, got.Usage.Prompts.Cached+got.Usage.Inputs.Cached)
		}
		if inputs[0] != inputs[1] || inputs[0] < 1000 || reads[0] != 0 || reads[1] < 1000 || reads[1] >= inputs[1] {
			t.Errorf("%s: in %v, of it from the cache %v", path, inputs, reads)
		}
		if b := cache.Billed()[1]; b.Read != reads[1] || b.Input != inputs[1]-reads[1] {
			t.Errorf("%s: %+v", path, b)
		}
	}
}
