package descriptor

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/lorimer-dev/lorimer/harnesses"
)

// goodOnes are the descriptors that must load, by id.
var goodOnes = sync.OnceValues(func() (map[string]*Descriptor, error) {
	files, err := filepath.Glob("testdata/good/*.yaml")
	all := map[string]*Descriptor{}
	for _, f := range files {
		src, err := os.ReadFile(f)
		if err != nil {
			return nil, err
		}
		d, err := LoadFile(filepath.Base(f), src)
		if err != nil {
			return nil, err
		}
		all[d.ID.Text] = d
	}
	return all, err
})

func good(t *testing.T) map[string]*Descriptor {
	t.Helper()
	all, err := goodOnes()
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func TestGood(t *testing.T) {
	for _, id := range []string{"amp", "everything", "omp", "opencode", "pi"} {
		if good(t)[id] == nil {
			t.Errorf("no %s", id)
		}
	}
}

func TestBuiltIn(t *testing.T) {
	all, err := Load(harnesses.FS, "harnesses")
	if err != nil {
		t.Fatal(err)
	}
	if len(all) < 3 || !slices.IsSortedFunc(all, func(a, b *Descriptor) int { return strings.Compare(a.ID.Text, b.ID.Text) }) {
		t.Errorf("%d descriptors, not in the order of their ids", len(all))
	}
}

const nativeDescriptor = `
id: native
name: Native
hooks:
  files: { user: ~/.n/hooks.json }
  at: [hooks]
  group: "{entry}"
  entry: ["{dispatcher}", "{args}"]
  timeout: { unit: s, default: 30s }
payload: native
events:
  - { host: Stop, event: Stop, cannot: [block] }
`

// A field that no descriptor here sets is one whose reading nobody has ever seen work.
func TestEveryFieldIsRead(t *testing.T) {
	set := map[string]bool{}
	for _, d := range good(t) {
		note(reflect.ValueOf(d).Elem(), set)
	}
	native, err := LoadFile("native.yaml", []byte(nativeDescriptor))
	if err != nil {
		t.Fatal(err)
	}
	note(reflect.ValueOf(native).Elem(), set)
	for field, was := range set {
		if !was {
			t.Errorf("no descriptor in testdata/good sets %s", field)
		}
	}
}

// note records, for every field of the model that can be reached, whether some value of it is not zero.
func note(v reflect.Value, set map[string]bool) {
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			note(v.Elem(), set)
		} else if v.Type().Elem().Kind() == reflect.Struct {
			note(reflect.New(v.Type().Elem()).Elem(), set)
		}
	case reflect.Slice:
		for i := range v.Len() {
			note(v.Index(i), set)
		}
		if v.Len() == 0 && v.Type().Elem() != v.Type() && !strings.Contains(v.Type().String(), "Tree") {
			note(reflect.New(v.Type().Elem()).Elem(), set)
		}
	case reflect.Struct:
		noteFields(v, set)
	}
}

func noteFields(v reflect.Value, set map[string]bool) {
	t := v.Type()
	if !strings.HasSuffix(t.PkgPath(), "gen/descriptor") && !strings.Contains(t.Name(), "Entry[") {
		return
	}
	for i := range t.NumField() {
		f := t.Field(i)
		if !f.IsExported() || f.Name == "Node" {
			continue
		}
		if !strings.Contains(t.Name(), "Entry[") {
			name := t.Name() + "." + f.Name
			set[name] = set[name] || !v.Field(i).IsZero()
		}
		note(v.Field(i), set)
	}
}

// Spot checks of what the hosts forced into the format, with their places.
func TestValues(t *testing.T) {
	all := good(t)
	opencode, omp, amp, everything := all["opencode"], all["omp"], all["amp"], all["everything"]
	for _, tc := range []struct {
		what      string
		got, want any
	}{
		{"parameter pattern", opencode.Shim.Module.Params[0].Names, []string{"client", "directory"}},
		{"modes keep their order", opencode.Shim.Modes.Keys(), []string{"run", "server"}},
		{"channel of a row", channelOf(opencode, "message.updated"), "bus"},
		{"channel of a row that names none", channelOf(amp, "tool.call"), "ext"},
		{"names of a bus", channel(opencode, "bus").RowScope(), []string{"p"}},
		{"names of arguments", channel(opencode, "hook").RowScope(), []string{"input", "output"}},
		{"held context", row(opencode, "session.created").Context.Hold.Text, "system"},
		{"said context", row(omp, "before_agent_start").Context.Do.Text, `return { message: { customType: "lorimer", content: context, display: false } }`},
		{"comment behind the host", row(omp, "before_agent_start").Comment, `"input" is the interactive editor's only`},
		{"comment behind a snippet", row(omp, "tool_call").When.Comment, "xd:// fires twice with one toolCallId; the second names the real tool"},
		{"comment of a definition", omp.Shim.Define[0].Comment, "A handed-over main session carries parentSession too. A sub-agent's file stands in its parent's folder."},
		{"comments of an external row", everything.Events.External[0].Comment, "the host's own words for how a session begins\nnot in print mode"},
		{"none", omp.Trust.None, true},
		{"forms by system", everything.Answers[0].Value.OS[0].Value.Stdout.Text, "{reason}"},
		{"places by system", everything.Runtime.Install.Binary.OS.Keys(), []string{"linux", "darwin", "windows"}},
		{"paths of a source", fmt.Sprint(everything.Payload.Keys[1].Value.Paths[1].Text), "workspace_roots.0"},
		{"version", everything.Certified[0].Version.Text, "1.10"},
		{"uses", fmt.Sprint(row(amp, "agent.end").When.Uses()), "[{e {" + place(amp, `e.status === "done" && !session`) + "}} {session {" + place(amp, `session.parent`, `e.status === "done" && !session`) + "}}]"},
	} {
		if !reflect.DeepEqual(tc.got, tc.want) {
			t.Errorf("%s: got %v, want %v", tc.what, tc.got, tc.want)
		}
	}
}

func row(d *Descriptor, host string) GenerativeRow {
	for _, r := range d.Events.Generative {
		if r.Host.Text == host {
			return r
		}
	}
	panic("no row for " + host)
}

func channel(d *Descriptor, name string) Channel {
	c, ok := d.Shim.Channels.Get(name)
	if !ok {
		panic("no channel " + name)
	}
	return c
}

func channelOf(d *Descriptor, host string) string {
	name, _, _ := d.Shim.ChannelOf(row(d, host))
	return name
}

// place finds a text in the source, after another one, and returns its line and column.
func place(d *Descriptor, text string, after ...string) string {
	src := string(d.Source)
	start := 0
	for _, a := range after {
		start += strings.Index(src[start:], a)
	}
	off := start + strings.Index(src[start:], text)
	line := strings.Count(src[:off], "\n")
	return fmt.Sprint(line+1, " ", off-strings.LastIndex(src[:off], "\n"))
}
