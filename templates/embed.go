// Package templates holds text that is used nearly as it stands.
package templates

import "embed"

// Gremlin holds the prompts of gremlins: gremlin/<name>.md, with ${name} for what is filled in.
//
//go:embed gremlin/*.md
var Gremlin embed.FS
