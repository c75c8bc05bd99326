package descriptor

import (
	"fmt"
	"slices"
	"strings"

	"github.com/lorimer-dev/lorimer/internal/harness"
	"github.com/lorimer-dev/lorimer/internal/lazyre"
	"github.com/lorimer-dev/lorimer/internal/strictyaml"
)

func (k *checker) externalRows() {
	if k.d.Hooks == nil {
		return
	}
	if p := k.d.Payload; p != nil {
		for _, e := range p.Keys {
			k.OneOfAt(e.KeyPos, fmt.Sprintf("payload has no base key %q", e.Key), e.Key, append(slices.Clone(BaseKeys), Named))
		}
	}
	native := k.d.Payload != nil && k.d.Payload.Native
	for _, r := range k.d.Events.External {
		k.tool(r.Pos, r.Event, r.Tool != nil, !native && k.d.Payload != nil)
		k.fieldNames(r.Event, keyPlaces(r.Fields))
		if r.Tool != nil {
			k.response(r.Event, r.Tool.Response.Pos)
		}
		k.effects(r.Cannot)
		k.rowAnswers(r)
		k.rowEntry(r)
		k.wrong(r, native)
		k.later(r)
		if native && (r.Tool != nil || len(r.Fields) > 0) {
			k.mend(r.Pos, "take fields and tool out, or say where the keys are instead of native", "payload is native, so its bytes are passed on and fields and tool mean nothing")
		}
	}
}

// rowEntry checks what one event has else in the host's config.
func (k *checker) rowEntry(r ExternalRow) {
	k.treeTokens(r.Group, tokensOf[ExternalRow]("Group"))
	k.treeTokens(r.Entry, tokensOf[Hooks]("Entry"))
	if r.Group.Set() && !holdsToken(r.Group, "entry") {
		k.want(r.Group.Pos, `"{entry}" in it`, "the row's group has no place for the entry")
	}
	if r.Entry.Set() && r.Entry.Kind != strictyaml.Object {
		k.want(r.Entry.Pos, "a mapping", "the row's entry is a %s", r.Entry.Kind)
	}
}

// wrong checks the keys that are left out, and that the loop guard sees what it needs where it has to keep the bit itself.
func (k *checker) wrong(r ExternalRow, native bool) {
	for _, w := range r.Wrong {
		if native {
			k.mend(w.Pos, "take wrong out, or say where the keys are instead of native", "payload is native, so its bytes are passed on and nothing can be left out")
			continue
		}
		k.OneOfAt(w.Pos, fmt.Sprintf("%s has no key %q that could be wrong", r.Event.Text, w.Text), w.Text, EventKeys[r.Event.Event()])
		brings := func(e harness.Event) bool {
			return slices.ContainsFunc(r.Brings, func(b EventName) bool { return b.Event() == e })
		}
		if w.Text == "stop_hook_active" && !brings(harness.UserPromptSubmit) {
			k.mend(w.Pos, "add brings: [UserPromptSubmit]", "without the host's stop_hook_active only a prompt can tell that a new loop begins, and the row does not bring it")
		}
	}
}

// later checks that context is not given at both events, and that the later one can give it.
func (k *checker) later(r ExternalRow) {
	if !r.Later.Set() {
		return
	}
	if _, now := r.Answer.Get(string(harness.Context)); now {
		k.mend(r.Later.Pos, "keep one of them", "the row has an answer for context, and says that it is given later")
	}
	gives := func(x ExternalRow) bool {
		_, ok := x.Answer.Get(string(harness.Context))
		return ok && x.Event.Text == r.Later.Text
	}
	if !slices.ContainsFunc(k.d.Events.External, gives) || !r.Later.Event().Tool() || !r.Event.Event().Tool() {
		k.mend(r.Later.Pos, "name an event of the same tool call whose row has an answer for context", "context of %s is given at %s, which cannot give it", r.Event.Text, r.Later.Text)
	}
}

func (k *checker) rowAnswers(r ExternalRow) {
	for _, a := range r.Answer {
		if !k.OneOfAt(a.KeyPos, fmt.Sprintf("answer has %q", a.Key), a.Key, names(harness.Effects)) {
			continue
		}
		if slices.ContainsFunc(r.Cannot, func(e EffectName) bool { return e.Text == a.Key }) {
			k.mend(a.KeyPos, "take it out of answer or of cannot", "the row has an answer for %s, and says that the host cannot", a.Key)
		}
		if a.Value.Text != "" && len(k.d.Answers) == 0 {
			k.mend(a.Value.Pos, "add answers: with that name", "there is no answer %q: the descriptor has no answers", a.Value.Text)
		} else if a.Value.Text != "" {
			k.OneOfAt(a.Value.Pos, fmt.Sprintf("there is no answer %q", a.Value.Text), a.Value.Text, k.d.Answers.Keys())
		}
	}
}

// tools checks what hangs on the descriptor's kind.
func (k *checker) tools() {
	if m := k.d.Tools.MCP; m != nil && k.d.Shim != nil && m.Server.Set() {
		k.mend(m.Server.Pos, "say join instead", "tools.mcp.server means nothing in the descriptor of a generative harness")
	}
	if t := k.d.Tools.Text; t != nil && k.d.Shim != nil {
		k.mend(t[0].KeyPos, "take it out, and give row.tool.input an object", "tools.text means nothing in the descriptor of a generative harness")
	}
	if a := k.d.Tools.Absolute; a != nil && k.d.Shim != nil {
		k.mend(a[0].Pos, "take it out", "tools.absolute means nothing in the descriptor of a generative harness")
	}
}

