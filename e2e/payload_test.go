//go:build linux

package e2e

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/lorimer-dev/lorimer/e2e/rig"
)

// keys are the payload's keys of each event, in order. Claude's own payload is passed on as it is; that of a host with a shim
// is Lorimer's, in the order of the contract.
var keys = map[*rig.Host]map[string]string{
	rig.Claude: {
		"SessionStart": "session_id transcript_path cwd hook_event_name source",
		"SessionStart fork": "session_id transcript_path cwd hook_event_name source" +
			" seconds_since_last_response context_tokens prompt_cache_likely_expired estimated_cache_write_usd",
		"UserPromptSubmit": "session_id transcript_path cwd prompt_id permission_mode hook_event_name prompt",
		"PreToolUse":       "session_id transcript_path cwd prompt_id permission_mode effort hook_event_name tool_name tool_input tool_use_id",
		"PostToolUse":      "session_id transcript_path cwd prompt_id permission_mode effort hook_event_name tool_name tool_input tool_response tool_use_id duration_ms",
		"Stop":             "session_id transcript_path cwd prompt_id permission_mode effort hook_event_name stop_hook_active last_assistant_message background_tasks session_crons",
		"SessionEnd":       "session_id transcript_path cwd prompt_id hook_event_name reason",
	},
	rig.Codex: {
		"SessionStart":     "session_id transcript_path cwd permission_mode hook_event_name model source",
		"UserPromptSubmit": "session_id transcript_path cwd permission_mode hook_event_name model prompt",
		"PreToolUse":       "session_id transcript_path cwd permission_mode hook_event_name model tool_name tool_use_id tool_input",
		"PostToolUse":      "session_id transcript_path cwd permission_mode hook_event_name model tool_name tool_use_id tool_input tool_response",
		"Stop":             "session_id transcript_path cwd permission_mode hook_event_name model stop_hook_active last_assistant_message",
		"SessionEnd":       "session_id transcript_path cwd hook_event_name reason",
	},
	rig.Pi:  shimKeys,
	rig.Omp: shimKeys,
	rig.Qwen: {
		"SessionStart":     "session_id transcript_path cwd permission_mode hook_event_name model source",
		"UserPromptSubmit": "session_id transcript_path cwd permission_mode hook_event_name prompt_id prompt",
		"PreToolUse":       "session_id transcript_path cwd permission_mode hook_event_name prompt_id tool_name tool_use_id tool_input",
		"PostToolUse":      "session_id transcript_path cwd permission_mode hook_event_name prompt_id duration_ms tool_name tool_use_id tool_input tool_response",
		"Stop":             "session_id transcript_path cwd permission_mode hook_event_name prompt_id stop_hook_active last_assistant_message",
	},
	rig.Gemini: {
		"SessionStart":     "session_id transcript_path cwd hook_event_name source",
		"UserPromptSubmit": "session_id transcript_path cwd hook_event_name prompt",
		"PreToolUse":       "session_id transcript_path cwd hook_event_name tool_name tool_input", // calls have no id
		"PostToolUse":      "session_id transcript_path cwd hook_event_name tool_name tool_input tool_response",
		"Stop":             "session_id transcript_path cwd hook_event_name stop_hook_active",
		"SessionEnd":       "session_id transcript_path cwd hook_event_name reason",
	},
	rig.Opencode: withoutTranscript(shimKeys), // it keeps sessions in a database
	rig.Copilot: {
		"SessionStart":     "session_id cwd hook_event_name source",
		"UserPromptSubmit": "session_id cwd hook_event_name prompt",
		"PreToolUse":       "session_id cwd hook_event_name tool_name tool_input",
		"PostToolUse":      "session_id cwd hook_event_name tool_name tool_input tool_response",
		"Stop":             "session_id transcript_path cwd hook_event_name stop_hook_active",
		"SessionEnd":       "session_id cwd hook_event_name reason",
	},
}

