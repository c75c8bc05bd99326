package verdict

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lorimer-dev/lorimer/internal/harness"
)

// on is a binding that can block and take context; more adds to it.
func on(event harness.Event, more ...harness.Effect) harness.Binding {
	return harness.Binding{Event: event, Can: append([]harness.Effect{harness.Block, harness.Context}, more...)}
}

func TestOf(t *testing.T) {
	tool, stop, prompt, start := on(harness.PreToolUse), on(harness.Stop), on(harness.UserPromptSubmit), on(harness.SessionStart)
	mute := harness.Binding{Event: harness.SessionStart, Can: []harness.Effect{harness.Block}}
	for _, c := range []struct {
		name           string
		binding        harness.Binding
		exit           int
		stdout, stderr string
		want           Outcome
	}{
		{"silence", tool, 0, "", "", Outcome{}},
		{"stderr on exit 0", tool, 0, "", "noise", Outcome{}},
		{"an empty object", tool, 0, "{}", "", Outcome{}},

		{"exit 2 and stderr", tool, 2, "", "no\n", Outcome{Blocked: true, Reason: "no"}},
		{"exit 2 and an answer", tool, 2, `{"decision":"block","reason":"no"}`, "x", Outcome{Blocked: true, Reason: "no"}},
		{"exit 2 alone", tool, 2, "", "", Outcome{Blocked: true, Reason: "blocked by h, which gave no reason"}},
		{"exit 2 and a deny", tool, 2, `{"hookSpecificOutput":{"permissionDecision":"deny","permissionDecisionReason":"d"}}`, "",
			Outcome{Blocked: true, Reason: "d"}},
		{"exit 2 beats an allow", tool, 2, `{"hookSpecificOutput":{"permissionDecision":"allow"}}`, "no", Outcome{Blocked: true, Reason: "no"}},
		{"exit 2 and nonsense types", tool, 2, `{"decision":7}`, "no", Outcome{Blocked: true, Reason: "no"}},

		{"decision block", tool, 0, ` {"decision":"block","reason":"no"} ` + "\n", "x", Outcome{Blocked: true, Reason: "no"}},
		{"decision block, pretty", stop, 0, "{\n \"decision\": \"block\",\n \"reason\": \"no\"\n}\n", "", Outcome{Blocked: true, Reason: "no"}},
		{"decision block without a reason", tool, 0, `{"decision":"block"}`, "x", Outcome{Blocked: true, Reason: "blocked by h, which gave no reason"}},
		{"the reason of a block stands beside it", tool, 0,
			`{"decision":"block","reason":"r","hookSpecificOutput":{"permissionDecision":"deny","permissionDecisionReason":"d"}}`, "",
			Outcome{Blocked: true, Reason: "r"}},
		{"the reason of a deny stands beside it", tool, 0,
			`{"reason":"r","hookSpecificOutput":{"permissionDecision":"deny","permissionDecisionReason":"d"}}`, "",
			Outcome{Blocked: true, Reason: "d"}},
		{"deny", tool, 0, `{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"d"}}`, "",
			Outcome{Blocked: true, Reason: "d"}},
		{"deny without an event name", tool, 0, `{"hookSpecificOutput":{"permissionDecision":"deny"}}`, "",
			Outcome{Blocked: true, Reason: "blocked by h, which gave no reason"}},
		{"a permission request denied", on(harness.PermissionRequest), 0, `{"hookSpecificOutput":{"decision":{"behavior":"deny","message":"m"}}}`, "",
			Outcome{Blocked: true, Reason: "m"}},
		{"null is not given", tool, 0, `{"decision":null,"reason":null,"continue":null,"hookSpecificOutput":null}`, "", Outcome{}},

		// Claude takes such output for plain text, and so it is no block: V in its facts.
		{"a log line before the JSON", tool, 0, "checking\n" + `{"decision":"block","reason":"no"}`, "", Outcome{}},
		{"text behind the JSON", tool, 0, `{"decision":"block","reason":"no"} done`, "", Outcome{}},
		{"two objects", tool, 0, `{"decision":"block","reason":"no"}{}`, "", Outcome{}},
		{"a list", tool, 0, `[{"decision":"block","reason":"no"}]`, "", Outcome{}},
		{"a raw line break in a string", tool, 0, "{\"decision\":\"block\",\"reason\":\"a\nb\"}", "", Outcome{}},

		{"ask where one can ask", on(harness.PreToolUse, harness.Ask), 0, `{"hookSpecificOutput":{"permissionDecision":"ask","permissionDecisionReason":"sure?"}}`, "",
			Outcome{Asked: true, Reason: "sure?"}},
		{"ask where one can ask, no reason", on(harness.PreToolUse, harness.Ask), 0, `{"hookSpecificOutput":{"permissionDecision":"ask"}}`, "",
			Outcome{Asked: true, Reason: "h wants you to decide"}},
		{"ask where one cannot", tool, 0, `{"hookSpecificOutput":{"permissionDecision":"ask","permissionDecisionReason":"sure?"}}`, "",
			Outcome{Asked: true, Reason: "blocked, because h wants the user to decide and the user cannot be asked here: sure?"}},
		{"ask where one cannot, no reason", tool, 0, `{"hookSpecificOutput":{"permissionDecision":"ask"}}`, "",
			Outcome{Asked: true, Reason: "blocked, because h wants the user to decide and the user cannot be asked here"}},

		{"continue:false on a stop", stop, 0, `{"continue":false,"decision":"block","reason":"no"}`, "", Outcome{Released: true}},
		{"continue:false beats context on a stop", stop, 0, `{"continue":false,"hookSpecificOutput":{"additionalContext":"c"}}`, "", Outcome{Released: true}},
		{"continue:false on a sub-agent's stop", on(harness.SubagentStop), 0, `{"continue":false}`, "", Outcome{Released: true}},
		{"continue:false on a prompt", prompt, 0, `{"continue":false,"stopReason":"enough"}`, "", Outcome{Blocked: true, Reason: "enough"}},
		{"continue:false on a tool", tool, 0, `{"continue":false,"stopReason":"enough"}`, "",
			Outcome{Blocked: true, Reason: "enough", NotCarried: []string{"continue:false"}}},
		{"continue:false without a reason", prompt, 0, `{"continue":false}`, "", Outcome{Blocked: true, Reason: "stopped by h, which gave no reason"}},
		{"continue:false elsewhere", start, 0, `{"continue":false}`, "", Outcome{NotCarried: []string{"continue:false"}}},
		{"continue:true", stop, 0, `{"continue":true}`, "", Outcome{}},

		{"context", tool, 0, `{"hookSpecificOutput":{"hookEventName":"PreToolUse","additionalContext":"c"}}`, "", Outcome{Context: "c"}},
		{"context where there is none", mute, 0, `{"hookSpecificOutput":{"additionalContext":"c"}}`, "", Outcome{NotCarried: []string{"additionalContext"}}},
		{"context on a stop goes on", stop, 0, `{"hookSpecificOutput":{"additionalContext":"c"}}`, "", Outcome{Blocked: true, Reason: "c"}},
		{"context and a block on a stop", stop, 0, `{"decision":"block","reason":"r","hookSpecificOutput":{"additionalContext":"c"}}`, "",
			Outcome{Blocked: true, Reason: "r\nc"}},
		{"plain text at the start", start, 0, "the build is red\n", "", Outcome{Context: "the build is red"}},
		{"plain text at a prompt", prompt, 0, "two\nlines\n", "", Outcome{Context: "two\nlines"}},
		{"plain text where there is no context", mute, 0, "text", "", Outcome{NotCarried: []string{"stdout as context"}}},
		{"plain text at a tool", tool, 0, "text", "", Outcome{}},
		{"plain text at a stop", stop, 0, "text", "", Outcome{}},
		{"plain text before a compaction", harness.Binding{Event: harness.PreCompact}, 0, "text", "", Outcome{NotCarried: []string{"stdout as instructions for the summary"}}},
		{"plain text before a compaction that takes some", on(harness.PreCompact), 0, "text", "", Outcome{Context: "text"}},
		{"silence before a compaction", on(harness.PreCompact), 0, " \n", "", Outcome{}},
		{"a JSON string is plain text", start, 0, `"text"`, "", Outcome{Context: `"text"`}},
		{"an answer is no plain text", start, 0, `{"suppressOutput":true}`, "", Outcome{}},

		{"effects nobody carries", tool, 0,
			`{"systemMessage":"s","hookSpecificOutput":{"permissionDecision":"allow","updatedInput":{"url":"u"},"newThing":1,"nothing":null}}`, "",
			Outcome{Notice: "s", NotCarried: []string{"permissionDecision:allow", "newThing", "updatedInput"}}},
		{"allow where one can", on(harness.PreToolUse, harness.Allow), 0, `{"hookSpecificOutput":{"permissionDecision":"allow"}}`, "", Outcome{Allowed: true}},
		{"approve where one can allow", on(harness.PreToolUse, harness.Allow), 0, `{"decision":"approve"}`, "", Outcome{Allowed: true}},
		{"approve and ask", on(harness.PreToolUse, harness.Allow, harness.Ask), 0, `{"decision":"approve","hookSpecificOutput":{"permissionDecision":"ask"}}`, "",
			Outcome{Asked: true, Reason: "h wants you to decide", NotCarried: []string{"decision:approve"}}},
		{"a request allowed where one can", on(harness.PermissionRequest, harness.Allow), 0,
			`{"hookSpecificOutput":{"decision":{"behavior":"allow","updatedPermissions":[],"interrupt":null}}}`, "",
			Outcome{Allowed: true, NotCarried: []string{"decision.updatedPermissions"}}},
		{"a stop where one can", on(harness.PreToolUse, harness.StopAgent), 0, `{"continue":false,"stopReason":"enough"}`, "",
			Outcome{Blocked: true, Reason: "enough", Stopped: true, Why: "enough"}},
		{"a stop without a reason", on(harness.PostToolUse, harness.StopAgent), 0, `{"continue":false}`, "",
			Outcome{Blocked: true, Reason: "stopped by h, which gave no reason", Stopped: true}},
		{"another result", on(harness.PostToolUse, harness.RewriteOutput), 0, `{"hookSpecificOutput":{"updatedToolOutput":{ "a": 1e400 }}}`, "", Outcome{Output: `{"a":1e400}`}},
		{"another result where one cannot", on(harness.PostToolUse), 0, `{"hookSpecificOutput":{"updatedToolOutput":"x"}}`, "",
			Outcome{NotCarried: []string{"updatedToolOutput"}}},
		{"a result before there is one", on(harness.PreToolUse, harness.RewriteOutput), 0, `{"hookSpecificOutput":{"updatedToolOutput":"x"}}`, "",
			Outcome{NotCarried: []string{"updatedToolOutput"}}},
		{"defer", tool, 0, `{"hookSpecificOutput":{"permissionDecision":"defer","permissionDecisionReason":"later"}}`, "",
			Outcome{Blocked: true, Reason: "blocked, because h defers the call and it cannot be taken up later here: later", NotCarried: []string{"permissionDecision:defer"}}},
		{"approve", tool, 0, `{"decision":"approve","reason":"fine"}`, "", Outcome{NotCarried: []string{"decision:approve"}}},
		{"a permission request allowed", on(harness.PermissionRequest), 0, `{"hookSpecificOutput":{"decision":{"behavior":"allow"}}}`, "",
			Outcome{NotCarried: []string{"decision.behavior:allow"}}},
		{"a request allowed with another input", on(harness.PermissionRequest, harness.Allow), 0,
			`{"hookSpecificOutput":{"decision":{"behavior":"allow","updatedInput":{"a":1}}}}`, "",
			Outcome{NotCarried: []string{"decision.behavior:allow", "decision.updatedInput"}}},

		// An answer counts whatever the exit status is, and exit 2 blocks whatever the answer is.
		{"exit 1 and a block", tool, 1, `{"decision":"block","reason":"no"}`, "x", Outcome{Blocked: true, Reason: "no"}},
		{"a signal and context", tool, -1, `{"hookSpecificOutput":{"additionalContext":"c"}}`, "", Outcome{Context: "c"}},
		{"exit 1 and nonsense types", tool, 1, `{"decision":7}`, "", Outcome{Fault: "its answer has decision 7; expected text"}},
		{"exit 2 and context", tool, 2, `{"hookSpecificOutput":{"additionalContext":"c"}}`, "no", Outcome{Blocked: true, Reason: "no", Context: "c"}},
		{"exit 2 and context on a stop", stop, 2, `{"hookSpecificOutput":{"additionalContext":"c"}}`, "no", Outcome{Blocked: true, Reason: "no\nc"}},
		{"exit 2 and an input", on(harness.PreToolUse, harness.RewriteInput), 2, `{"hookSpecificOutput":{"updatedInput":{"a":1}}}`, "no", Outcome{Blocked: true, Reason: "no"}},
		{"exit 2 and a deny, stderr too", tool, 2, `{"hookSpecificOutput":{"permissionDecision":"deny","permissionDecisionReason":"d"}}`, "no", Outcome{Blocked: true, Reason: "d"}},
		{"exit 2 and a question", on(harness.PreToolUse, harness.Ask), 2, `{"hookSpecificOutput":{"permissionDecision":"ask"}}`, "no", Outcome{Blocked: true, Reason: "no"}},
		{"exit 2 and the end of the run", on(harness.PreToolUse, harness.StopAgent), 2, `{"continue":false,"stopReason":"w"}`, "no",
			Outcome{Blocked: true, Reason: "no", Stopped: true, Why: "w"}},
		{"exit 2 and the end of the run at a stop", stop, 2, `{"continue":false}`, "no", Outcome{Released: true}},
		{"async", tool, 0, `{"async":true}`, "", Outcome{NotCarried: []string{"async"}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := Of(c.binding, Result{Handler: "h", Exit: c.exit, Stdout: c.stdout, Stderr: c.stderr})
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("%s: -want +got\n%s", c.stdout, diff)
			}
		})
	}
}

