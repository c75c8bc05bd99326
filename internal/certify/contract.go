package certify

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/lorimer-dev/lorimer/internal/conform"
	"github.com/lorimer-dev/lorimer/internal/harness"
)

// Fact is one statement of a contract, and what was seen.
type Fact struct {
	Fact  string `json:"fact"`
	Holds bool   `json:"holds"`
	Seen  string `json:"seen"`
}

// Contract runs an installed runtime against a fake model and holds what it did against its contract. c names the program; its
// other fields are conform's. The error says why nothing was seen.
func Contract(ctx context.Context, c conform.Config, row *harness.Certified, runtime string) ([]Fact, error) {
	if row.Contract == nil {
		return nil, fmt.Errorf("the descriptor of %s has no contract", row.Name)
	}
	o := &observer{config: c, row: row, runtime: runtime}
	var err error
	if o.dir, err = os.MkdirTemp("", "lc"); err != nil {
		return nil, err
	}
	defer os.RemoveAll(o.dir)
	if err := o.run(ctx); err != nil {
		return nil, err
	}
	for _, part := range []func(*observer){(*observer).events, (*observer).absent, (*observer).denial, (*observer).isolation} {
		part(o)
	}
	return o.facts, nil
}

// observer collects what was seen.
type observer struct {
	config  conform.Config
	row     *harness.Certified
	runtime string // the directory of what is installed; empty: unknown
	dir     string
	plain   sight // a run with a shell call
	refused sight // a run in which the shell call needs an approval; empty when the contract has no denial
	facts   []Fact
}

// sight is what was seen of one run.
type sight struct {
	conform.Sight
	fired []fired
}

// fired is one event of the host's.
type fired struct {
	Event  string          `json:"event"`
	Fields json.RawMessage `json:"fields"`
}

func (o *observer) run(ctx context.Context) (err error) {
	if o.plain, err = o.observe(ctx, "plain", &harness.Denial{}); err != nil || o.row.Contract.Denial == nil {
		return err
	}
	o.refused, err = o.observe(ctx, "refused", o.row.Contract.Denial)
	return err
}

// observe runs the program once. HOME is not moved, so that what does not follow the other variables can be seen.
func (o *observer) observe(ctx context.Context, name string, d *harness.Denial) (s sight, err error) {
	root := filepath.Join(o.dir, name)
	p := Paths{Root: root, Runtime: o.runtime, Agent: filepath.Join(root, "agent"), Home: filepath.Join(root, "home"), Auth: filepath.Join(root, "auth")}
	for _, dir := range []string{p.Agent, p.Home, p.Auth} {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			return s, err
		}
	}
	set := p.variables(o.row)
	delete(set, "HOME")
	log := filepath.Join(root, "fired")
	set["LORIMER_FIRED"] = log
	c := o.config
	c.Env = append(slices.Clone(c.Env), pairs(set)...)
	t := conform.Trial{Argv: d.Argv, Input: d.Input, Shell: "echo RESULT > ran"}
	t.Moved, t.MovedTo = o.moved(p)
	if t.Shim, err = fs.ReadFile(c.Golden, harness.Probe(o.row.ID)); err != nil {
		t.Shim = nil // it starts commands: the hooks are the probe
	}
	if s.Sight, err = conform.Observe(ctx, c, t); err != nil {
		return s, err
	}
	if t.Shim == nil {
		s.fired = o.dispatched(s.Calls)
		return s, nil
	}
	data, err := os.ReadFile(log)
	if err != nil {
		return s, fmt.Errorf("%s did not load the module that listens for its events: exit status %d, %s", o.row.Name, s.Exit, cut(oneLine(s.Output), 500))
	}
	s.fired = firedIn(data)
	return s, nil
}

// moved is the directory that follows the variables, below HOME, and where it lies for them: that of the agent, or for one that
// is given another home as a whole, the first that the contract says is isolated.
func (o *observer) moved(p Paths) (from, to string) {
	if from = o.row.Agent; from == "" && len(o.row.Contract.Isolated) > 0 {
		from = strings.TrimPrefix(o.row.Contract.Isolated[0], "~/")
	}
	if from == "" {
		return "", ""
	}
	return from, p.Place(o.row, "~/"+from)
}

func firedIn(data []byte) (all []fired) {
	lines := bufio.NewScanner(bytes.NewReader(data))
	lines.Buffer(nil, 64<<20)
	for lines.Scan() {
		var f fired
		if json.Unmarshal(lines.Bytes(), &f) == nil {
			all = append(all, f)
		}
	}
	return all
}

// dispatched are the host events behind the calls of handlers.
func (o *observer) dispatched(calls map[harness.Event]int) (all []fired) {
	for _, h := range o.config.Table {
		if h.ID != o.row.ID {
			continue
		}
		for _, b := range h.Events {
			for range calls[b.Event] {
				all = append(all, fired{Event: b.Host})
			}
		}
	}
	return all
}

