package certify

import (
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
)

// Effects is all that Ensure, Verify and Launch do to the world. World returns the real ones.
type Effects struct {
	Exists  func(path string) bool
	Mkdir   func(path string) error                                         // with its parents, for the user alone
	Read    func(path string) ([]byte, error)                               // a file, whole
	Resolve func(path string) (string, error)                               // where a path that exists really lies
	Hold    func(ctx context.Context, to Paths) (release func(), err error) // of several at a time one goes on
	Install func(ctx context.Context, to Paths) error                       // puts a runtime into to.Runtime, whole or not at all
	Exec    func(ctx context.Context, r Run) (Output, error)                // runs a program to its end; the error says why it could not be
}

// Run is a program that is asked for something.
type Run struct {
	Argv []string
	Dir  string
	Env  []string // NAME=value; all that it has
}

// Output is what came of a Run.
type Output struct {
	Exit   int
	Stdout string // bounded
	Stderr string // bounded
}

// markName is the file below a runtime that says what was put there.
const markName = "runtime.json"

// mark says what a runtime is.
type mark struct {
	Source  string   `json:"source"`  // npm, or the path that was copied
	Program []string `json:"program"` // argv that starts it; slash paths below the runtime
}

// program is the argv that starts a runtime: that of its mark, else its binary.
func program(fx Effects, p Paths) ([]string, error) {
	data, err := fx.Read(filepath.Join(p.Runtime, markName))
	if err != nil {
		return []string{p.Binary}, nil // put there by somebody else
	}
	var m mark
	if err := json.Unmarshal(data, &m); err != nil || len(m.Program) == 0 {
		return nil, fmt.Errorf("%s does not say how the runtime is started; run `lorimer runtime ensure` with --force", filepath.Join(p.Runtime, markName))
	}
	argv := make([]string, len(m.Program))
	for i, path := range m.Program {
		argv[i] = filepath.Join(p.Runtime, filepath.FromSlash(path))
		if !below(p.Runtime, argv[i]) {
			//lint:ignore ST1005 these are the words of the contract, which programs read
			return nil, fmt.Errorf("Runtime path escapes Lorimer root: %s", argv[i])
		}
	}
	return argv, nil
}
