package schema

import (
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/lorimer-dev/lorimer/internal/strictyaml"
)

type file struct {
	Pos   strictyaml.Pos                      `yaml:"-"`
	Name  strictyaml.Str                      `yaml:"name,required" form:"name"`
	Say   []strictyaml.Str                    `yaml:"say" enum:"yes|no"`
	Wait  strictyaml.Duration                 `yaml:"wait"`
	Boxes strictyaml.Map[strictyaml.Map[box]] `yaml:"boxes" keys:"/name"`
	On    *bool                               `yaml:"on"`
}

type box struct {
	Any strictyaml.Tree `yaml:"any" tokens:"a|b"`
}

func (box) SchemaRules(*Builder) []*Schema { return []*Schema{When(Has("any"), Without("other"))} }

const source = `package x

// file is a file,
// of ours.
type file struct {
	Pos   Pos
	Name  Str // what it is called
	// Say is false by default
	Say   []Str // <b>a & b</b>
	Wait  Duration // how long
	Boxes Map // CONFIG and more (pi)
	On    *bool // true: it is on
}

// box is a box.
type box struct {
	Any Tree // whatever
}
`

const want = `{
  "$schema": "http://json-schema.org/draft-07/schema#",
  "$comment": "generated",
  "title": "a title",
  "description": "A file, of ours.",
  "type": "object",
  "required": ["name"],
  "properties": {
    "name": { "description": "What it is called.\n\nA name.", "type": "string", "pattern": "^[a-z]+$" },
    "say": {
      "description": "false by default <b>a & b</b>.\n\nA list of words, each one of yes, no.",
      "type": "array",
      "items": { "type": "string", "enum": ["yes", "no"] }
    },
    "wait": {
      "description": "How long.\n\nA duration with its unit, such as 1500ms, 90s, 5m or 1h30m.",
      "type": "string",
      "pattern": "^([0-9]+(\\.[0-9]+)?(ms|s|m|h))+$"
    },
    "boxes": {
      "description": "CONFIG and more (pi).\n\nA mapping to mappings to mappings.",
      "type": "object",
      "additionalProperties": {
        "type": "object",
        "propertyNames": { "pattern": "^[a-z]+$" },
        "additionalProperties": {
          "description": "A box.",
          "type": "object",
          "properties": { "any": { "description": "Whatever.\n\nAnything that JSON has, with the tokens {a}, {b}." } },
          "additionalProperties": false,
          "allOf": [{ "if": { "required": ["any"] }, "then": { "properties": { "other": false } } }]
        }
      }
    },
    "on": { "description": "true: it is on.", "type": "boolean" }
  },
  "additionalProperties": false
}
`

func build(t *testing.T, src string) (*Schema, error) {
	t.Helper()
	docs, err := ReadDocs(fstest.MapFS{"x.go": {Data: []byte(src)}})
	if err != nil {
		t.Fatal(err)
	}
	return File[file](New(docs, map[string]*Schema{"name": Text("a name", "^[a-z]+$")}), "a title", "generated")
}

func TestSchemaOfAStruct(t *testing.T) {
	s, err := build(t, source)
	if err != nil {
		t.Fatal(err)
	}
	got, err := s.Bytes()
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, string(got)); diff != "" {
		t.Error(diff)
	}
}

// What an editor shows beside a key is a comment of the model. A field without one is an error, whoever adds it.
func TestEveryFieldNeedsADescription(t *testing.T) {
	_, err := build(t, strings.Replace(source, "// how long", "", 1))
	if err == nil || err.Error() != "no schema: file.Wait has no comment that says what it means" {
		t.Errorf("got %v", err)
	}
	docs, _ := ReadDocs(fstest.MapFS{"x.go": {Data: []byte(source)}})
	if _, err := File[file](New(docs, nil), "", ""); err == nil || err.Error() != `no schema: there is no form "name"` {
		t.Errorf("got %v", err)
	}
}
