package fakemodel

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Two requests of one conversation, in each dialect, as agents send them: the second repeats the first.
var conversations = map[string][2]string{
	messages: {
		`{"model":"m",` + tools[messages] + `,"system":[{"type":"text","text":"SYS"}],"messages":[
			{"role":"user","content":"go"},
			{"role":"assistant","content":[{"type":"thinking","thinking":"hm"},{"type":"text","text":"A"},{"type":"tool_use","id":"t1","name":"Bash","input":{"command":"ls"}}]},
			{"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","is_error":true,"content":[{"type":"text","text":"R1"},{"type":"image"}]}]}]}`,
		`{"model":"m",` + tools[messages] + `,"system":"SYS","messages":[
			{"role":"user","content":"go"},
			{"role":"assistant","content":[{"type":"tool_use","id":"t1","name":"Bash","input":{}},{"type":"tool_use","id":"t2","name":"Write","input":{}}]},
			{"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","is_error":true,"content":"R1"},{"type":"tool_result","tool_use_id":"t2","content":"R2"}]},
			{"role":"user","content":[{"type":"text","text":"and now"}]}]}`,
	},
	chat: {
		`{"model":"m",` + tools[chat] + `,"messages":[
			{"role":"system","content":"SYS"},
			{"role":"user","content":[{"type":"text","text":"go"},{"type":"image_url"}]},
			{"role":"assistant","content":"A","tool_calls":[{"id":"t1","type":"function","function":{"name":"Bash","arguments":"{\"command\":\"ls\"}"}}]},
			{"role":"tool","tool_call_id":"t1","content":"R1"}]}`,
		`{"model":"m",` + tools[chat] + `,"messages":[
			{"role":"system","content":"SYS"},
			{"role":"user","content":"go"},
			{"role":"assistant","content":null,"tool_calls":[{"id":"t1","function":{"name":"Bash","arguments":"{}"}},{"id":"t2","function":{"name":"Write","arguments":"{}"}}]},
			{"role":"tool","tool_call_id":"t1","content":"R1"},
			{"role":"tool","tool_call_id":"t2","content":[{"type":"text","text":"R2"}]},
			{"role":"user","content":"and now"}]}`,
	},
}

func TestConversation(t *testing.T) {
	for path, bodies := range conversations {
		s := start(t, nil)
		for _, b := range bodies {
			if status, answer := post(t, s, path, b); status != 200 {
				t.Fatalf("%s: %d %s", path, status, answer)
			}
		}
		log := s.Requests()
		marked := path == messages // only this dialect marks failed results
		want := []Part{
			{Kind: Result, ID: "t1", Name: "Bash", Text: "R1", Error: marked},
			{Kind: Result, ID: "t2", Name: "Write", Text: "R2"},
		}
		if d := cmp.Diff(want, log.Results()); d != "" {
			t.Errorf("%s: results (-want +got):\n%s", path, d)
		}
		if got := log[1].Last(); got.Role != "user" || got.Text() != "and now" {
			t.Errorf("%s: last message %+v", path, got)
		}
		if r, ok := log.First("and now"); !ok || r.N != 2 || r.Turn != 2 {
			t.Errorf("%s: first read in %d, %v", path, r.N, ok)
		}
		if _, ok := log.First("never said"); ok {
			t.Errorf("%s: found what nobody said", path)
		}
		calls := log[0].parts(Called)
		if len(calls) != 1 || calls[0].Name != "Bash" || string(calls[0].Input) != `{"command":"ls"}` {
			t.Errorf("%s: calls %+v", path, calls)
		}
	}
}

func TestTextIsAllThatTheModelReads(t *testing.T) {
	for path, want := range map[string]string{messages: "SYS\ngo\nA\nR1", chat: "\nSYS\ngo\nA\nR1"} {
		s := start(t, nil)
		post(t, s, path, conversations[path][0])
		if got := s.Requests()[0].Text(); got != want {
			t.Errorf("%s: got %q, want %q", path, got, want)
		}
	}
}

func TestEmptyLog(t *testing.T) {
	var l Log
	if l.Text() != "" || l.Results() != nil || len(l.Tools()) != 0 || (Request{}).Last().Role != "" {
		t.Error("an empty log says something")
	}
}
