package manifest

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/tidwall/gjson"

	"github.com/lorimer-dev/lorimer/internal/harness"
	"github.com/lorimer-dev/lorimer/internal/rawjson"
)

// View is a manifest that was read; it decodes what is asked for, when it is asked for.
type View struct {
	top rawjson.Object
}

// Parse checks that src is a manifest that this build understands. The error says what is wrong, not where the file lies.
func Parse(src []byte) (View, error) {
	top, ok := rawjson.ParseObject(string(src))
	if !ok {
		return View{}, fmt.Errorf("it is not one JSON object; expected what `lorimer materialize` writes")
	}
	if got := top["protocol"]; got != strconv.Itoa(Protocol) {
		return View{}, fmt.Errorf("it has protocol %s, this lorimer-dispatch speaks %d; one of the two is of another version", orNone(got), Protocol)
	}
	return View{top}, nil
}

func orNone(raw string) string {
	if raw == "" {
		return "none"
	}
	return raw[:min(len(raw), 20)]
}

// Harnesses returns the ids of the harnesses that the manifest was made for.
func (v View) Harnesses() []string { return stringsOf(v.top["harnesses"]) }

// Lists says whether the harness is one of those that the manifest was made for.
func (v View) Lists(id string) bool {
	return slices.Contains(v.Harnesses(), id)
}

// MaxContinuations returns the cap of the stop gate; 0 = no limit.
func (v View) MaxContinuations() int {
	n := gjson.Parse(v.top["max_continuations"])
	if n.Type != gjson.Number || n.Num < 0 {
		return harness.DefaultMaxContinuations
	}
	return int(n.Num)
}

// SelfProtects says whether agents are kept from changing the hooks themselves.
func (v View) SelfProtects() bool { return v.top["self_protect"] == "true" }

// Sources returns the files that the manifest was compiled from, as they were then.
func (v View) Sources() (all []Source) {
	for _, row := range gjson.Parse(v.top["sources"]).Array() {
		o, _ := rawjson.Members(row.Raw)
		all = append(all, Source{
			Path: rawjson.String(o["path"]), Size: gjson.Parse(o["size"]).Int(),
			Keys: stringsOf(o["keys"]), SHA256: rawjson.String(o["sha256"]),
		})
	}
	return all
}

// Env returns what settings give to hooks, the one that is overruled first.
func (v View) Env() (all []Env) {
	for _, row := range gjson.Parse(v.top["env"]).Array() {
		o, _ := rawjson.Members(row.Raw)
		e := Env{Path: rawjson.String(o["path"])}
		values, _ := rawjson.Members(o["values"])
		for name, raw := range values {
			if e.Values == nil {
				e.Values = map[string]string{}
			}
			e.Values[name] = rawjson.String(raw)
		}
		all = append(all, e)
	}
	return all
}

// Handlers returns the handlers of an event that run in a harness, in the order of the file. The error names the first
// handler that is not what materialize would write: then nothing of the event may be guessed.
func (v View) Handlers(event harness.Event, id string) ([]Handler, error) {
	if !v.Lists(id) {
		return nil, nil
	}
	all, err := v.All(event)
	return slices.DeleteFunc(all, func(h Handler) bool { return !h.In(id) }), err
}

// In says whether the handler runs in a harness, when the manifest was made for it.
func (h Handler) In(id string) bool { return len(h.Harnesses) == 0 || slices.Contains(h.Harnesses, id) }

// All returns the handlers of an event for whichever harness, as Handlers does for one.
func (v View) All(event harness.Event) ([]Handler, error) {
	raw := rawjson.At(v.top["events"], string(event))
	if rawjson.Absent(raw) {
		return nil, nil
	}
	rows := gjson.Parse(raw)
	if !rows.IsArray() {
		return nil, fmt.Errorf("events.%s is not a list", event)
	}
	var all []Handler
	for i, row := range rows.Array() {
		h, err := handlerOf(row.Raw)
		if err != nil {
			return nil, fmt.Errorf("events.%s[%d]: %w", event, i, err)
		}
		all = append(all, h)
	}
	return all, nil
}

// Wants says whether any handler of one of the events runs in the harness. An event that cannot be read counts as wanted.
func (v View) Wants(id string, events ...harness.Event) bool {
	return slices.ContainsFunc(events, func(e harness.Event) bool {
		all, err := v.Handlers(e, id)
		return err != nil || len(all) > 0
	})
}

func handlerOf(raw string) (Handler, error) {
	o, ok := rawjson.Members(raw)
	if !ok {
		return Handler{}, fmt.Errorf("a handler is an object, not %s", raw[:min(len(raw), 40)])
	}
	h := Handler{
		Name:      rawjson.String(o["name"]),
		Order:     int(gjson.Parse(o["order"]).Int()),
		Matcher:   rawjson.String(o["matcher"]),
		If:        rawjson.String(o["if"]),
		Files:     stringsOf(o["files"]),
		Argv:      stringsOf(o["argv"]),
		Run:       rawjson.String(o["run"]),
		TimeoutMS: gjson.Parse(o["timeout_ms"]).Int(),
		Block:     o["block"] == "true",
		OnError:   Policy(rawjson.String(o["on_error"])),
		OnLimit:   Policy(rawjson.String(o["on_limit"])),
		Async:     o["async"] == "true",
		Nested:    o["nested"] == "true",
		Managed:   o["managed"] == "true",
		Harnesses: stringsOf(o["harnesses"]),
	}
	if !rawjson.Absent(o["files"]) && len(h.Files) == 0 {
		return h, fmt.Errorf("handler %s has files that are no list of globs", h.Name)
	}
	return h, h.check()
}

// check catches what would otherwise run something else than was meant, or nothing at all.
func (h Handler) check() error {
	switch {
	case h.Name == "":
		return fmt.Errorf("a handler without a name")
	case (len(h.Argv) > 0) == (h.Run != ""):
		return fmt.Errorf("handler %s needs exactly one of argv and run", h.Name)
	case len(h.Argv) > 0 && h.Argv[0] == "":
		return fmt.Errorf("handler %s has an empty argv[0]", h.Name)
	case h.TimeoutMS < 0:
		return fmt.Errorf("handler %s has a negative timeout_ms", h.Name)
	case h.OnError != "" && h.OnError != AllowOnFault && h.OnError != BlockOnFault:
		return fmt.Errorf("handler %s has on_error %q; expected allow or block", h.Name, h.OnError)
	case h.OnLimit != "" && h.OnLimit != AllowOnFault && h.OnLimit != BlockOnFault:
		return fmt.Errorf("handler %s has on_limit %q; expected allow or block", h.Name, h.OnLimit)
	}
	return nil
}

// stringsOf returns the strings of a JSON list. A list with anything else in it gives nothing: half an argv is not the argv.
func stringsOf(raw string) []string {
	rows := gjson.Parse(raw)
	if !rows.IsArray() {
		return nil
	}
	var all []string
	half := false
	rows.ForEach(func(_, row gjson.Result) bool {
		half = row.Type != gjson.String
		all = append(all, rawjson.String(row.Raw))
		return !half
	})
	if half {
		return nil
	}
	return all
}
