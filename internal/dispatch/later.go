package dispatch

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/lorimer-dev/lorimer/internal/harness"
	"github.com/lorimer-dev/lorimer/internal/rawjson"
	"github.com/lorimer-dev/lorimer/internal/state"
)

// Claude's model reads the context of a tool call behind its result, also what was said before the tool ran. A host that takes
// none before the tool is given it after (harness.Binding.Later): in between it lies in the session's directory, under what both
// events say of the call. Of calls that are equal in everything, either may get it: it was said of both.

// handOver keeps the context of this event for a later one, and puts what an earlier one kept with that of this.
func (c *call) handOver(v harness.Verdict) harness.Verdict {
	if c.harness == nil || c.trial != nil {
		return v
	}
	if c.binding.Later != "" && v.Context != "" && !v.Blocked {
		if err := c.keepContext(c.binding.Later, v); err != nil {
			c.say(fmt.Sprintf("the context for the model on %s is lost: %v", c.event, err))
		}
		v.Context = ""
	}
	if kept := c.takeContext(); kept != "" {
		if v.Blocked { // the reason is all that is read of it
			v.Reason = strings.Join([]string{v.Reason, kept}, "\n")
		} else {
			v.Context = strings.Join(appendNonEmpty([]string{kept}, v.Context), "\n")
		}
	}
	return v
}

func appendNonEmpty(texts []string, text string) []string {
	if text == "" {
		return texts
	}
	return append(texts, text)
}

// keepContext adds a line, because several hooks of one call may write at a time.
func (c *call) keepContext(later harness.Event, v harness.Verdict) error {
	input := v.Input
	if input == "" {
		input = c.fields["tool_input"]
	}
	path := c.keptFile(later, c.callKey(input))
	if path == "" {
		return errors.New("there is no state home, or the session has no name; set LORIMER_HOME")
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	f, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = f.WriteString(harness.Quoted(v.Context) + "\n")
	return errors.Join(err, f.Close())
}

// takeContext returns what was kept for this call of this event, and forgets it.
func (c *call) takeContext() string {
	if !c.isLater() {
		return ""
	}
	path := c.keptFile(c.slot, c.callKey(c.fields["tool_input"]))
	src, err := os.ReadFile(path)
	if path == "" || errors.Is(err, fs.ErrNotExist) || os.Remove(path) != nil {
		return "" // another process has taken it
	}
	var texts []string
	for line := range strings.Lines(string(src)) {
		texts = appendNonEmpty(texts, rawjson.String(strings.TrimSpace(line)))
	}
	return strings.Join(texts, "\n")
}

// callKey tells tool calls apart: by the host's own id where there is one, else by their input.
func (c *call) callKey(input string) string {
	if id := c.text("tool_use_id"); id != "" {
		return harness.Quoted(id)
	}
	return input
}

// isLater says whether context of another event is given at this one.
func (c *call) isLater() bool {
	for _, b := range c.harness.Events {
		if b.Later == c.slot {
			return true
		}
	}
	return false
}

// keptFile is where context for a call lies until the event; "" when there is no such place.
func (c *call) keptFile(at harness.Event, input string) string {
	home, session := c.stateHome(), c.text("session_id")
	if home == "" || session == "" {
		return ""
	}
	call := strings.Join([]string{string(at), c.text("agent_id"), c.text("tool_name"), rawjson.Canonical(input)}, "\x00")
	sum := sha256.Sum256([]byte(call))
	return filepath.Join(state.SessionDir(home, session), "context-"+hex.EncodeToString(sum[:12]))
}
