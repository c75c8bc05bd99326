package dispatch

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"

	"github.com/lorimer-dev/lorimer/internal/harness"
	"github.com/lorimer-dev/lorimer/internal/rawjson"
	"github.com/lorimer-dev/lorimer/internal/state"
)

// stops is where the blocked stops of one agent are counted: the session's main agent or one of its sub-agents.
type stops struct {
	file  string // stop.json, gone when nothing is counted
	tools string // one byte for each tool event; only ever appended to, so that no event gets lost
}

// stopState is what is known of the last blocked stop. Its zero value is "none".
type stopState struct {
	count  int    // blocked stops since the last one that nobody blocked, or the last prompt
	active bool   // the agent goes on because the last stop was blocked: the bit
	reason string // of the last one, see keptReason
	same   int    // how often that reason came in a row, with no tool call in between
	tools  int64  // tool events that were seen by then
	echo   bool   // no stop came since: the reason may come back as a prompt
}

// stops finds the place. Where the host names no session, all of the clone's count together: a cap that is reached too early
// is better than a loop without one.
func (c *call) stops() stops {
	home := c.stateHome()
	if home == "" {
		return stops{}
	}
	session, agent := c.text("session_id"), ""
	if session == "" {
		session = c.root
	}
	if id := c.text("agent_id"); id != "" {
		agent = "-" + state.FileName(id)
	}
	dir := state.SessionDir(home, session)
	return stops{file: filepath.Join(dir, "stop"+agent+".json"), tools: filepath.Join(dir, "tools"+agent)}
}

// read returns what is known. A file that is damaged counts as none.
func (s stops) read() (known stopState) {
	src, err := os.ReadFile(s.file)
	if err != nil {
		return known
	}
	o, ok := rawjson.ParseObject(string(src))
	if !ok {
		return known
	}
	number := func(key string) int64 {
		n, _ := strconv.ParseInt(o[key], 10, 64) // not a number: 0
		return max(n, 0)
	}
	return stopState{
		count: int(number("count")), active: o["active"] == "true", reason: rawjson.String(o["reason"]), same: int(number("same")),
		tools: number("tools"), echo: o["echo"] == "true",
	}
}

func (s stops) write(now stopState) error {
	if s.file == "" {
		return errors.New("there is no state home; set LORIMER_HOME")
	}
	var out harness.Payload
	out.Raw("count", strconv.Itoa(now.count))
	out.Raw("active", strconv.FormatBool(now.active))
	out.String("reason", now.reason)
	out.Raw("same", strconv.Itoa(now.same))
	out.Raw("tools", strconv.FormatInt(now.tools, 10))
	out.Raw("echo", strconv.FormatBool(now.echo))
	return state.Write(s.file, append(out.Bytes(), '\n'))
}

// forget begins anew.
func (s stops) forget() {
	if s.file != "" {
		_ = os.Remove(s.file)
	}
}

// noteTool remembers a tool event. If it cannot, the tool calls of the session stay unknown, and unknown ends no gate.
func (s stops) noteTool() {
	if s.tools == "" {
		return
	}
	f, err := os.OpenFile(s.tools, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if errors.Is(err, fs.ErrNotExist) && os.MkdirAll(filepath.Dir(s.tools), 0o700) == nil {
		f, err = os.OpenFile(s.tools, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	}
	if err == nil {
		_, _ = f.Write([]byte{'.'})
		f.Close()
	}
}

func (s stops) toolsSeen() int64 {
	info, err := os.Stat(s.tools)
	if err != nil {
		return 0
	}
	return info.Size()
}
