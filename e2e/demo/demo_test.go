//go:build linux

package main

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/lorimer-dev/lorimer/e2e/rig"
)

var (
	install     rig.Install
	bin         string
	unavailable error
)

func TestMain(m *testing.M) {
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Minute)
	install, bin, unavailable = rig.Ready(ctx, filepath.Join("..", ".."), "..", agents...)
	cancel()
	os.Exit(m.Run())
}

func TestTheDemoShowsWhatHappened(t *testing.T) {
	rig.Need(t, unavailable)
	var out bytes.Buffer
	if err := show(&printer{w: &out}, install, bin, false); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"$ lorimer materialize .\n",
		"\nClaude Code 2.1.332\n", "\npi 1.6.0\n",
		"  the model calls  bash  rm -rf build\n",
		"  the hook         no-rm blocks: build/ is still there\n",
		"  the model reads  rm -rf is not allowed in this project. Leave build/ alone.\n",
		"  the model says   I am done.\n  the hook         tests-first holds the stop\n",
		"  the model reads  Not yet: run ./run-tests before you stop.\n",
		"  the tool ran     all 3 tests passed\n",
		"  it ends          exit status 0",
	} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("it does not say %q", want)
		}
	}
	if strings.Contains(out.String(), "\x1b") {
		t.Error("colours, though this is no terminal")
	}
	if t.Failed() {
		t.Logf("%s", &out)
	}
}

// With a Lorimer that does nothing the demo has nothing to show, and must say so.
func TestTheDemoFailsWhenNothingHappens(t *testing.T) {
	rig.Need(t, unavailable)
	idle := t.TempDir()
	if err := os.WriteFile(filepath.Join(idle, "lorimer"), []byte("#!/bin/sh\nexit 0\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	err := show(&printer{w: &out}, install, idle, false)
	if err == nil {
		t.Fatalf("it found nothing wrong:\n%s", &out)
	}
	for _, want := range []string{"expected build/ still there", "expected each hook to act once", "expected the reason of the held stop"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("it does not say %q in:\n%v", want, err)
		}
	}
	if strings.Contains(out.String(), "  the hook  ") {
		t.Errorf("it shows what did not happen:\n%s", &out)
	}
}

// The demo has a lockfile of its own, so that it need not wait for every agent of the tests; the versions are theirs.
func TestTheDemoRunsTheVersionsOfTheTests(t *testing.T) {
	pins := func(file string) map[string]string {
		var p struct{ Dependencies map[string]string }
		b, err := os.ReadFile(file)
		if err == nil {
			err = json.Unmarshal(b, &p)
		}
		if err != nil {
			t.Fatal(err)
		}
		return p.Dependencies
	}
	all, ours := pins("../package.json"), pins("package.json")
	if len(ours) == 0 {
		t.Error("the demo pins nothing")
	}
	for name, version := range ours {
		if all[name] != version {
			t.Errorf("%s is %s here and %q in ../package.json", name, version, all[name])
		}
	}
}

func TestColoursOnRequestOfATerminalAlone(t *testing.T) {
	t.Setenv("NO_COLOR", "")
	f, err := os.Create(filepath.Join(t.TempDir(), "out"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if p := newPrinter(f); p.colours || p.terminal {
		t.Error("a file is taken for a terminal")
	}
}
