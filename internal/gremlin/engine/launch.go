package engine

import (
	"crypto/rand"
	"encoding/hex"
	"fmt"
	"os/exec"
	"strconv"
	"strings"
	"time"

	"github.com/lorimer-dev/lorimer/internal/gremlin/driver"
	"github.com/lorimer-dev/lorimer/internal/gremlin/proc"
	"github.com/lorimer-dev/lorimer/internal/gremlin/record"
	"github.com/lorimer-dev/lorimer/internal/gremlin/warm"
	"github.com/lorimer-dev/lorimer/internal/harness"
)

// start is what a job's supervisor is handed: jobs/<job>.json.
type start struct {
	Job    string   `json:"job"`
	Argv   []string `json:"argv"` // with the program
	CWD    string   `json:"cwd"`
	Prompt string   `json:"prompt"` // file with the prompt, to be given on standard input; empty = it stands in argv
}

// pingBudget caps what a keep-warm call may cost, in US dollars.
const pingBudget = "0.50"

// methods is every call that a harness may have.
var methods = []string{harness.Train, harness.Fork, harness.ContinueIt, harness.Rebase, harness.Ping}

// method is a call of the harness, or a refusal by its name.
func method(d *harness.Driver, name string) (harness.Call, error) {
	c, ok := d.Methods[name]
	if !ok {
		return c, refuse("%s has no %s: its sessions cannot be used so", d.Name, name)
	}
	return c, nil
}

// prepare writes what the supervisor of a job needs, for a job that is in the registry already.
func (r *run) prepare(j *record.Job, l record.Launch, c harness.Call, base, text string) error {
	file := r.file("briefs", j.Job+".md")
	if err := r.dir.Write(file, []byte(text)); err != nil {
		return err
	}
	facts := map[string]string{
		"model": l.Model, "effort": l.Effort, "agent": l.Agent, "tools": l.Tools, "allowed_tools": l.AllowedTools,
		"permission": l.PermissionMode, "empty_mcp": r.file("mcp-empty.json"), "cwd": l.CWD, "base": base, "session": j.Session,
		"prompt": file, "ping_budget": pingBudget,
	}
	if j.BudgetUSD > 0 {
		facts["budget"] = strconv.FormatFloat(j.BudgetUSD, 'f', -1, 64)
	}
	s := start{Job: j.Job, Argv: append([]string{l.Binary.Path}, driver.Argv(c, facts, text)...), CWD: l.CWD}
	if c.Prompt == harness.ByStdin {
		s.Prompt = file
	}
	return r.dir.WriteJSON(r.file("jobs", j.Job+".json"), s)
}

// launch starts the supervisor of a job that is prepared. A detach that fails is the job's result, which wait reports.
func (r *run) launch(id string) error {
	argv := []string{r.e.Self, "_supervise", "--run", r.log, "--job", id}
	d, err := r.e.Platform.Detach(argv, r.dir.Path, r.file("raw", id+".sup.log"))
	if err != nil {
		return r.conclude(id, ending{status: record.Failed, reason: record.ReasonDetachFailed})
	}
	return r.changeJob(id, func(_ *record.Registry, j *record.Job) error {
		if j.Supervisor.PID == 0 {
			j.Supervisor = record.Process{PID: d.PID, Ctime: d.Ctime, Name: ""}
		}
		return nil
	})
}

// abandon takes back a job that could not even be prepared.
func (r *run) abandon(id string, cause error) error {
	r.change(func(reg *record.Registry) error {
		j := reg.Jobs[id]
		if j == nil {
			return nil
		}
		if b := reg.Bases[j.Base]; b != nil && j.Kind == record.Train {
			delete(reg.Bases, b.Base)
		}
		delete(reg.Jobs, id)
		return nil
	})
	return cause
}

// mark is the entry of the environment by which a job's processes are known, unique over runs.
func (r *run) mark(id string) string {
	return JobMarker + "=" + id + "." + warm.Fingerprint([]string{"run"}, map[string]string{"run": r.dir.Path})
}

// processes is what belongs to a job, for looking and ending.
func (r *run) processes(d *harness.Driver, j *record.Job) *proc.Job {
	p := &proc.Job{Platform: r.e.Platform, Root: j.Harness, Marks: []string{r.mark(j.Job)}}
	if j.Session != "" {
		for _, name := range d.Marker {
			p.Marks = append(p.Marks, name+"="+j.Session)
		}
	}
	p.Remember(j.Known)
	return p
}

// facts are the launch facts that a harness's row may name: those of the prefix, and env.NAME.
func (r *run) facts(l record.Launch, ttl time.Duration) map[string]string {
	binary := l.Binary.Version
	if binary == "" {
		binary = l.Binary.Path
	}
	return map[string]string{
		"binary": binary, "model": l.Model, "effort": l.Effort, "agent": l.Agent, "tools": l.Tools, "allowed_tools": l.AllowedTools,
		"permission": l.PermissionMode, "mcp": "empty", "ttl": ttl.String(),
	}
}

// ttl is the life of the cache of sessions started now.
func (r *run) ttl(d *harness.Driver, l record.Launch) time.Duration {
	facts := r.facts(l, 0)
	return warm.TTL(d.Cache, func(key string) (string, bool) {
		if name, ok := strings.CutPrefix(key, "env."); ok {
			return r.e.lookup(name)
		}
		v := facts[key]
		return v, v != ""
	})
}

// state is how warm a base is now.
func (r *run) state(reg *record.Registry, b *record.Base) warm.State {
	return r.life(reg, b).State(b.Touch.Warm(), r.e.Now())
}

// life is how long a base's cache lives. The margin is the run's as it is now, also for a base that was trained before.
func (r *run) life(reg *record.Registry, b *record.Base) warm.Life {
	return warm.Life{TTL: seconds(b.TTLS), Margin: seconds(reg.Launch.WarmMarginS)}
}

// head is the commit that the working directory is at; empty where there is none.
func (r *run) head(cwd string) string {
	git, err := r.e.lookPath("git")
	if err != nil {
		return ""
	}
	cmd := exec.Command(git, "rev-parse", "HEAD")
	cmd.Dir, cmd.Env, cmd.SysProcAttr = cwd, r.e.Env, r.e.Platform.ProcAttr(false)
	out, err := cmd.Output()
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(out))
}

// newSession is a random id in the form of a UUID.
func newSession() string {
	var b [16]byte
	rand.Read(b[:])
	b[6], b[8] = b[6]&0x0f|0x40, b[8]&0x3f|0x80
	h := hex.EncodeToString(b[:])
	return fmt.Sprintf("%s-%s-%s-%s-%s", h[:8], h[8:12], h[12:16], h[16:20], h[20:])
}
