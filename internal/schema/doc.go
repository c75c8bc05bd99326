// Package schema makes a JSON schema of the structs that strictyaml fills, for editors: completion, texts to hover over, and
// red lines under what is wrong before anybody runs lorimer.
//
// There is one source. Keys, types, words and what is required come from the structs and their tags, descriptions from the
// comments of their fields (Docs reads them from the Go source, which the models embed). A type that reads its own spelling
// says what it reads with Speller, beside its decoder; a struct that judges its own values says with Ruler what of that a
// schema can say.
//
// A schema sees values, not text: it cannot tell a YAML tag, an unquoted version or a name that no other section has. So the
// loader may refuse what a schema takes, never the other way round; tests hold that.
//
// The dialect is draft 7, because that is what editors implement in full. No "$ref" is used: everything stands where it is
// meant, so that an editor finds the description of a key that several structs share.
package schema
