package try

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/lorimer-dev/lorimer/internal/harness"
	"github.com/lorimer-dev/lorimer/internal/rawjson"
)

// field is one key of an object and its JSON text. Lists of them keep the order that somebody gave.
type field struct{ key, raw string }

func object(fields []field) string {
	var p harness.Payload
	for _, f := range fields {
		p.Raw(f.key, f.raw)
	}
	return string(p.Bytes())
}

// valueOf returns the JSON text of a key, or "".
func valueOf(fields []field, key string) string {
	for _, f := range fields {
		if f.key == key {
			return f.raw
		}
	}
	return ""
}

// Session is the session_id of what is tried.
const Session = "lorimer-try"

// finish puts what every payload has before the event's own fields, where they do not say it themselves.
func (r *reading) finish(own []field) event {
	var all []field
	for _, f := range []field{
		{"session_id", harness.Quoted(Session)}, {"cwd", harness.Quoted(r.cwd)}, {"hook_event_name", harness.Quoted(string(r.name))},
	} {
		if valueOf(own, f.key) == "" {
			all = append(all, f)
		}
	}
	return event{name: r.name, payload: []byte(object(append(all, own...))), title: title(r.name, own)}
}

// title says for people what is tried.
func title(name harness.Event, own []field) string {
	if tool := rawjson.String(valueOf(own, "tool_name")); name.Tool() && tool != "" {
		return fmt.Sprintf("%s %s %s", name, tool, onOneLine(valueOf(own, "tool_input")))
	}
	own = slices.DeleteFunc(slices.Clone(own), func(f field) bool { return f.key == "hook_event_name" || f.key == "stop_hook_active" })
	if len(own) == 0 {
		return string(name)
	}
	return string(name) + " " + onOneLine(object(own))
}

func onOneLine(raw string) string {
	var b bytes.Buffer
	if json.Compact(&b, []byte(raw)) != nil {
		return raw
	}
	return b.String()
}

// input is what --input says: JSON, @FILE, or - for standard input.
func (r *reading) input() (string, error) {
	var src []byte
	var err error
	switch file, isFile := strings.CutPrefix(r.Input, "@"); {
	case r.Input == "-":
		src, err = io.ReadAll(r.Stdin)
	case isFile:
		src, err = os.ReadFile(file)
	default:
		return r.Input, nil
	}
	if err != nil {
		return "", fmt.Errorf("--input cannot be read: %w", err)
	}
	return string(src), nil
}

// inputFields is the same as an object.
func (r *reading) inputFields() (fields []field, err error) {
	src, err := r.input()
	if err != nil {
		return nil, err
	}
	if _, ok := rawjson.ParseObject(src); !ok {
		return nil, fmt.Errorf("--input is no JSON object: %.60q; expected for example '{\"command\":\"ls\"}', @FILE, or - for standard input", strings.TrimSpace(src))
	}
	gjson.Parse(src).ForEach(func(key, value gjson.Result) bool {
		fields = append(fields, field{key.String(), value.Raw})
		return true
	})
	return fields, nil
}
