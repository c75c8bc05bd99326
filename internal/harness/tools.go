package harness

import (
	"encoding/json"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"unicode"
)

// Tools turns a host's tool calls into Claude's. What it does not name passes through unchanged.
type Tools struct {
	Names map[string]string            // the host's tool name to Claude's
	Args  map[string]map[string]string // by the host's tool name, "*" = every tool: the host's argument to Claude's
	Files map[string]Files             // by the host's tool name: tools that touch several files
	Text  map[string]string            // by the host's tool name: the argument that handlers are shown where the whole input is a text
	Joins []string                     // what stands between an MCP server's name and its tool's; none: such names are Claude's already

	Absolute []string // Claude's arguments that are paths, which the host may leave relative
}

// Dir is the argument, in Claude's shape, by which a tool is told where to work.
type Dir struct {
	Tool string `json:"tool"` // Claude's name
	From string `json:"from"`
}

// Files says where the paths of a tool that touches several files are.
type Files struct {
	From    string // argument that holds a list of paths, or a text
	Pattern string // RE2, on each line of the text; group 1 is a path
}

// Name turns a tool name, given and returned as JSON text.
func (t Tools) Name(raw string) string {
	name := unquote(raw)
	if to, ok := t.Names[name]; ok {
		return Quoted(to)
	}
	for _, join := range t.Joins {
		// Either name may have the join in it, and nobody says which servers there are: servers' names have it more often.
		if at := strings.LastIndex(name, join); at > 0 && at+len(join) < len(name) {
			return Quoted("mcp__" + name[:at] + "__" + name[at+len(join):])
		}
	}
	return raw
}

// MCP is Name for a host that says beside its own name of a tool which server's it is, and how that calls it; all JSON text.
func (t Tools) MCP(raw, server, tool string) string {
	if s, name := unquote(server), unquote(tool); s != "" && name != "" {
		return Quoted("mcp__" + inToolName(s) + "__" + inToolName(name))
	}
	return t.Name(raw)
}

// inToolName puts "_" for what may not be in a tool's name, as Claude does.
func inToolName(s string) string {
	return strings.Map(func(r rune) rune {
		if r < 0x80 && (r == '_' || r == '-' || unicode.IsLetter(r) || unicode.IsDigit(r)) {
			return r
		}
		return '_'
	}, s)
}

// Rooted makes the paths of an input that Input returned absolute. cwd is JSON text, the directory that they are relative to.
func (t Tools) Rooted(raw, cwd string) string {
	members, dir := []member(nil), unquote(cwd)
	if members, _ = membersOf(raw); !filepath.IsAbs(dir) {
		return raw
	}
	changed := false
	for i, m := range members {
		if path := unquote(m.raw); path != "" && slices.Contains(t.Absolute, m.key) && !filepath.IsAbs(path) && !strings.HasPrefix(path, "~") {
			members[i].raw, changed = Quoted(filepath.Join(dir, path)), true
		}
	}
	if !changed {
		return raw
	}
	var p Payload
	for _, m := range members {
		p.Raw(m.key, m.raw)
	}
	return string(p.Bytes())
}

// Input turns a tool's input, given and returned as JSON text: argument names become Claude's, unless Claude's is there
// already, and tools that touch several files get file_paths, and file_path when it is one. Values keep their bytes.
// Anything but an object becomes {}.
func (t Tools) Input(rawName, raw string) string {
	name := unquote(rawName)
	members, ok := t.membersOf(name, raw)
	if !ok {
		return "{}"
	}
	files, listed := t.files(name, members)
	for i, m := range members {
		members[i].key = t.renamed(name, m.key, members, files)
	}
	if listed && !has(members, "file_paths") {
		members = append(members, member{"file_paths", QuotedList(files)})
		if len(files) == 1 && !has(members, "file_path") {
			members = append(members, member{"file_path", Quoted(files[0])})
		}
	}
	var p Payload
	for _, m := range members {
		p.Raw(m.key, m.raw)
	}
	return string(p.Bytes())
}

