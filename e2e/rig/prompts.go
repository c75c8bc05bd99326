//go:build linux

package rig

import (
	"context"
	"encoding/json"
)

// Prompt gives a host in its mode Prompts something to do, and returns when it has done it. Where it asks whether a tool may run,
// nobody is there who would allow it. The lines are those of Claude Code's stream-json, which others have taken over.
func (p *Process) Prompt(ctx context.Context, text string) error {
	type object = map[string]any
	read := len(p.Lines())
	if read == 0 { // what speaks first is told where it is asked
		if err := p.Send(object{"type": "control_request", "request_id": "first", "request": object{"subtype": "initialize"}}); err != nil {
			return err
		}
	}
	if err := p.Send(object{"type": "user", "session_id": "", "parent_tool_use_id": nil, "message": object{"role": "user", "content": text}}); err != nil {
		return err
	}
	var failed error
	err := p.Output(ctx, func(lines []string) bool {
		done := false
		for ; read < len(lines) && failed == nil; read++ {
			var m struct {
				Type string
				ID   string `json:"request_id"`
			}
			_ = json.Unmarshal([]byte(lines[read]), &m)
			done = done || m.Type == "result"
			if m.Type == "control_request" {
				failed = p.Send(object{"type": "control_response", "response": object{
					"subtype": "success", "request_id": m.ID, "response": object{"behavior": "deny"}}})
			}
		}
		return done || failed != nil
	})
	if failed != nil {
		return failed
	}
	return err
}
