package main

import (
	"os"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"lorimer-hal": func() { os.Exit(run(os.Args[1:])) }})
}

// TestScripts holds what is this program's own; all else is held where `lorimer hal` is.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{Dir: "testdata/script", RequireExplicitExec: true})
}
