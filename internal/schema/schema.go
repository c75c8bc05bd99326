package schema

import (
	"bytes"
	"encoding/json"
)

// Dialect is the schema language in which all of this is written.
const Dialect = "http://json-schema.org/draft-07/schema#"

// Schema is one node of a JSON schema. The order of its fields is that of the file. Any is the empty one.
type Schema struct {
	Dialect     string   `json:"$schema,omitempty"`
	Comment     string   `json:"$comment,omitempty"`
	Title       string   `json:"title,omitempty"`
	Description string   `json:"description,omitempty"`
	Type        Types    `json:"type,omitempty"`
	Const       any      `json:"const,omitempty"`
	Enum        []string `json:"enum,omitempty"`
	Pattern     string   `json:"pattern,omitempty"`
	Format      string   `json:"format,omitempty"`
	Minimum     *float64 `json:"minimum,omitempty"`
	Maximum     *float64 `json:"maximum,omitempty"`
	Above       *float64 `json:"exclusiveMinimum,omitempty"`
	Below       *float64 `json:"exclusiveMaximum,omitempty"`
	MinLength   int      `json:"minLength,omitempty"`

	Required   []string   `json:"required,omitempty"`
	Properties Properties `json:"properties,omitempty"`
	Names      *Schema    `json:"propertyNames,omitempty"`
	Additional *Schema    `json:"additionalProperties,omitempty"`
	MinKeys    int        `json:"minProperties,omitempty"`
	MaxKeys    *int       `json:"maxProperties,omitempty"`
	Items      *Schema    `json:"items,omitempty"`
	MinItems   int        `json:"minItems,omitempty"`
	MaxItems   *int       `json:"maxItems,omitempty"`
	Unique     bool       `json:"uniqueItems,omitempty"`

	Not   *Schema   `json:"not,omitempty"`
	OneOf []*Schema `json:"oneOf,omitempty"`
	AnyOf []*Schema `json:"anyOf,omitempty"`
	AllOf []*Schema `json:"allOf,omitempty"`
	If    *Schema   `json:"if,omitempty"`
	Then  *Schema   `json:"then,omitempty"`
	Else  *Schema   `json:"else,omitempty"`

	Noun   string `json:"-"` // what a value is, in a few words, for tables: "a duration", "one of allow, block"
	Never  bool   `json:"-"` // nothing fits: written as false
	Struct string `json:"-"` // the Go struct that this is, "" for anything else
}

// None is what nothing fits.
func None() *Schema { return &Schema{Never: true} }

// MarshalJSON writes false for None.
func (s *Schema) MarshalJSON() ([]byte, error) {
	if s.Never {
		return []byte("false"), nil
	}
	type plain Schema // without this method
	return encode((*plain)(s))
}

// Bytes returns the schema as a file: two blanks of indent, a final newline, no HTML escapes.
func (s *Schema) Bytes() ([]byte, error) {
	raw, err := encode(s)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	layout(&b, raw, "", 0)
	b.WriteByte('\n')
	return b.Bytes(), nil
}

func encode(v any) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	err := enc.Encode(v)
	return bytes.TrimSpace(b.Bytes()), err
}

// Types is one type or several, in JSON's words.
type Types []string

// MarshalJSON writes one type as a text.
func (t Types) MarshalJSON() ([]byte, error) {
	if len(t) == 1 {
		return json.Marshal(t[0])
	}
	return json.Marshal([]string(t))
}

// Property is one key of an object.
type Property struct {
	Key string
	*Schema
}

// Properties are the keys of an object, in their order.
type Properties []Property

// Get returns the schema of a key, nil when there is none.
func (p Properties) Get(key string) *Schema {
	for _, x := range p {
		if x.Key == key {
			return x.Schema
		}
	}
	return nil
}

// MarshalJSON writes the keys in their order.
func (p Properties) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	for i, x := range p {
		key, err := encode(x.Key)
		if err != nil {
			return nil, err
		}
		value, err := encode(x.Schema)
		if err != nil {
			return nil, err
		}
		b.WriteByte("{,"[min(i, 1)])
		b.Write(key)
		b.WriteByte(':')
		b.Write(value)
	}
	if len(p) == 0 {
		b.WriteByte('{')
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}
