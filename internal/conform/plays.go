package conform

import (
	"cmp"
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/lorimer-dev/lorimer/internal/harness"
)

// text is what prompts and reasons are made of: all that shells, JSON and terminals like to spoil.
const text = "no — “ß” 🐎 \"double\" 'single' \\ back $HOME `tick` <tag> & %s\nsecond line"

// said is what a case says as user, agent or tool; it is not in text, nor text in it.
const said = "go — “é” 🦌 \"both\" \\n"

// main is the session that cases play in unless they say otherwise.
func (w *world) main() session { return w.session("s1") }

func (w *world) session(id string) session {
	return session{ID: w.prefix + id, Transcript: filepath.Join(w.dir, id+".jsonl")}
}

// child is a sub-agent of the main session.
func (w *world) child() session {
	s := w.session("c1")
	s.Parent = w.main().ID
	return s
}

// fire plays a neutral event, or another play, and returns what the host saw.
func (w *world) fire(play string, a act) (seen, error) {
	if a.Session.ID == "" {
		a.Session = w.main()
	}
	a.Play, a.Events = play, w.fake.Plays[play]
	if active := w.active[a.Session.ID]; a.Times == 0 {
		a.Active = &active // of stops at the same time a host could only guess
	}
	if e := harness.Event(play); !e.Known() {
		a.How = play
	} else if e == harness.SessionStart {
		a.How = "startup"
	}
	a.Text = cmp.Or(a.Text, said)
	s, err := w.stage.play(w.ctx, a)
	w.loud = append(w.loud, s.Report...)
	switch e := harness.Event(play); {
	case e.Gate():
		w.active[a.Session.ID] = len(s.reasons()) > 0
	case e == harness.UserPromptSubmit:
		w.active[a.Session.ID] = false
	}
	return s, err
}

// begin starts a session and gives it a prompt: where most stories start. A harness that has neither event begins without.
func (w *world) begin() error { return w.beginIn(w.main(), string(harness.SessionStart)) }

func (w *world) beginIn(s session, how string) error {
	for _, play := range []string{how, string(harness.UserPromptSubmit), "request"} {
		if w.fake.Plays[play] == nil {
			continue
		}
		if _, err := w.fire(play, act{Session: s}); err != nil {
			return err
		}
	}
	return nil
}

// stop plays the end of the agent's work.
func (w *world) stop() (seen, error) { return w.fire(string(harness.Stop), act{}) }

// stops plays the end of the work again and again until it is let go, at most n times, and returns how often it was not.
func (w *world) stops(n int) (held int, err error) {
	for held < n {
		s, err := w.stop()
		if err != nil || len(s.reasons()) == 0 {
			return held, err
		}
		held++
	}
	return held, nil
}

// bits are the values of stop_hook_active that handlers of the event got.
func (w *world) bits(event harness.Event) string {
	var all []string
	for _, c := range w.board.calls(string(event)) {
		all = append(all, cmp.Or(c.get("stop_hook_active"), "none"))
	}
	return strings.Join(all, " ")
}

// reach plays what comes before an event, and then the event.
func (w *world) reach(e harness.Event, a act) (seen, error) {
	a = w.actOf(e, a)
	if e != harness.SessionStart {
		if err := w.beginWithout(e); err != nil {
			return seen{}, err
		}
	}
	if e == harness.SubagentStop && w.fake.Plays[string(harness.SubagentStart)] != nil {
		if _, err := w.fire(string(harness.SubagentStart), act{Session: w.child()}); err != nil {
			return seen{}, err
		}
	}
	return w.fire(string(e), a)
}

func (w *world) beginWithout(e harness.Event) error {
	if e != harness.UserPromptSubmit {
		return w.begin()
	}
	if w.fake.Plays[string(harness.SessionStart)] == nil {
		return nil
	}
	_, err := w.fire(string(harness.SessionStart), act{})
	return err
}

// actOf gives an event the session and the tool call that it happens in.
func (w *world) actOf(e harness.Event, a act) act {
	if e == harness.SubagentStart || e == harness.SubagentStop {
		a.Session = w.child()
	}
	if e.Tool() && a.Call == nil && len(w.fake.Calls) > 0 {
		a.Call = w.call(w.fake.Calls[0].Tool)
	}
	return a
}

// later plays what may hand out context that an event left behind.
func (w *world) later(e harness.Event, a act) (all []string, err error) {
	after := []string{"request"}
	switch e {
	case harness.SessionStart:
		after = []string{string(harness.UserPromptSubmit), "request"}
	case harness.PreToolUse:
		after = []string{string(harness.PostToolUse), "request"}
	}
	for _, play := range after {
		if w.fake.Plays[play] == nil {
			continue
		}
		s, err := w.fire(play, a)
		if err != nil {
			return nil, err
		}
		all = append(all, s.texts(harness.Context)...)
	}
	return all, nil
}

// words are what the tokens of a tool call stand for.
var words = map[string]string{
	"command": "rm -rf 'build — 🐎' && echo \"$HOME\"", "path": "a — 🐎.txt", "content": "text — “ß” 🐎\n", "old": "before", "new": "after — é", "pattern": "*.go",
}

// call is a call of the tool in the host's words.
func (w *world) call(tool string) *toolCall { return w.callWith(tool, nil) }

// callWith is call with other words for some tokens.
func (w *world) callWith(tool string, other map[string]string) *toolCall {
	return w.callOf(w.fake.Calls, tool, other)
}

// modelCall is the call as the model makes it.
func (w *world) modelCall(tool string, other map[string]string) *toolCall {
	return w.callOf(w.modelCalls(), tool, other)
}

// modelCalls are the calls as the model makes them: where hooks see others, those come first.
func (s *subject) modelCalls() []harness.FakeCall {
	if s.fake.Real == nil {
		return s.fake.Calls
	}
	return slices.Concat(s.fake.Real.Calls, s.fake.Calls)
}

func (w *world) callOf(list []harness.FakeCall, tool string, other map[string]string) *toolCall {
	w.calls++
	for _, c := range list {
		if c.Tool == tool {
			return &toolCall{Name: c.Name, ID: fmt.Sprintf("call_%d", w.calls), Input: inputOf(c, other), Output: "RESULT " + said}
		}
	}
	return nil
}

// inputOf fills the tokens of a call's input.
func inputOf(c harness.FakeCall, other map[string]string) json.RawMessage {
	values := map[string]string{}
	for name, word := range words {
		if o, ok := other[name]; ok {
			word = o
		}
		values[name] = harness.Quoted(word)
	}
	return json.RawMessage(filledJSON(c.Input, values))
}

// answer fixes what the handler of an event answers: the n-th call with the n-th answer, all others with the last.
func (w *world) answer(event harness.Event, answers ...Answer) error {
	return w.board.say(string(event), answers)
}

// blocking is the plainest answer that blocks.
func blocking(reason string) Answer { return Answer{Exit: 2, Stderr: reason + "\n"} }

// specific answers with keys of hookSpecificOutput.
func specific(event harness.Event, key string, value any) Answer {
	data, _ := json.Marshal(map[string]any{"hookSpecificOutput": map[string]any{"hookEventName": event, key: value}}) // always encodes
	return Answer{Stdout: string(data) + "\n"}
}
