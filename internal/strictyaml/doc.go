// Package strictyaml reads YAML into Go structs and says everything that is wrong with it at once, each fault with file,
// line and column, what was found, what was expected and, where a name was misspelt, which one was probably meant.
//
// It is for files that people write by hand and that must mean exactly what they say: harness descriptors and
// lorimer.yaml. So it refuses what YAML would silently turn into something else (a tag, a merge key, an anchor, a version
// read as a float, a country code read as a boolean) and what is only ever an accident or an attack (two documents, a
// duplicate key, a megabyte, a thousand levels).
//
// Decode fills a struct by its `yaml:"name"` tags; `yaml:"name,required"` makes the key mandatory. Two fields with the tag
// `yaml:"-"` are filled by name: `Pos Pos` gets the place of the mapping, `Comment string` the YAML comment that stands
// above it or behind its first value. A type with its own spelling implements Decoder; a struct that can judge its own
// values implements Validator.
//
// Nothing in here knows what a descriptor is.
package strictyaml