// An answer with a wrong type is a fault, not a guess; the fault names the key and what was expected.
func TestOfFaults(t *testing.T) {
	for stdout, want := range map[string]string{
		`{"decision":true}`:                                                "decision true; expected text",
		`{"decision":"Block"}`:                                             `decision "Block"; expected block, approve`,
		`{"decision":"block","reason":42}`:                                 "reason 42; expected text",
		`{"continue":"false"}`:                                             `continue "false"; expected true or false`,
		`{"stopReason":{}}`:                                                "stopReason {}; expected text",
		`{"systemMessage":[]}`:                                             "systemMessage []; expected text",
		`{"suppressOutput":1}`:                                             "suppressOutput 1; expected true or false",
		`{"hookSpecificOutput":"deny"}`:                                    `hookSpecificOutput "deny"; expected an object`,
		`{"hookSpecificOutput":{"hookEventName":"Stop"}}`:                  `hookEventName "Stop"; expected PreToolUse`,
		`{"hookSpecificOutput":{"permissionDecision":"block"}}`:            `permissionDecision "block"; expected allow, deny, ask, defer`,
		`{"hookSpecificOutput":{"permissionDecisionReason":1}}`:            "permissionDecisionReason 1; expected text",
		`{"hookSpecificOutput":{"additionalContext":["c"]}}`:               `additionalContext ["c"]; expected text`,
		`{"hookSpecificOutput":{"updatedInput":"ls"}}`:                     `updatedInput "ls"; expected an object`,
		`{"hookSpecificOutput":{"decision":"deny"}}`:                       `hookSpecificOutput.decision "deny"; expected an object`,
		`{"hookSpecificOutput":{"decision":{"behavior":"no"}}}`:            `behavior "no"; expected allow, deny`,
		`{"hookSpecificOutput":{"decision":{"message":1}}}`:                "message 1; expected text",
		`{"decision":"block","x":` + strings.Repeat("[", 10001) + "]":      "nested deeper than 10000 levels",
		`{"decision":"` + strings.Repeat("x", 100_000) + `","reason":"r"}`: "expected block, approve",
	} {
		got := Of(on(harness.PreToolUse), Result{Handler: "h", Stdout: stdout})
		if !strings.Contains(got.Fault, want) || got.Blocked || len(got.Fault) > 200 {
			t.Errorf("%.80s\n got %+v\nwant a fault with %q", stdout, got, want)
		}
	}
}