// hooks checks what an entry in the host's config looks like.
func (k *checker) hooks() {
	h := k.d.Hooks
	if h == nil {
		return
	}
	if !h.Files.Pos.IsZero() && !h.Files.Local.Set() && !h.Files.Shared.Set() && !h.Files.User.Set() {
		k.want(h.Files.Pos, "at least one of local, shared, user", "hooks.files names no file")
	}
	k.managed(h.Files.Managed)
	if n := k.Top("hooks", "at"); h.At != nil && len(h.At) == 0 {
		k.want(strictyaml.Place(n), "the keys that lead to the list of hooks", "hooks.at is empty")
	}
	k.treeTokens(h.Group, tokensOf[Hooks]("Group"))
	k.treeTokens(h.Entry, tokensOf[Hooks]("Entry"))
	k.treeTokens(h.FailClosed, tokensOf[Hooks]("Entry"))
	k.treeTokens(h.Root, nil)
	k.objects(h)
	k.command(h)
	k.numbers(h)
}

// managedForm is an absolute path on one system or another.
var managedForm = lazyre.Pattern{Expr: `^(?:/|[A-Z]:\\).+\.json$`}

func (k *checker) managed(m *ManagedFile) {
	if m == nil {
		return
	}
	if !m.Linux.Set() && !m.Darwin.Set() && !m.Windows.Set() {
		k.want(m.Pos, "at least one of linux, darwin, windows", "hooks.files.managed names no file")
	}
	for _, x := range []struct {
		path Str
		root string
	}{{m.Linux, "/"}, {m.Darwin, "/"}, {m.Windows, "C:\\"}} {
		drive := strings.Contains(x.root, ":")
		if x.path.Set() && (!managedForm.Re().MatchString(x.path.Text) || drive == strings.HasPrefix(x.path.Text, "/")) {
			k.want(x.path.Pos, x.root+"... with .json behind it", "%q is no absolute path of that system to a JSON file", x.path.Text)
		}
	}
}

func (k *checker) objects(h *Hooks) {
	if h.Group.Set() && !holdsToken(h.Group, "entry") {
		k.want(h.Group.Pos, `"{entry}" in it`, "hooks.group has no place for the entry")
	}
	for _, x := range []struct {
		name string
		t    Tree
	}{{"fail_closed", h.FailClosed}, {"root", h.Root}} {
		if x.t.Set() && x.t.Kind != strictyaml.Object {
			k.want(x.t.Pos, "a mapping", "hooks.%s is a %s", x.name, x.t.Kind)
		}
	}
	if h.FailClosed.Set() && h.Entry.Set() && h.Entry.Kind != strictyaml.Object {
		k.want(h.Entry.Pos, "a mapping", "hooks.fail_closed cannot be merged into an entry that is a %s", h.Entry.Kind)
	}
}

// numbers checks what is counted.
func (k *checker) numbers(h *Hooks) {
	if n := h.Timeout.MsFrom; n.Set() && (n.N < 1 || h.Timeout.Unit.Text != "s") {
		k.want(n.Pos, "a number above 0, beside unit: s", "hooks.timeout.ms_from is %d, and the unit %s", n.N, h.Timeout.Unit.Text)
	}
	if c := h.StopCap; c != nil {
		k.variables([]Str{c.Env})
	}
	if c := h.StopCap; c != nil && c.Stops.N < 2 {
		k.want(c.Stops.Pos, "2 or more: a host that goes on from no blocked stop cannot block one", "hooks.stop_cap.stops is %d", c.Stops.N)
	}
}

// command checks that the entry starts the dispatcher, in one of the two ways and with the quoting that goes with it.
func (k *checker) command(h *Hooks) {
	words, line := holdsToken(h.Entry, "dispatcher"), holdsToken(h.Entry, "command")
	switch {
	case !h.Entry.Set():
	case words && line:
		k.mend(h.Entry.Pos, "keep {command}, or {dispatcher} and {args}", "hooks.entry has {dispatcher} and {command}, which already contains it")
	case !words && !line:
		k.want(h.Entry.Pos, "{command}, or {dispatcher} and {args}", "hooks.entry starts nothing")
	case words && !holdsToken(h.Entry, "args"):
		k.want(h.Entry.Pos, "{args} as well", "hooks.entry has {dispatcher} without its arguments")
	case line && h.Quote.Text != "shell":
		k.want(h.Entry.Pos, "quote: shell", "hooks.entry has {command}, a line for a shell, but nothing says that one reads it")
	}
}

// answers checks the forms in which the dispatcher speaks to the host.
func (k *checker) answers() {
	used := map[string]bool{}
	for _, r := range k.d.Events.External {
		for _, a := range r.Answer {
			used[a.Value.Text] = true
		}
	}
	for _, a := range k.d.Answers {
		if k.d.Hooks != nil && !used[a.Key] {
			k.mend(a.KeyPos, "name it in the answer of a row, or take it out", "no row uses the answer %q", a.Key)
		}
		k.form(a.Value.Default)
		for _, f := range a.Value.OS {
			k.form(f.Value)
		}
	}
}

func (k *checker) form(f Form) {
	if f.Exit.Set() && f.Exit.N != 0 && f.Exit.N != 2 {
		k.want(f.Exit.Pos, "0 or 2: hosts make something else of every other code", "exit is %d", f.Exit.N)
	}
	k.stream("stdout", f.Stdout, tokensOf[Form]("Stdout"))
	k.stream("stderr", f.Stderr, tokensOf[Form]("Stderr"))
}

func (k *checker) stream(name string, t Tree, tokens []string) {
	k.treeTokens(t, tokens)
	if t.Set() && t.Kind != strictyaml.Object && t.Kind != strictyaml.String {
		k.want(t.Pos, "a mapping, which is written as JSON, or a text", "%s is a %s", name, t.Kind)
	}
}
