package claudehooks

import (
	"fmt"
	"math"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/lorimer-dev/lorimer/internal/harness"
	"github.com/lorimer-dev/lorimer/internal/hookmatch"
	"github.com/lorimer-dev/lorimer/internal/rawjson"
	"github.com/lorimer-dev/lorimer/internal/strictyaml"
)

// Entry is one hook: a command that runs on one event.
type Entry struct {
	File      string
	Pos       strictyaml.Pos // of the entry
	Name      string         // file, event and place in it: settings.json:PreToolUse[0].hooks[1]
	Event     harness.Event
	Matcher   string // "" = all
	If        string // a permission rule that the tool call must fit; "" = none
	Command   string // a shell line, or with Direct the program
	Args      []string
	Direct    bool          // there are args, so no shell
	Timeout   time.Duration // 0 = the event's own
	TimeoutAt strictyaml.Pos
	Async     bool   // not waited for
	Blocks    bool   // onFailure: block: a hook that fails counts as one that blocks
	Group     string // the group that it stands in, as a text
}

// Source is what one file gives.
type Source struct {
	Entries  []Entry
	Warnings strictyaml.Faults // what Claude drops, or what only Claude runs
	Faults   strictyaml.Faults // what must be mended first
	Disabled *bool             // disableAllHooks; nil = not said
	Only     *bool             // allowManagedHooksOnly of a managed file; nil = not said
	Env      string            // the env object as it stands; "" = there is none, or the file does not count
	Void     bool              // nothing in the file counts, because of one of its entries
	Any      bool              // it says anything about hooks
}

// Keys are the top-level keys of a settings file that say which hooks run, and EnvKey what they find in their environment; the
// rest of it is no business of a reader of hooks. OnlyKey is one of managed files alone.
var Keys = []string{"hooks", "disableAllHooks"}

const (
	EnvKey  = "env"
	OnlyKey = "allowManagedHooksOnly"
)

// Reader reads the hooks of one file.
type Reader struct {
	Prefix string               // of the names of hooks, where two files have one name
	File   string               // in messages
	Mine   func(entry any) bool // tells Lorimer's own entries, decoded, from the user's; nil = there are none
	Strict bool                 // what Claude drops is a fault: the file is not Claude's

	// An organization set the file. Claude takes of it what it can read, but does not start at all with one that is no JSON object,
	// or has an invalid hook where hooks decide about tools; but of those in the folder beside it the latter counts for nothing.
	Managed, InFolder bool
}

// Settings reads a settings file. A file that Claude cannot read gives no entries and says so.
func (r Reader) Settings(src []byte) Source {
	if r.Managed {
		return r.managed(src)
	}
	top, fault := r.object(src)
	if fault != nil {
		return void(*fault)
	}
	if f, ok := r.spoiled(top); ok {
		s := void(f)
		s.Void = true
		return s
	}
	s := Source{Env: rawEnv(src)}
	if d := top.Get("disableAllHooks"); d != nil {
		s.Disabled = &d.Bool
	}
	hooks := top.Get("hooks")
	if hooks == nil {
		return s
	}
	read := r.Hooks(hooks)
	if !read.Void {
		read.Disabled, read.Env = s.Disabled, s.Env
	}
	return read
}

// void is a file of which nothing counts.
func void(f strictyaml.Fault) Source {
	f.Hint = "Claude runs no hook of this file, so no other agent does"
	return Source{Warnings: strictyaml.Faults{f}, Any: true}
}

func (r Reader) object(src []byte) (*Node, *strictyaml.Fault) {
	top, fault := JSON(r.File, src)
	if fault == nil && top.Kind != Object {
		f := strictyaml.At(r.File, top.Pos, "the settings are no object")
		return nil, &f
	}
	return top, fault
}

// rawEnv is the env object of valid JSON as it stands.
func rawEnv(src []byte) string {
	top, _ := rawjson.ParseObject(strings.TrimPrefix(string(src), "\ufeff"))
	return top[EnvKey]
}

// Hooks reads a `hooks` object.
func (r Reader) Hooks(hooks *Node) Source {
	w := &walk{Reader: r}
	if hooks.Kind != Object {
		w.drop(hooks, wholeFile, "hooks is no object")
	}
	for i, m := range hooks.Members {
		later := slices.ContainsFunc(hooks.Members[i+1:], func(x Member) bool { return x.Key == m.Key })
		if later {
			w.warn(m.Pos, "only the last one counts", "%s stands twice in hooks", m.Key)
			continue
		}
		w.event(m)
	}
	if w.Void {
		w.Entries, w.Faults = nil, nil
	}
	w.Any = w.Void || w.Seen > 0
	return w.Source
}

