package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"
)

// Several processes at work on one clone, and an editor that saves the same file again and again: no save is lost, every process
// either does its work or says that somebody else was faster, and what stands there in the end is whole.
func TestManyProcessesAndAnEditor(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the editor renames over open files")
	}
	lorimer, err := exec.LookPath("lorimer")
	if err != nil {
		t.Fatal(err)
	}
	dir, home := t.TempDir(), t.TempDir()
	settings := filepath.Join(dir, ".claude", "settings.local.json")
	put(t, filepath.Join(dir, "lorimer.yaml"), "version: 1\nharnesses: [claude, pi]\nhandlers:\n  - { name: gate, event: Stop, run: \"true\" }\n")
	put(t, settings, `{ "saves": 0 }`)
	run := func(args ...string) (string, error) {
		cmd := exec.Command(lorimer, append(args, dir)...)
		cmd.Env = append(os.Environ(), "LORIMER_HOME="+home)
		out, err := cmd.CombinedOutput()
		return string(out), err
	}

	stop, saved := make(chan bool), make(chan int)
	go func() { saved <- edits(t, settings, stop) }()
	var work sync.WaitGroup
	for i := range 10 {
		work.Go(func() {
			out, err := run([]string{"materialize", "clean"}[i%5/4]) // eight of one, two of the other
			if err != nil && !strings.Contains(out, "changed by someone else a moment ago") {
				t.Errorf("%v: %s", err, out)
			}
		})
	}
	work.Wait()
	close(stop)
	saves := <-saved
	if out, err := run("materialize"); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	var got struct {
		Saves int
		Hooks map[string][]any
	}
	data := text(t, dir, ".claude/settings.local.json")
	if err := json.Unmarshal([]byte(data), &got); err != nil || got.Saves != saves || saves == 0 || len(got.Hooks["Stop"]) != 1 {
		t.Errorf("the last of %d saves, and one entry of lorimer's: %v\n%s", saves, err, data)
	}
	if left, _ := filepath.Glob(filepath.Join(dir, ".claude", "*")); len(left) != 1 {
		t.Errorf("left behind: %q", left)
	}
	if out, err := run("check"); err != nil {
		t.Errorf("%v: %s", err, out)
	}
}

// edits is an editor: it reads the file, changes its own value in it and saves it, over what somebody else may have written in
// between, as editors do; it tells how often.
func edits(t *testing.T, file string, stop <-chan bool) (n int) {
	for last := false; !last; {
		select {
		case <-stop:
			last = true // once more, when nobody else is at work
		case <-time.After(3 * time.Millisecond):
		}
		data, err := os.ReadFile(file)
		if err != nil {
			t.Error(err)
			return n
		}
		var all map[string]any
		if err := json.Unmarshal(data, &all); err != nil {
			t.Errorf("half a file: %v\n%s", err, data)
			return n
		}
		n++
		all["saves"] = n
		data, _ = json.Marshal(all)
		next := fmt.Sprintf("%s.%d~", file, n)
		if err := os.WriteFile(next, data, 0o644); err != nil {
			t.Error(err)
		}
		if err := os.Rename(next, file); err != nil {
			t.Error(err)
		}
	}
	return n
}
