package pulse

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/lorimer-dev/lorimer/internal/state"
)

// agent is what the files say of one.
type agent struct {
	id      string
	status  string // of its hook: empty, pending, active, completed
	work    []byte // JSON of its work item; nil = none
	runtime string // as it is written down; empty = nowhere
	session string
	active  time.Time // its newest sign of life
	sign    string    // where that stands
}

// reader reads agents and collects what it had to pass over.
type reader struct {
	dir      string // the state directory
	home     string // Lorimer's own state home, where sessions' timelines are; empty = none
	now      time.Time
	warnings []string
}

func (r *reader) warn(path string, err error) {
	text := fmt.Sprintf("%s is passed over: %v", path, err)
	for _, w := range r.warnings {
		if w == text {
			return
		}
	}
	r.warnings = append(r.warnings, text)
}

// object reads a file of the state directory; nil when it is not there or cannot be read.
func (r *reader) object(elem ...string) object {
	path := filepath.Join(append([]string{r.dir}, elem...)...)
	o, err := readObject(path)
	if err != nil {
		if !errors.Is(err, fs.ErrNotExist) {
			r.warn(path, err)
		}
		return nil
	}
	return o
}

// agent puts together what is known of one, and false when its hook cannot be read.
func (r *reader) agent(id string) (agent, bool) {
	hook := r.object("hooks", id+".json")
	if hook == nil {
		return agent{}, false
	}
	who, beat := r.object("agents", id+".json"), r.object("heartbeats", id+".json")
	a := agent{id: id, status: hook.text("status"), work: hook.get("workItem", "work_item")}
	for _, o := range []object{hook, who, beat} {
		if a.runtime == "" {
			a.runtime = o.text("runtime", "provider")
		}
		if a.session == "" {
			a.session = o.text("sessionId", "session_id")
		}
	}
	r.signs(&a, hook, beat)
	return a, true
}

// signs looks for the newest sign of life.
func (r *reader) signs(a *agent, hook, beat object) {
	file := filepath.Join(r.dir, "hooks", a.id+".json")
	said, err := hook.moment("lastActivity", "last_activity")
	if err != nil {
		r.warn(file, err)
	}
	r.newer(a, "lastActivity", file, said)
	r.newer(a, "file", file, changed(file))
	beatFile := filepath.Join(r.dir, "heartbeats", a.id+".json")
	if said, err = beat.moment("timestamp"); err != nil {
		r.warn(beatFile, err)
	}
	r.newer(a, "heartbeat", beatFile, said)
	if a.session != "" && r.home != "" {
		timeline := filepath.Join(state.SessionDir(r.home, a.session), "timeline.jsonl")
		r.newer(a, "timeline", timeline, changed(timeline))
	}
}

// skew is how far a clock may be ahead of ours.
const skew = time.Minute

// newer keeps the newest. A time that is yet to come would hide a stall for ever.
func (r *reader) newer(a *agent, sign, path string, t time.Time) {
	if t.After(r.now.Add(skew)) {
		r.warn(path, fmt.Errorf("its time %s is yet to come", t.UTC().Format(time.RFC3339)))
		return
	}
	if t.After(a.active) {
		a.active, a.sign = t, sign
	}
}

func changed(path string) time.Time {
	info, err := os.Stat(path)
	if err != nil {
		return time.Time{}
	}
	return info.ModTime()
}

// works says whether there is something that the agent ought to be doing.
func (a agent) works() bool {
	switch a.status {
	case "empty", "completed":
		return false
	case "pending", "active":
		return true
	}
	return a.work != nil
}