// walk is one run over a hooks object.
type walk struct {
	Reader
	Source
	Seen int // hooks that are the user's

	current harness.Event
}

// scope is what a fault takes with it.
type scope string

const (
	onlyEntry scope = "Claude drops this hook alone, so no other agent runs it"
	onlyGroup scope = "Claude drops this group of hooks, so no other agent runs it"
	onlyEvent scope = "Claude drops the hooks of this event, so no other agent runs them"
	wholeFile scope = "Claude runs NO hook of this file because of it, so no other agent does"
)

// fault is warn where nothing is passed over.
func (w *walk) fault(pos strictyaml.Pos, hint, format string, args ...any) {
	if !w.Strict {
		w.warn(pos, hint, format, args...)
		return
	}
	f := strictyaml.At(w.File, pos, format, args...)
	f.Hint = "mend it or take it out: nothing in this file is passed over"
	w.Faults = append(w.Faults, f)
}

func (w *walk) warn(pos strictyaml.Pos, hint, format string, args ...any) {
	f := strictyaml.At(w.File, pos, format, args...)
	f.Hint = hint
	w.Warnings = append(w.Warnings, f)
}

// drop says what is dropped because of a fault. On the two events that decide about a tool, one fault voids the file.
func (w *walk) drop(n *Node, s scope, format string, args ...any) {
	w.Seen++
	decides := w.current == harness.PreToolUse || w.current == harness.PermissionRequest
	if decides && w.Managed && !w.InFolder {
		w.Faults = append(w.Faults, refused(strictyaml.At(w.File, n.Pos, format, args...)))
		return
	}
	if decides {
		s = wholeFile
	}
	w.Void = w.Void || s == wholeFile && !w.Strict && (decides || !w.Managed)
	w.fault(n.Pos, string(s), format, args...)
}

func (w *walk) event(m Member) {
	w.current = harness.Event(m.Key)
	if !w.current.Known() {
		w.fault(m.Pos, "no other agent runs its hooks", "%q is no event that Lorimer carries", m.Key)
		w.current = ""
		w.Seen++
		return
	}
	if m.Value.Kind != List {
		w.drop(m.Value, onlyEvent, "%s is no list of groups", m.Key)
		return
	}
	for i, group := range m.Value.Items {
		w.group(fmt.Sprintf("%s%s:%s[%d]", w.Prefix, path.Base(w.File), m.Key, i), group)
	}
	w.current = ""
}

func (w *walk) group(name string, g *Node) {
	if g.Kind != Object {
		w.drop(g, onlyGroup, "%s is no object", name)
		return
	}
	matcher, hooks := g.Get("matcher"), g.Get("hooks")
	switch {
	case matcher != nil && matcher.Kind != Text:
		w.drop(matcher, onlyGroup, "the matcher of %s is no text", name)
	case hooks == nil || hooks.Kind != List:
		w.drop(g, onlyGroup, "%s has no list of hooks: expected {\"hooks\": [...]}", name)
	default:
		n := len(w.Entries)
		for i, h := range hooks.Items {
			w.entry(fmt.Sprintf("%s.hooks[%d]", name, i), matcher, h)
		}
		for i := range w.Entries[n:] {
			w.Entries[n+i].Group = g.Print(strconv.Quote, "")
		}
	}
}

func (w *walk) mine(n *Node) bool { return w.Mine != nil && w.Mine(n.Value()) }

var otherTypes = []string{"prompt", "agent", "http", "mcp_tool"}

func (w *walk) entry(name string, matcher, n *Node) {
	if w.mine(n) {
		return
	}
	kind := ""
	if n.Kind == Object {
		if t := n.Get("type"); t != nil && t.Kind == Text {
			kind = t.Text
		}
	}
	switch {
	case slices.Contains(otherTypes, kind):
		w.fault(n.Pos, "no other agent runs it", "%s is of type %s, which Claude alone can run", name, kind)
		w.Seen++
	case kind != "command":
		w.drop(n, onlyEntry, "%s has no type that Claude knows: expected \"type\": \"command\"", name)
	default:
		w.command(name, matcher, n)
	}
}

