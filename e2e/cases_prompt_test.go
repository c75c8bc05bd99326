//go:build linux

package e2e

// promptCases are about what a prompt begins with.
var promptCases = []testCase{
	{
		name: "context reaches the model",
		answers: map[string]string{
			"SessionStart":     "context 'START — “ß” 🐎'",
			"UserPromptSubmit": "context 'PROMPT — “ß” 🐎'",
		},
		script: saysDone,
		checks: append(always(requests(1), reads(1, prompt)),
			dispatched("UserPromptSubmit", 1),
			field("SessionStart", 0, is("startup"), "source"),
			field("UserPromptSubmit", 0, is(prompt), "prompt"),
			reads(1, "START — “ß” 🐎"),
			reads(1, "PROMPT — “ß” 🐎"),
			dispatched("Stop", 1),
			field("Stop", 0, is("false"), "stop_hook_active"),
			field("Stop", 0, lastMessage("done"), "last_assistant_message"),
		),
	},
	{
		name:    "a blocked prompt is not asked",
		ending:  true,
		answers: map[string]string{"UserPromptSubmit": "block " + quoted(reason)},
		script:  saysDone,
		exit:    refusedStatus,
		loud:    []string{"lorimer: no — "},
		checks:  []check{dispatched("UserPromptSubmit", 1), requests(0), dispatched("Stop", 0)},
	},
}
