package harness

// Companion is a file that should lie beside a shim: without it the host works, but badly.
type Companion struct {
	Path    string   // slash path in the clone, or "~/" and one below HOME
	Content string   // may be empty
	Why     string   // what is lost without it
	Unless  []string // path.Match patterns of slash paths in the clone: not where one that is not ours is there
}
