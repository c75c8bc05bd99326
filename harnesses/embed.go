// Package harnesses carries the descriptors: one YAML file for each harness, and nothing else that knows one. Beside them stand
// the locks of what is certified: the hash of every package that an installation consists of.
package harnesses

import "embed"

// FS holds <id>.yaml at its root.
//
//go:embed *.yaml
var FS embed.FS

// Locks holds locks/<id>.json, a package-lock.json for each harness that can be installed. They are cut out of the one that the
// end-to-end tests run by.
//
//go:embed locks
var Locks embed.FS

// Proofs holds proofs/<id>.json: what a suite saw the real program do. The suites write these files.
//
//go:embed proofs
var Proofs embed.FS

// New holds new/<id>.yaml: what a new descriptor like that harness begins with.
//
//go:embed new/*.yaml
var New embed.FS
