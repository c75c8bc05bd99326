// Package runtimejs carries the sources of the shim runtime, the JavaScript that every generated shim holds a bundle of.
//
// The runtime is plain ESM over node builtins. It knows no harness: what differs between hosts is glue, generated from a
// descriptor. Its tests are run by node (node --test runtime-js/) and are not carried.
package runtimejs

import "embed"

// FS holds the modules; shim.mjs is the one to begin with. A module that is missing in this list does not bundle.
//
//go:embed dispatch.mjs events.mjs failure.mjs loud.mjs payload.mjs rendezvous.mjs session.mjs
//go:embed shim.mjs socket.mjs stopgate.mjs tools.mjs util.mjs verdict.mjs
var FS embed.FS