var shimKeys = map[string]string{
	"SessionStart":     "session_id transcript_path cwd hook_event_name source",
	"UserPromptSubmit": "session_id transcript_path cwd hook_event_name prompt",
	"PreToolUse":       "session_id transcript_path cwd hook_event_name tool_name tool_use_id tool_input",
	"PostToolUse":      "session_id transcript_path cwd hook_event_name tool_name tool_use_id tool_input tool_response",
	"Stop":             "session_id transcript_path cwd hook_event_name stop_hook_active last_assistant_message",
	"SessionEnd":       "session_id transcript_path cwd hook_event_name reason",
}

func withoutTranscript(all map[string]string) map[string]string {
	out := map[string]string{}
	for event, keys := range all {
		out[event] = strings.Replace(keys, "transcript_path ", "", 1)
	}
	return out
}

// ending is what stands behind the object: nothing, but what a host puts there that is passed on byte for byte.
var ending = map[*rig.Host]string{rig.Claude: "\n"}

// wellFormed holds when every payload and every handler's surroundings are what the contract promises.
var wellFormed = check{what: "payloads and surroundings of the handlers are as promised", test: func(o *outcome) error {
	calls := o.Calls("")
	if len(calls) == 0 {
		return errors.New("no handler was called")
	}
	var errs []error
	for _, c := range calls {
		if err := errors.Join(payload(o, c), surroundings(o, c)); err != nil {
			errs = append(errs, fmt.Errorf("%s: %w\npayload: %s", c.Label, err, c.Payload))
		}
	}
	return errors.Join(errs...)
}}

func payload(o *outcome, c rig.Call) error {
	if text := strings.TrimSuffix(c.Payload, ending[o.Host]); !json.Valid([]byte(text)) || text[0] != '{' || text[len(text)-1] != '}' {
		return errors.New("not one JSON object without anything around it")
	}
	if slices.Contains(c.Keys(), "agent_id") {
		return errors.New("agent_id in the main session")
	}
	return errors.Join(
		same(strings.Join(c.Keys(), " "), keysOf(o.Host, c)),
		same(c.Get("hook_event_name"), c.Label),
		same(c.Get("cwd"), o.Clone),
		nonempty(c, "session_id"), nonempty(c, c.Keys()[1]), // the latter is transcript_path where there is one
	)
}

func keysOf(h *rig.Host, c rig.Call) string {
	if s := keys[h][c.Label+" "+c.Get("source")]; s != "" {
		return s
	}
	return keys[h][c.Label]
}

func nonempty(c rig.Call, key string) error {
	if c.Get(key) == "" {
		return fmt.Errorf("%s is empty", key)
	}
	return nil
}

func surroundings(o *outcome, c rig.Call) error {
	want := map[string]string{
		"LORIMER_HARNESS":    o.Host.ID,
		"LORIMER_EVENT":      c.Label,
		"LORIMER_CWD":        o.Clone,
		"LORIMER_DEPTH":      "1",
		"CLAUDE_PROJECT_DIR": o.Clone,
		"HOME":               o.Home,
	}
	errs := []error{same(c.Dir, o.Clone)}
	gates := c.Label == "UserPromptSubmit" || c.Label == "PreToolUse" || c.Label == "Stop"
	if can := strings.Split(c.Env["LORIMER_CAN"], ","); gates && !slices.Contains(can, "block") || c.Label == "SessionEnd" && can[0] != "" {
		errs = append(errs, fmt.Errorf("LORIMER_CAN is %q", can))
	}
	for k, v := range want {
		if c.Env[k] != v {
			errs = append(errs, fmt.Errorf("%s=%q, expected %q", k, c.Env[k], v))
		}
	}
	return errors.Join(errs...)
}

// sessions holds when the events name n different sessions.
func sessions(n int) check {
	return check{what: fmt.Sprintf("the events name %d sessions", n), test: func(o *outcome) error {
		ids := map[string]int{}
		for _, c := range o.Calls("") {
			ids[c.Get("session_id")]++
		}
		if len(ids) != n {
			return fmt.Errorf("events by session: %v", ids)
		}
		return nil
	}}
}
