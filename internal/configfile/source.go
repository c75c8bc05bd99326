package configfile

import "embed"

// ModelSource is the Go source of the model. The comments in it are what an editor shows beside a key.
//
//go:embed model*.go
var ModelSource embed.FS
