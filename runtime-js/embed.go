// Package runtimejs carries the sources of the shim runtime, the JavaScript that every generated shim holds a bundle of.
//
// The runtime is plain ESM over node builtins. It knows no harness: what differs between hosts is glue, generated from a
// descriptor. Its tests are run by node (node --test runtime-js/) and are not carried.
package runtimejs

import "embed"

// FS holds the modules; shim.mjs is the one to begin with. A module that is missing in this list does not bundle.
//
//go:embed claim.mjs dispatch.mjs events.mjs failure.mjs files.mjs level.mjs loud.mjs node.mjs payload.mjs rendezvous.mjs session.mjs
//go:embed shim.mjs socket.mjs stopgate.mjs tools.mjs util.mjs verdict.mjs
var FS embed.FS

// HAL holds the modules of the Runtime HAL below hal/; hal.mjs is the one to begin with. They import ./rows.mjs, which is
// generated.
//
//go:embed hal/answers.mjs hal/cascade.mjs hal/environment.mjs hal/files.mjs hal/hal.mjs hal/process.mjs hal/table.mjs hal/version.mjs
var HAL embed.FS
