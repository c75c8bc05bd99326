package fakemodel

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"
)

const (
	messages = "/v1/messages?beta=true"
	chat     = "/v1/chat/completions"
)

// tools is what makes a request a turn of an agent, in each dialect.
var tools = map[string]string{
	messages: `"tools":[{"name":"Bash"},{"name":"Write"}]`,
	chat:     `"tools":[{"type":"function","function":{"name":"Bash"}},{"type":"function","function":{"name":"Write"}}]`,
}

func start(t *testing.T, script Script) *Server {
	t.Helper()
	s, err := Start(script)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

func post(t *testing.T, s *Server, path, body string) (int, string) {
	t.Helper()
	res, err := http.Post(s.URL()+path, "application/json", strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	b, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return res.StatusCode, string(b)
}

func ask(t *testing.T, s *Server, path string) (int, string) {
	return post(t, s, path, `{"model":"m",`+tools[path]+`,"messages":[{"role":"user","content":"go"}]}`)
}

func TestStepsInOrderThenTheLastAgain(t *testing.T) {
	s := start(t, Steps(Say("one"), Say("two")))
	for i, want := range []string{"one", "two", "two"} {
		if _, body := ask(t, s, chat); !strings.Contains(body, want) {
			t.Errorf("request %d: got %s, want %q in it", i+1, body, want)
		}
	}
}

func TestARequestWithoutToolsUsesNoStep(t *testing.T) {
	s := start(t, Steps(Say("one"), Say("two")))
	post(t, s, messages, `{"model":"m","messages":[{"role":"user","content":"a title, please"}]}`)
	if _, body := ask(t, s, messages); !strings.Contains(body, "one") {
		t.Errorf("the first turn got %s", body)
	}
	if n, all := len(s.Requests()), len(s.All()); n != 1 || all != 2 {
		t.Errorf("requests %d of %d, want 1 of 2", n, all)
	}
}

func TestTheScriptSeesTheRequest(t *testing.T) {
	s := start(t, func(r Request) Step { return Say("you said " + r.Last().Text()) })
	if _, body := ask(t, s, messages); !strings.Contains(body, "you said go") {
		t.Errorf("got %s", body)
	}
}

func TestFailuresComeInTheDialectsOwnForm(t *testing.T) {
	for path, want := range map[string]string{
		messages: `{"error":{"message":"no & no","type":"overloaded_error"},"type":"error"}`,
		chat:     `{"error":{"code":null,"message":"no & no","type":"fake_model_error"}}`,
	} {
		s := start(t, Steps(Fail(529, "no & no")))
		status, body := ask(t, s, path)
		if status != 529 || strings.TrimSpace(body) != want {
			t.Errorf("%s: %d %s", path, status, body)
		}
	}
}

func TestAFailureWithoutMessageHasOne(t *testing.T) {
	s := start(t, Steps(Fail(400, "")))
	if _, body := ask(t, s, chat); !strings.Contains(body, "Bad Request") {
		t.Errorf("got %s", body)
	}
}

func TestUntilHoldsTheAnswerBack(t *testing.T) {
	gate := make(chan struct{})
	s := start(t, Steps(Step{Text: "at last", Until: gate}))
	answered := make(chan string)
	go func() {
		_, body := ask(t, s, messages)
		answered <- body
	}()
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	if err := s.Wait(ctx, func(l Log) bool { return len(l) == 1 }); err != nil {
		t.Fatal(err)
	}
	select {
	case body := <-answered:
		t.Fatalf("answered before the gate opened: %s", body)
	case <-time.After(50 * time.Millisecond):
	}
	close(gate)
	if body := <-answered; !strings.Contains(body, "at last") {
		t.Errorf("got %s", body)
	}
}

func TestDelay(t *testing.T) {
	s := start(t, Steps(Step{Delay: 60 * time.Millisecond}))
	before := time.Now()
	ask(t, s, chat)
	if d := time.Since(before); d < 60*time.Millisecond {
		t.Errorf("answered after %v", d)
	}
}

func TestCloseFreesHeldRequests(t *testing.T) {
	s := start(t, Steps(Step{Until: make(chan struct{})}))
	failed := make(chan error)
	go func() {
		res, err := http.Post(s.URL()+messages, "", strings.NewReader(`{`+tools[messages]+`}`))
		if err == nil {
			_, err = io.Copy(io.Discard, res.Body)
			res.Body.Close()
		}
		failed <- err
	}()
	if err := s.Wait(t.Context(), func(l Log) bool { return len(l) == 1 }); err != nil {
		t.Fatal(err)
	}
	s.Close()
	select {
	case <-failed:
	case <-time.After(10 * time.Second):
		t.Fatal("the client still waits")
	}
}

func TestWaitTellsWhatCame(t *testing.T) {
	s := start(t, nil)
	ask(t, s, chat)
	ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond)
	defer cancel()
	err := s.Wait(ctx, func(Log) bool { return false })
	if err == nil || !strings.Contains(err.Error(), "after 1 requests") {
		t.Errorf("got %v", err)
	}
}

func TestABodyThatCannotBeReadIsLoggedAndRefused(t *testing.T) {
	s := start(t, nil)
	status, body := post(t, s, messages, `{"model":`)
	if status != 400 || !strings.Contains(body, "cannot read this anthropic-messages request") {
		t.Errorf("%d %s", status, body)
	}
	if len(s.All()) != 1 || len(s.Requests()) != 0 {
		t.Errorf("log: %d, of the conversation %d", len(s.All()), len(s.Requests()))
	}
}

func TestGzip(t *testing.T) {
	s := start(t, nil)
	var z bytes.Buffer
	w := gzip.NewWriter(&z)
	w.Write([]byte(`{"model":"zipped",` + tools[chat] + `}`))
	w.Close()
	req, _ := http.NewRequest("POST", s.URL()+chat, &z)
	req.Header.Set("Content-Encoding", "gzip")
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	res.Body.Close()
	if l := s.Requests(); len(l) != 1 || l[0].Model != "zipped" {
		t.Errorf("log: %+v", l)
	}
}

func TestWhatAgentsAskAtStart(t *testing.T) {
	s := start(t, nil)
	for _, c := range []struct {
		method, path string
		status       int
		body         string
	}{
		{"HEAD", "/", 200, ""},
		{"GET", "/v1/models", 200, `"fake-1"`},
		{"POST", "/v1/messages/count_tokens", 200, `"input_tokens":1`},
		{"GET", "/nothing", 404, "no such endpoint: /nothing"},
		{"GET", "/v1/messages", 404, "no such endpoint"},
	} {
		req, _ := http.NewRequest(c.method, s.URL()+c.path, nil)
		res, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		b, _ := io.ReadAll(res.Body)
		res.Body.Close()
		if res.StatusCode != c.status || !strings.Contains(string(b), c.body) {
			t.Errorf("%s %s: %d %s", c.method, c.path, res.StatusCode, b)
		}
	}
	if n := len(s.Requests()); n != 0 {
		t.Errorf("%d of them were taken for turns", n)
	}
}

func TestIDsDifferAmongServers(t *testing.T) {
	ids := map[string]bool{}
	for range 20 {
		_, body := ask(t, start(t, Steps(Use("Bash", nil))), messages)
		var m struct{ Content []struct{ ID string } }
		if err := json.Unmarshal([]byte(body), &m); err != nil {
			t.Fatal(err)
		}
		ids[m.Content[0].ID] = true
	}
	if len(ids) != 20 {
		t.Errorf("%d ids from 20 servers: %v", len(ids), ids)
	}
}

func TestTheLogIsTheCallersOwn(t *testing.T) {
	s := start(t, nil)
	ask(t, s, chat)
	s.All()[0].Model = "changed"
	if s.All()[0].Model != "m" {
		t.Error("the log can be changed from outside")
	}
}

func TestToolsOffered(t *testing.T) {
	for path := range tools {
		s := start(t, nil)
		ask(t, s, path)
		ask(t, s, path)
		if got := s.Requests().Tools(); !slices.Equal(got, []string{"Bash", "Write"}) {
			t.Errorf("%s: %v", path, got)
		}
	}
}

func TestFailuresAsAProviderHasThem(t *testing.T) {
	body := func(stream string) string {
		return `{"model":"m","stream":` + stream + `,` + tools[messages] + `,"messages":[{"role":"user","content":"go"}]}`
	}
	late := start(t, Steps(Step{Status: 529, Error: "Overloaded", Late: true}))
	if status, got := post(t, late, messages, body("true")); status != 200 || !strings.Contains(got, "message_start") || !strings.Contains(got, "event: error") || !strings.Contains(got, "overloaded_error") {
		t.Errorf("in mid-stream: %d %s", status, got)
	}
	if status, got := post(t, late, messages, body("false")); status != 529 {
		t.Errorf("without a stream there is no middle of one: %d %s", status, got)
	}
	refuses := start(t, Steps(Step{Text: "No.", Refused: true, Category: "cyber"}))
	if _, got := post(t, refuses, messages, body("true")); !strings.Contains(got, `"stop_reason":"refusal"`) || !strings.Contains(got, `"category":"cyber"`) {
		t.Errorf("refused: %s", got)
	}
	limit := start(t, Steps(Step{Status: 429, Header: map[string]string{"anthropic-ratelimit-unified-status": "rejected"}}))
	res, err := http.Post(limit.URL()+messages, "application/json", strings.NewReader(body("true")))
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	if res.StatusCode != 429 || res.Header.Get("Anthropic-Ratelimit-Unified-Status") != "rejected" {
		t.Errorf("limited: %d %v", res.StatusCode, res.Header)
	}
}