func TestFold(t *testing.T) {
	block := func(name, reason string) Part { return Part{name, true, Outcome{Blocked: true, Reason: reason}} }
	context := func(name, text string) Part { return Part{name, true, Outcome{Context: text}} }
	watcher := func(o Outcome) Part { return Part{"watcher", false, o} }
	for _, c := range []struct {
		name  string
		parts []Part
		want  harness.Verdict
		notes []string
	}{
		{"nobody", nil, harness.Verdict{}, nil},
		{"reasons in order", []Part{block("a", "one"), context("b", "c"), block("d", "two")}, harness.Verdict{Blocked: true, Reason: "one\ntwo"}, nil},
		{"contexts in order", []Part{context("a", "one"), {"b", true, Outcome{}}, context("c", "two")}, harness.Verdict{Context: "one\ntwo"}, nil},
		{"a release beats a block", []Part{block("a", "one"), {"b", true, Outcome{Released: true}}, block("c", "two")}, harness.Verdict{}, nil},
		{"a question", []Part{{"a", true, Outcome{Asked: true, Reason: "sure?"}}, context("b", "c")}, harness.Verdict{Ask: true, Reason: "sure?", Context: "c"}, nil},
		{"a block beats a question", []Part{{"a", true, Outcome{Asked: true, Reason: "sure?"}}, block("b", "no")}, harness.Verdict{Blocked: true, Reason: "no"}, nil},
		{"an observer's block", []Part{watcher(Outcome{Blocked: true, Reason: "no"})}, harness.Verdict{},
			[]string{"watcher gave a verdict on Stop, but is block: false; not obeyed: no"}},
		{"an observer's release", []Part{block("a", "one"), watcher(Outcome{Released: true})}, harness.Verdict{Blocked: true, Reason: "one"},
			[]string{"watcher gave a verdict on Stop, but is block: false; not obeyed"}},
		{"an observer's question", []Part{watcher(Outcome{Asked: true, Reason: "q"})}, harness.Verdict{},
			[]string{"watcher gave a verdict on Stop, but is block: false; not obeyed: q"}},
		{"the last input", []Part{{"a", true, Outcome{Input: `{"n":1}`}}, context("b", "c"), {"d", true, Outcome{Input: `{"n":2}`}}}, harness.Verdict{Input: `{"n":2}`, Context: "c"}, nil},
		{"a block beats what is to be called instead", []Part{{"a", true, Outcome{Blocked: true, Instead: true, Reason: "Rerun that"}}, block("b", "no")},
			harness.Verdict{Blocked: true, Reason: "no"}, nil},
		{"of two that are to be called instead the last", []Part{{"a", true, Outcome{Blocked: true, Instead: true, Reason: "Rerun one"}}, context("b", "c"),
			{"d", true, Outcome{Blocked: true, Instead: true, Reason: "Rerun two"}}}, harness.Verdict{Blocked: true, Reason: "Rerun two"}, nil},
		{"an input and a question", []Part{{"a", true, Outcome{Input: `{}`, Asked: true, Reason: "sure?"}}}, harness.Verdict{Ask: true, Reason: "sure?", Input: `{}`}, nil},
		{"a block beats an input", []Part{{"a", true, Outcome{Input: `{}`}}, block("b", "no")}, harness.Verdict{Blocked: true, Reason: "no"}, nil},
		{"an observer's input", []Part{watcher(Outcome{Input: `{}`})}, harness.Verdict{},
			[]string{"watcher gave a verdict on Stop, but is block: false; not obeyed"}},
		{"an observer's context", []Part{watcher(Outcome{Context: "c"})}, harness.Verdict{Context: "c"}, nil},
		{"an allow", []Part{{"a", true, Outcome{Allowed: true}}, context("b", "c")}, harness.Verdict{Allow: true, Context: "c"}, nil},
		{"a question beats an allow", []Part{{"a", true, Outcome{Allowed: true}}, {"b", true, Outcome{Asked: true, Reason: "q"}}}, harness.Verdict{Ask: true, Reason: "q"}, nil},
		{"a block beats an allow", []Part{{"a", true, Outcome{Allowed: true}}, block("b", "no")}, harness.Verdict{Blocked: true, Reason: "no"}, nil},
		{"a stop stays beside a block", []Part{{"a", true, Outcome{Blocked: true, Reason: "r", Stopped: true, Why: "w"}}, block("b", "no")},
			harness.Verdict{Blocked: true, Reason: "r\nno", Stop: true, Why: "w"}, nil},
		{"a result stays beside a block", []Part{{"a", true, Outcome{Output: `1`}}, block("b", "no")}, harness.Verdict{Blocked: true, Reason: "no", Output: `1`}, nil},
		{"an observer's allow", []Part{watcher(Outcome{Allowed: true})}, harness.Verdict{}, []string{"watcher gave a verdict on Stop, but is block: false; not obeyed"}},
		{"a notice where nobody shows it", []Part{watcher(Outcome{Notice: "n"})}, harness.Verdict{}, []string{"watcher says: n"}},
		{"lost effects", []Part{{"a", true, Outcome{NotCarried: []string{"x", "y"}}}}, harness.Verdict{},
			[]string{"a asked for x, y on Stop; that is not carried out here"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, notes := Fold(on(harness.Stop, harness.Ask), c.parts)
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Error(diff)
			}
			if diff := cmp.Diff(c.notes, notes); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// What a block does to the rest depends on the event.
func TestFoldByEvent(t *testing.T) {
	block, context := Part{"a", true, Outcome{Blocked: true, Reason: "no"}}, Part{"b", true, Outcome{Context: "c"}}
	question := Part{"q", true, Outcome{Asked: true, Reason: "sure?"}}
	start := harness.Binding{Event: harness.SessionStart, Can: []harness.Effect{harness.Context}}
	for _, c := range []struct {
		name    string
		binding harness.Binding
		parts   []Part
		want    harness.Verdict
		notes   []string
	}{
		{"of a tool call the model reads the reason and the context", on(harness.PreToolUse), []Part{context, block}, harness.Verdict{Blocked: true, Reason: "no\nc"}, nil},
		{"of a prompt that is dropped it reads nothing", on(harness.UserPromptSubmit), []Part{context, block}, harness.Verdict{Blocked: true, Reason: "no"}, nil},
		{"what cannot be blocked goes on", start, []Part{block, context}, harness.Verdict{Context: "c"},
			[]string{"a blocked SessionStart, which cannot be blocked here: no"}},
		{"a question that cannot be asked blocks", on(harness.PreToolUse), []Part{question, context}, harness.Verdict{Blocked: true, Reason: "sure?\nc"}, nil},
		{"beside a block nobody is asked", on(harness.PreToolUse), []Part{question, block}, harness.Verdict{Blocked: true, Reason: "no"}, nil},
	} {
		got, notes := Fold(c.binding, c.parts)
		if diff := cmp.Diff(c.want, got) + cmp.Diff(c.notes, notes); diff != "" {
			t.Errorf("%s: %s", c.name, diff)
		}
	}
}

func TestNoticesAreShownWhateverIsDecided(t *testing.T) {
	binding := on(harness.Stop, harness.Notify)
	for want, parts := range map[harness.Verdict][]Part{
		{Notice: "one\ntwo"}:                       {{"a", true, Outcome{Notice: "one"}}, {"b", false, Outcome{Notice: "two"}}},
		{Notice: "n", Blocked: true, Reason: "no"}: {{"a", true, Outcome{Notice: "n", Blocked: true, Reason: "no"}}},
		{Notice: "released"}:                       {{"a", true, Outcome{Notice: "released", Released: true}}},
	} {
		if got, notes := Fold(binding, parts); got != want || len(notes) > 0 {
			t.Errorf("got %+v, %v, want %+v", got, notes, want)
		}
	}
}
