package reference

import (
	"regexp"
	"strings"
	"testing"

	"github.com/lorimer-dev/lorimer/gen/descriptor"
	"github.com/lorimer-dev/lorimer/gen/plan"
	gen "github.com/lorimer-dev/lorimer/gen/schema"
	"github.com/lorimer-dev/lorimer/internal/schema"
)

const sample = `
id: x
name: X
detect:
  env: [{ key: A, present: true }, { key: B, in: ["1"] }]
  files: [.x]
shim:
  file: { project: .x/lorimer.js }
  module: { export: default, params: [pi] }
  channels: { ext: { register: call, target: pi.on, args: [e], awaited: true } }
  session: { id: { ext: e.id } }
  host: { cwd: process.cwd() }
events:
  - { host: stop, event: Stop, when: e.ok, context: { hold: a } }
  - { host: start, deliver: { slot: a, with: return context } }
`

func render(t *testing.T) string {
	t.Helper()
	d, err := descriptor.LoadFile("x.yaml", []byte(sample))
	if err != nil {
		t.Fatal(err)
	}
	bare, err := descriptor.LoadFile("z.yaml", []byte("id: z\nname: Z\nhomepage: https://z.example"))
	if err != nil {
		t.Fatal(err)
	}
	p, err := plan.Build([]*descriptor.Descriptor{d, bare})
	if err != nil {
		t.Fatal(err)
	}
	files, err := Emit(p)
	if err != nil {
		t.Fatal(err)
	}
	return string(files[0].Data)
}

// Every key that the loader reads stands in a table of the page, with its meaning.
func TestEveryKeyIsThere(t *testing.T) {
	page := render(t)
	parts, err := gen.DescriptorParts()
	if err != nil {
		t.Fatal(err)
	}
	keys := 0
	for _, s := range []*schema.Schema{parts.Descriptor, parts.Generative, parts.External} {
		each(s, func(x *schema.Schema) {
			for _, p := range x.Properties {
				keys++
				section := x.Struct == "Descriptor" && strings.Contains(page, "## `"+p.Key+"`\n")
				if !section && !strings.Contains(page, "`"+p.Key+"`") || !strings.Contains(page, cell(meaning(p.Schema))) && !strings.Contains(page, meaning(p.Schema)) {
					t.Errorf("%s.%s, or what it means, is not on the page", x.Struct, p.Key)
				}
			}
		})
	}
	if keys < 200 {
		t.Errorf("only %d keys were looked for", keys)
	}
}

// Who uses a key is counted, also in lists, in maps and behind alternatives.
func TestUsersAreCounted(t *testing.T) {
	page := render(t)
	for _, line := range []string{
		"| **`key`** | a text |", // of a predicate, wherever it stands
		"| `present` | true or false | There is a value. | all |",
		"| `absent` | true or false | There is no value. | none yet |",
		"| `files` | a list of relative slash paths | ",
		"| **`hold`** | a text | The slot that keeps it, until a `deliver` row takes it out (pi, opencode). | all |",
		"| **`awaited`**", // not: it is not required
	} {
		if has := strings.Contains(page, line); has == strings.Contains(line, "**`awaited`**") {
			t.Errorf("%q: on the page is %v", line, has)
		}
	}
	if !strings.Contains(page, "An https:// URL.\n\nUsed by z.\n") {
		t.Error("z alone has a homepage, and the page does not say so")
	}
}

func TestLinksLeadSomewhere(t *testing.T) {
	page := render(t)
	places := map[string]bool{}
	for _, h := range regexp.MustCompile(`(?m)^#+ (.*)$`).FindAllStringSubmatch(page, -1) {
		places[strings.ReplaceAll(strings.ToLower(strings.ReplaceAll(h[1], "`", "")), " ", "-")] = true
	}
	links := regexp.MustCompile(`\]\(#([^)]*)\)`).FindAllStringSubmatch(page, -1)
	if len(links) < 5 {
		t.Fatalf("only %d links", len(links))
	}
	for _, l := range links {
		if !places[l[1]] {
			t.Errorf("#%s leads nowhere", l[1])
		}
	}
}

// A section that the prose forgets fails the generator, not the reader.
func TestNoSectionIsForgotten(t *testing.T) {
	was := prose
	defer func() { prose = was }()
	prose = strings.Replace(prose, `{{section "tools"}}`, "", 1)
	p, _ := plan.Build(nil)
	if _, err := Emit(p); err == nil || !strings.HasSuffix(err.Error(), "has no {{section}} for tools") {
		t.Errorf("got %v", err)
	}
	prose = was + `{{section "tolls"}}`
	if _, err := Emit(p); err == nil || !strings.Contains(err.Error(), `there is no section "tolls"`) {
		t.Errorf("got %v", err)
	}
}
