package conform

import (
	"context"
	"encoding/json"
)

// stage is an imitated host, with the artifacts of one clone in it.
type stage interface {
	// play fires the host events of one play and returns what the host saw of it.
	play(ctx context.Context, a act) (seen, error)
	// close ends the host. It returns what it wrote to its streams that was not asked for.
	close() (streams, error)
}

// streams is what a host's process wrote beside its answers.
type streams struct{ stdout, stderr string }

// act is one thing that a host plays.
type act struct {
	Events  []string  `json:"events"` // host events, in their order
	Session session   `json:"session"`
	Text    string    `json:"text"`
	Call    *toolCall `json:"call,omitempty"`
	Play    string    `json:"play"`
	How     string    `json:"how"`
	Active  *bool     `json:"active,omitempty"` // the host's own loop bit; nil: it does not say
	Times   int       `json:"times,omitempty"`  // at the same time; 0 = once
}

// session is the host's session that something happens in.
type session struct {
	ID         string `json:"id"`
	Parent     string `json:"parent,omitempty"` // of a sub-agent
	From       string `json:"from,omitempty"`   // of a main session that was forked
	Transcript string `json:"transcript"`
}

// toolCall is a call in the host's words.
type toolCall struct {
	Name   string          `json:"name"`
	ID     string          `json:"id"`
	Input  json.RawMessage `json:"input"`
	Output string          `json:"output"`
}