func (w *walk) command(name string, matcher, n *Node) {
	if at, what := badField(n); at != nil {
		w.drop(at, onlyEntry, "%s: %s", name, what)
		return
	}
	w.Seen++
	e := Entry{File: w.File, Pos: n.Pos, Name: name, Event: w.current, Command: n.Get("command").Text}
	if t := n.Get("timeout"); t != nil {
		e.Timeout, e.TimeoutAt = max(time.Duration(t.Number*float64(time.Second)), time.Millisecond), t.Pos
	}
	if args := n.Get("args"); args != nil {
		e.Direct = true
		for _, a := range args.Items {
			e.Args = append(e.Args, a.Text)
		}
	}
	if matcher != nil {
		e.Matcher = matcher.Text
		if err := hookmatch.Check(matcher.Text); err != nil && len(e.Event.MatchedBy()) > 0 {
			w.fault(matcher.Pos, "Claude never runs it, so no other agent does", "the matcher of %s is no regular expression: %v", name, err)
			return
		}
	}
	if w.carried(name, n, &e) {
		w.Entries = append(w.Entries, e)
	}
}

// carried fills in what is said beside the command, and says whether the entry can run outside of Claude at all.
func (w *walk) carried(name string, n *Node, e *Entry) bool {
	if f := n.Get("onFailure"); f != nil && f.Text == "block" {
		if e.Event.Gate() {
			w.warn(f.Pos, "Claude ignores it there", "%s: onFailure has no effect on %s", name, e.Event)
		} else {
			e.Blocks = true
		}
	}
	if isTrue(n.Get("once")) {
		w.warn(n.Get("once").Pos, "Claude ignores it in settings, and it runs each time", "%s: once has no effect", name)
	}
	if s := n.Get("shell"); s != nil && s.Text != "bash" {
		w.fault(s.Pos, "no other agent runs it", "%s is for %s", name, s.Text)
		return false
	}
	if x := n.Get("asyncRewake"); isTrue(x) {
		w.rewake(name, x, isTrue(n.Get("async")))
	}
	if x := n.Get("if"); x != nil && x.Text != "" {
		if e.If = x.Text; !e.Event.Tool() {
			w.fault(x.Pos, "Claude never runs it, so no other agent does", "%s has an if on %s, which is no tool call", name, e.Event)
			return false
		}
	}
	if i := slices.IndexFunc(e.Args, func(a string) bool { return strings.Contains(a, "{file_path}") }); i >= 0 {
		w.warn(n.Get("args").Items[i].Pos, "Claude leaves it as it stands", "%s: through Lorimer {file_path} is the file that the tool touches", name)
	}
	if e.Async = isTrue(n.Get("async")); e.Async && e.Blocks {
		e.Blocks = false
		w.warn(n.Get("async").Pos, "what is not waited for can block nothing", "%s: onFailure has no effect beside async", name)
	}
	return true
}

// rewake says what becomes of asyncRewake. Claude waits for such a hook where nobody sits in front of it (-p), and else lets it
// run on and wakes the model when it exits with 2; other agents have nothing to wake a model with, so it is waited for.
func (w *walk) rewake(name string, at *Node, async bool) {
	if async {
		w.warn(at.Pos, "no other agent is woken by it", "%s: asyncRewake has no effect beside async", name)
		return
	}
	w.warn(at.Pos, "other agents wait for it, as Claude does with -p", "%s has asyncRewake", name)
}

func isTrue(n *Node) bool { return n != nil && n.Kind == Bool && n.Bool }

// fields are the types of a command entry's keys. Claude tolerates others.
var fields = []struct {
	key      string
	ok       func(*Node) bool
	expected string
}{
	{"command", func(n *Node) bool { return n.Kind == Text && n.Text != "" }, "a text"},
	{"args", func(n *Node) bool {
		return n.Kind == List && !slices.ContainsFunc(n.Items, func(x *Node) bool { return x.Kind != Text })
	}, "a list of texts"},
	{"timeout", func(n *Node) bool {
		return n.Kind == Number && n.Number > 0 && !math.IsInf(n.Number, 0) && n.Number < 1e9
	}, "a number of seconds above 0"},
	{"if", func(n *Node) bool { return n.Kind == Text }, "a text"},
	{"shell", func(n *Node) bool { return n.Kind == Text && (n.Text == "bash" || n.Text == "powershell") }, "bash or powershell"},
	{"onFailure", func(n *Node) bool { return n.Kind == Text && (n.Text == "continue" || n.Text == "block") }, "continue or block"},
	{"once", func(n *Node) bool { return n.Kind == Bool }, "true or false"},
	{"async", func(n *Node) bool { return n.Kind == Bool }, "true or false"},
	{"asyncRewake", func(n *Node) bool { return n.Kind == Bool }, "true or false"},
}

// badField returns the first thing that makes Claude refuse the entry, nil when there is none.
func badField(n *Node) (at *Node, what string) {
	for _, f := range fields {
		x := n.Get(f.key)
		switch {
		case x == nil && f.key == "command":
			return n, "there is no command"
		case x != nil && !f.ok(x):
			return x, f.key + " is not " + f.expected
		}
	}
	return nil, ""
}
