package schema

// Has is an object with all of these keys.
func Has(keys ...string) *Schema { return &Schema{Required: keys} }

// With is an object in which a key, where it is there, has a value.
func With(key string, value *Schema) *Schema {
	return &Schema{Properties: Properties{{key, value}}}
}

// Is is an object that has a key with one text.
func Is(key, text string) *Schema {
	return &Schema{Required: []string{key}, Properties: Properties{{key, &Schema{Const: text}}}}
}

// True is an object in which a key is set to true: an absent one and false are the same.
func True(key string) *Schema {
	return &Schema{Required: []string{key}, Properties: Properties{{key, &Schema{Const: true}}}}
}

// Without is an object that has none of these keys.
func Without(keys ...string) *Schema {
	s := &Schema{}
	for _, key := range keys {
		s.Properties = append(s.Properties, Property{key, None()})
	}
	return s
}

// Empty is an object without keys.
func Empty() *Schema { return &Schema{Type: Types{"object"}, MaxKeys: new(int)} }

// Not is what does not fit.
func Not(s *Schema) *Schema { return &Schema{Not: s} }

// All fits what every one of them fits.
func All(list ...*Schema) *Schema { return &Schema{AllOf: list} }

// Any fits what at least one of them fits.
func Any(list ...*Schema) *Schema { return &Schema{AnyOf: list} }

// One fits what exactly one of them fits.
func One(list ...*Schema) *Schema { return &Schema{OneOf: list} }

// When says what must fit where a condition does.
func When(condition, then *Schema) *Schema { return &Schema{If: condition, Then: then} }

// Words is one of a closed list of texts.
func Words(list ...string) *Schema { return &Schema{Type: Types{"string"}, Enum: list} }

// Text is a text that matches a regular expression which JavaScript and RE2 read in the same way.
func Text(noun, pattern string) *Schema {
	return &Schema{Type: Types{"string"}, Pattern: pattern, Noun: noun}
}
