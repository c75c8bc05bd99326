package conform

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/lorimer-dev/lorimer/internal/harness"
	"github.com/lorimer-dev/lorimer/internal/lazyre"
)

// payload is what a host that starts commands sends at an event: the members of "*", then the event's own, with the tokens
// filled in. A final newline is sent too: hosts do.
func (c *command) payload(host string, a act) ([]byte, error) {
	values := c.values(host, a)
	var out harness.Payload
	for _, part := range []string{"*", host} {
		raw, ok := c.fake.Payloads[part]
		if !ok {
			continue
		}
		gjson.ParseBytes(raw).ForEach(func(key, v gjson.Result) bool {
			out.Raw(key.Str, filled(v, values))
			return true
		})
	}
	data := append(out.Bytes(), '\n')
	if !gjson.ValidBytes(data) {
		return nil, fmt.Errorf("the payload of %s is no JSON: %.200s", host, data)
	}
	return data, nil
}

// values are what the tokens stand for, as JSON; "" = there is none.
func (c *command) values(host string, a act) map[string]string {
	text := func(s string) string {
		if s == "" {
			return ""
		}
		return harness.Quoted(s)
	}
	v := map[string]string{
		"own": text(a.Session.ID), "parent": text(a.Session.Parent),
		"host_event": text(host), "session": text(a.Session.ID), "transcript": text(a.Session.Transcript), "cwd": text(c.cwd),
		"text": harness.Quoted(a.Text), "how": text(a.How), "active": fmt.Sprint(a.Active != nil && *a.Active),
	}
	if a.Session.Parent != "" {
		v["session"], v["agent"] = text(a.Session.Parent), text(a.Session.ID)
	}
	v["exit"] = "0"
	if a.Play == string(harness.PostToolUseFailure) {
		v["exit"] = "1"
	}
	if a.Call != nil {
		v["tool"], v["call_id"], v["input"], v["output"] = text(a.Call.Name), text(a.Call.ID), string(a.Call.Input), harness.Quoted(a.Call.Output)
	}
	return v
}

var token = lazyre.Pattern{Expr: `\{([a-z_]+)\}`}

// filledJSON is filled for JSON text.
func filledJSON(raw []byte, values map[string]string) string {
	return filled(gjson.ParseBytes(raw), values)
}

// filled writes a piece of a template with its tokens replaced: a string that is one token becomes the value itself, and
// nothing where there is none.
func filled(v gjson.Result, values map[string]string) string {
	switch {
	case v.IsObject():
		var out harness.Payload
		v.ForEach(func(key, x gjson.Result) bool { out.Raw(key.Str, filled(x, values)); return true })
		return string(out.Bytes())
	case v.IsArray():
		var list []string
		v.ForEach(func(_, x gjson.Result) bool { list = append(list, filled(x, values)); return true })
		return "[" + strings.Join(list, ",") + "]"
	case v.Type != gjson.String:
		return v.Raw
	}
	if m := token.Re().FindStringSubmatch(v.Str); m != nil && m[0] == v.Str {
		return values[m[1]]
	}
	return harness.Quoted(token.Re().ReplaceAllStringFunc(v.Str, func(t string) string {
		var s string
		if json.Unmarshal([]byte(values[t[1:len(t)-1]]), &s) != nil {
			return values[t[1:len(t)-1]]
		}
		return s
	}))
}