// membersOf are the arguments of a call, whose whole input may be one.
func (t Tools) membersOf(tool, raw string) ([]member, bool) {
	if key := t.Text[tool]; key != "" && strings.HasPrefix(raw, `"`) {
		return []member{{key, raw}}, true
	}
	return membersOf(raw)
}

// renamed is Claude's name of an argument, unless it is taken or one path would hide the others.
func (t Tools) renamed(tool, key string, members []member, files []string) string {
	to := t.claudes(tool, key)
	if to == "" || has(members, to) || to == "file_path" && len(files) > 1 {
		return key
	}
	return to
}

// claudes is Claude's name of an argument by the tables; "" where they have none.
func (t Tools) claudes(tool, key string) string {
	if to, ok := t.Args[tool][key]; ok {
		return to
	}
	return t.Args["*"][key]
}

// files finds the paths that a call touches; false for a tool that is not listed, or whose argument is of another type.
func (t Tools) files(name string, members []member) (paths []string, listed bool) {
	rule, ok := t.Files[name]
	at := slices.IndexFunc(members, func(m member) bool { return m.key == rule.From })
	if !ok || at < 0 {
		return nil, false
	}
	if json.Unmarshal([]byte(members[at].raw), &paths) == nil {
		return paths, true
	}
	var text string
	if json.Unmarshal([]byte(members[at].raw), &text) != nil || rule.Pattern == "" {
		return nil, false
	}
	re, err := regexp.Compile("(?m)" + rule.Pattern)
	if err != nil {
		return nil, false
	}
	for _, m := range re.FindAllStringSubmatch(text, -1) {
		paths = append(paths, m[len(m)-1])
	}
	return paths, true
}

// Mapped replaces a string value, given and returned as JSON text, where the table has it.
func Mapped(raw string, table map[string]string) string {
	if to, ok := table[unquote(raw)]; ok {
		return Quoted(to)
	}
	return raw
}

// Cut takes what the RE2 pattern matches out of a string value, given and returned as JSON text.
func Cut(raw, pattern string) string {
	text := unquote(raw)
	re, err := regexp.Compile(pattern)
	if err != nil || !re.MatchString(text) { // the generator lets no pattern through that does not compile
		return raw
	}
	return Quoted(re.ReplaceAllString(text, ""))
}

// Text returns the string, number or bool at path without its quotes; "" when there is none.
func Text(in In, path string) string {
	raw := in.Raw(path)
	if strings.HasPrefix(raw, `"`) {
		return unquote(raw)
	}
	return raw
}

// Match says whether text matches the RE2 pattern somewhere. A pattern that does not compile matches nothing; the generator
// lets none through.
func Match(pattern, text string) bool {
	ok, err := regexp.MatchString(pattern, text)
	return err == nil && ok
}

func unquote(raw string) (s string) {
	_ = json.Unmarshal([]byte(raw), &s) // not a string: no name in any table
	return s
}

// QuotedList is a list of texts as JSON.
func QuotedList(items []string) string {
	quoted := make([]string, len(items))
	for i, s := range items {
		quoted[i] = Quoted(s)
	}
	return "[" + strings.Join(quoted, ",") + "]"
}

// member is one key of an object with its value's JSON text.
type member struct{ key, raw string }

// membersOf takes an object apart without touching its values' bytes; false when raw is anything else.
func membersOf(raw string) (out []member, ok bool) {
	dec := json.NewDecoder(strings.NewReader(raw))
	if t, err := dec.Token(); err != nil || t != json.Delim('{') {
		return nil, false
	}
	for dec.More() {
		key, err := dec.Token()
		if err != nil {
			return nil, false
		}
		var value json.RawMessage
		if err := dec.Decode(&value); err != nil {
			return nil, false
		}
		out = append(out, member{key.(string), string(value)})
	}
	return out, true
}

func has(members []member, key string) bool {
	return slices.ContainsFunc(members, func(m member) bool { return m.key == key })
}
