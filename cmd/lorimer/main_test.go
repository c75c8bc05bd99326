package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/lorimer-dev/lorimer/golden/go/table"
	"github.com/lorimer-dev/lorimer/internal/dispatch"
	"github.com/lorimer-dev/lorimer/internal/goldentest"
)

// TestMain lets scripts start lorimer, and the dispatcher that lies beside it, as processes of their own.
func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"lorimer": func() { os.Exit(start(os.Args)) },
		"lorimer-dispatch": func() {
			if status, ok := otherFace(os.Args); ok {
				os.Exit(status)
			}
			reply := dispatch.Run(context.Background(), dispatch.Options{Args: os.Args[1:], Stdin: os.Stdin, Table: table.All})
			os.Stdout.WriteString(reply.Stdout)
			os.Stderr.WriteString(reply.Stderr)
			os.Exit(reply.Exit)
		},
	})
}

// sources is the top of the repository. Scripts run elsewhere.
var sources, _ = filepath.Abs("../..")

// TestScripts plays testdata/script/*.txtar: each is a story of the command line, with its files and what is said.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		RequireExplicitExec: true,
		UpdateScripts:       *goldentest.Update,
		Setup: func(env *testscript.Env) error {
			env.Setenv("LORIMER_HOME", filepath.Join(env.WorkDir, ".home"))
			// No real agent of the machine may be found.
			bin, _, _ := strings.Cut(env.Getenv("PATH"), string(filepath.ListSeparator))
			env.Setenv("BIN", bin) // where the commands under test are, and nothing else
			env.Setenv("PATH", binOf(env.Getenv("PATH")))
			if node, err := exec.LookPath("node"); err == nil {
				env.Setenv("NODE", node) // which init proves modules with
			}
			return nil
		},
		Condition: func(cond string) (bool, error) {
			if cond != "root" {
				return false, fmt.Errorf("unknown condition %q", cond)
			}
			return os.Geteuid() == 0, nil // who may do everything
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"aged":     aged,
			"code":     code,
			"readme":   readme,
			"same":     same,
			"snapshot": snapshot,
		},
	})
}

// binOf keeps of PATH where the commands under test are and where a shell finds its tools.
func binOf(path string) string {
	bin, _, _ := strings.Cut(path, string(filepath.ListSeparator))
	if runtime.GOOS == "windows" {
		return bin
	}
	return bin + ":/usr/bin:/bin"
}

// code runs a command and wants its exit status: code 1 lorimer check.
func code(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: code STATUS COMMAND ARG...")
	}
	err := ts.Exec(args[1], args[2:]...)
	got := "0"
	if err != nil {
		got = strings.TrimPrefix(err.Error(), "exit status ")
	}
	if got != args[0] {
		ts.Fatalf("exit status %s, want %s", got, args[0])
	}
}

// readme wants what stands in a file to stand in README.md, with the places where a script runs written as a reader has them.
func readme(ts *testscript.TestScript, _ bool, args []string) {
	said := ts.ReadFile(args[0])
	work := ts.Getenv("WORK")
	said = strings.NewReplacer(work+"/bin", "/usr/local/bin", work+"/app", "/home/you/app", work+"/.home", "/home/you/.local/state/lorimer").Replace(said)
	text, err := os.ReadFile(filepath.Join(sources, "README.md"))
	ts.Check(err)
	if !strings.Contains(string(text), said) {
		ts.Fatalf("README.md does not say this:\n%s", said)
	}
}

// aged makes all files of a directory look as if they were written that long ago: aged 1h state/hooks.
func aged(ts *testscript.TestScript, _ bool, args []string) {
	ago, err := time.ParseDuration(args[0])
	ts.Check(err)
	dir := ts.MkAbs(args[1])
	entries, err := os.ReadDir(dir)
	ts.Check(err)
	then := time.Now().Add(-ago)
	for _, e := range entries {
		ts.Check(os.Chtimes(filepath.Join(dir, e.Name()), then, then))
	}
}

var snapshots sync.Map // scripts run at the same time

// snapshot remembers everything in a directory; same compares with it. A slash at the end lets the times count, too.
func snapshot(ts *testscript.TestScript, _ bool, args []string) {
	snapshots.Store(ts.Getenv("WORK")+args[0], files(ts, args[0]))
}

func same(ts *testscript.TestScript, neg bool, args []string) {
	stored, _ := snapshots.Load(ts.Getenv("WORK") + args[0])
	now, then := files(ts, args[0]), stored.(map[string]string)
	differs := ""
	for name, text := range now {
		if old, ok := then[name]; !ok || old != text {
			differs = name
		}
	}
	for name := range then {
		if _, ok := now[name]; !ok {
			differs = name
		}
	}
	if (differs != "") != neg {
		ts.Fatalf("%s: differs in %q", args[0], differs)
	}
}

// files reads a directory: names, bytes and times.
func files(ts *testscript.TestScript, dir string) map[string]string {
	all := map[string]string{}
	root := ts.MkAbs(dir)
	ts.Check(filepath.WalkDir(root, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			all[path] = ""
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		data, err := os.ReadFile(path)
		all[path] = string(data)
		if strings.HasSuffix(dir, "/") {
			all[path] += info.ModTime().String()
		}
		return err
	}))
	return all
}
