// Package harnesses carries the descriptors: one YAML file for each harness, and nothing else that knows one.
package harnesses

import "embed"

// FS holds <id>.yaml at its root.
//
//go:embed *.yaml
var FS embed.FS