func (o *observer) fact(holds bool, seen, format string, args ...any) {
	o.facts = append(o.facts, Fact{Fact: fmt.Sprintf(format, args...), Holds: holds, Seen: seen})
}

func (o *observer) count(event string) (plain, refused int) {
	of := func(list []fired) (n int) {
		for _, f := range list {
			if f.Event == event {
				n++
			}
		}
		return n
	}
	return of(o.plain.fired), of(o.refused.fired)
}

// events: each must come in one of the runs.
func (o *observer) events() {
	declared := o.declarations()
	for _, e := range o.row.Contract.Events {
		plain, refused := o.count(e)
		seen := fmt.Sprintf("%d in a run with a tool call", plain)
		if o.row.Contract.Denial != nil {
			seen += fmt.Sprintf(", %d in one with a refused call", refused)
		}
		declares := declared == nil || declares(declared, e)
		if !declares {
			seen += ", and it is not declared in " + o.row.Contract.Types
		}
		o.fact(plain+refused > 0 && declares, seen, "the event %s comes", e)
	}
}

// absent: none of these may come, or be declared.
func (o *observer) absent() {
	declared := o.declarations()
	for _, e := range o.row.Contract.NoEvents {
		plain, refused := o.count(e)
		seen := "never"
		if declared != nil && declares(declared, e) {
			seen = "it is declared in " + o.row.Contract.Types
		}
		if plain+refused > 0 {
			seen = fmt.Sprintf("%d times", plain+refused)
		}
		o.fact(seen == "never", seen, "there is no event %s", e)
	}
}

// declarations are the host's own types; nil when the contract names no file of them, or what is installed is not known.
func (o *observer) declarations() []byte {
	if o.row.Contract.Types == "" || o.runtime == "" {
		return nil
	}
	data, err := os.ReadFile(filepath.Join(o.runtime, filepath.FromSlash(o.row.Contract.Types)))
	if err != nil {
		return []byte{} // gone: nothing is declared
	}
	return data
}

// declares says whether the name stands there as a string.
func declares(types []byte, event string) bool {
	return bytes.Contains(types, []byte(`"`+event+`"`)) || bytes.Contains(types, []byte(`'`+event+`'`))
}

// denial: the call is not run, and that is told in the contract's way.
func (o *observer) denial() {
	d := o.row.Contract.Denial
	if d == nil {
		return
	}
	asked := func(s sight) (ran bool, seen string) {
		ran = slices.Contains(s.Clone, "ran")
		return ran, fmt.Sprintf("it ran: %v, the model was asked %d times", ran, len(s.Requests))
	}
	ran, seen := asked(o.plain)
	o.fact(ran, seen, "a call that needs no approval is run")
	ran, seen = asked(o.refused)
	o.fact(!ran && len(o.refused.Requests) > 1, seen, "a call that nobody approves is not run")
	if d.Event != "" {
		o.fact(o.told(d), o.shows(d.Event), "a refused approval is told by %s where %s", d.Event, conditions(d.Where))
	}
	if d.Reads != "" {
		o.fact(o.reads(d.Reads), o.results(), "in its place the model reads %s", d.Reads)
	}
}

func (o *observer) told(d *harness.Denial) bool {
	return slices.ContainsFunc(o.refused.fired, func(f fired) bool {
		return f.Event == d.Event && harness.AllHold(d.Where, func(key string) (string, bool) {
			v := gjson.GetBytes(f.Fields, key)
			return v.String(), v.Exists()
		})
	})
}

// shows are the fields of an event as they came.
func (o *observer) shows(event string) string {
	for _, f := range o.refused.fired {
		if f.Event == event {
			return cut(oneLine(string(f.Fields)), maxReported)
		}
	}
	return "it did not come"
}

func conditions(list []harness.Predicate) string {
	var words []string
	for _, p := range list {
		switch {
		case p.In != nil:
			words = append(words, p.Key+" is "+strings.Join(p.In, " or "))
		case p.NotIn != nil:
			words = append(words, p.Key+" is not "+strings.Join(p.NotIn, " or "))
		case p.Match != "":
			words = append(words, p.Key+" matches "+p.Match)
		case p.Absent:
			words = append(words, p.Key+" is absent")
		default:
			words = append(words, p.Key+" is there")
		}
	}
	return strings.Join(words, " and ")
}

func (o *observer) reads(pattern string) bool {
	re, err := regexp.Compile(pattern)
	if err != nil {
		return false
	}
	for _, r := range o.refused.Requests.Results() {
		if re.MatchString(r.Text) {
			return true
		}
	}
	return false
}

func (o *observer) results() string {
	for _, r := range o.refused.Requests.Results() {
		return cut(oneLine(r.Text), maxReported)
	}
	return "no result"
}
