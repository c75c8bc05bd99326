package proc

import (
	"context"
	"os"
	"os/exec"
	"strconv"
	"testing"
	"time"

	"github.com/lorimer-dev/lorimer/internal/platform"
)

var marks = 0

// begin starts a shell line as the root of a job, in a session of its own. Everything of it is swept at the end of the test.
func begin(t *testing.T, line string) *Job {
	t.Helper()
	marks++
	mark := "PROC_TEST_JOB=" + strconv.Itoa(os.Getpid()) + "-" + strconv.Itoa(marks)
	cmd := exec.Command("/bin/sh", "-c", line)
	cmd.Env = append(os.Environ(), mark)
	cmd.SysProcAttr = platform.Current.ProcAttr(true)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	go cmd.Wait()
	ctime, _ := platform.Current.Ctime(cmd.Process.Pid)
	t.Cleanup(func() {
		for _, p := range platform.Environ(mark) {
			platform.Current.Terminate(p.PID)
		}
	})
	return &Job{Platform: platform.Current, Root: Record{cmd.Process.Pid, ctime, "sh"}, Marks: []string{mark}}
}

func until(t *testing.T, what string, holds func() bool) {
	t.Helper()
	for end := time.Now().Add(10 * time.Second); !holds(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("not within 10 s: %s", what)
		}
	}
}

func count(j *Job) int { return len(platform.Environ(j.Marks[0])) }

func TestKillEndsWhateverTheJobStarted(t *testing.T) {
	for name, c := range map[string]struct {
		line  string
		procs int
	}{
		"a child":                         {"sleep 60 & wait", 2},
		"a tool in a session of its own":  {"setsid sh -c 'sleep 60 & wait' & wait", 3},
		"a daemon that left its parent":   {"(setsid sh -c 'setsid sleep 60 &' &) ; sleep 60", 2},
		"one that ignores TERM":           {"trap '' TERM; sleep 60 & wait; wait; wait", 2},
		"a child that ignores TERM":       {`(trap '' TERM; while :; do sleep 1; done) & sleep 60`, 4},
		"one that became another by exec": {"exec sleep 60", 1},
		"many":                            {"i=0; while [ $i -lt 200 ]; do setsid sleep 60 & i=$((i+1)); done; wait", 201},
	} {
		t.Run(name, func(t *testing.T) {
			j := begin(t, c.line)
			until(t, "all have started", func() bool { return count(j) >= c.procs })
			k := j.Kill(context.Background(), 300*time.Millisecond, 20*time.Second)
			if !k.Any || len(k.Survivors) > 0 || k.Survivors == nil || k.TreeRC != nil {
				t.Errorf("%+v", k)
			}
			if n := count(j); n > 0 {
				t.Errorf("%d run on", n)
			}
		})
	}
}

// It starts another as soon as it has started one, and none of them lives long.
func TestKillOutrunsAForkBomb(t *testing.T) {
	j := begin(t, `f() { sleep 0.3; [ $1 -gt 0 ] && { setsid sh -c "$0" x $(($1-1)) & f $(($1-1)); }; }
		i=0; while [ $i -lt 40 ]; do (while :; do setsid sleep 0.2; done) & i=$((i+1)); done; wait`)
	until(t, "it is under way", func() bool { return count(j) > 60 })
	if k := j.Kill(context.Background(), 0, 20*time.Second); len(k.Survivors) > 0 {
		t.Errorf("%+v", k)
	}
	time.Sleep(300 * time.Millisecond)
	if n := count(j); n > 0 {
		t.Errorf("%d run on", n)
	}
}

func TestWhoEndsWhenAskedIsNotOrdered(t *testing.T) {
	dir := t.TempDir()
	j := begin(t, `trap 'echo asked > `+dir+`/asked; exit 0' TERM; : > `+dir+`/ready; while :; do sleep 0.05; done`)
	until(t, "the trap is set", func() bool { _, err := os.Stat(dir + "/ready"); return err == nil })
	began := time.Now()
	k := j.Kill(context.Background(), 5*time.Second, 20*time.Second)
	if b, _ := os.ReadFile(dir + "/asked"); string(b) != "asked\n" || len(k.Survivors) > 0 {
		t.Errorf("%q, %+v", b, k)
	}
	if took := time.Since(began); took > 4*time.Second {
		t.Errorf("it took %v: it waited though all had ended", took)
	}
}

func TestTheSweepAfterANormalEnd(t *testing.T) {
	j := begin(t, "setsid sleep 60 & sleep 0.2; exit 0")
	until(t, "the root has ended and left a child", func() bool {
		return !platform.Current.Alive(j.Root.PID, j.Root.Ctime) && count(j) == 1
	})
	if k := j.Kill(context.Background(), 50*time.Millisecond, 10*time.Second); !k.Any || len(k.Survivors) > 0 || count(j) > 0 {
		t.Errorf("%+v, %d", k, count(j))
	}
	if k := j.Kill(context.Background(), time.Second, time.Second); k.Any {
		t.Error("it found something in an ended job")
	}
}

// A child that neither is below the root nor carries the mark is known when it was seen before.
func TestWhatWasSeenIsRemembered(t *testing.T) {
	dir := t.TempDir()
	j := begin(t, `(env -i PATH="$PATH" setsid sh -c 'echo $$ > `+dir+`/pid; exec sleep 60' & echo; sleep 0.5) ; sleep 60`)
	var pid int
	until(t, "it has started", func() bool {
		b, _ := os.ReadFile(dir + "/pid")
		pid, _ = strconv.Atoi(string(b[:max(0, len(b)-1)]))
		return pid > 0
	})
	t.Cleanup(func() { platform.Current.Terminate(pid) })
	j.Look()
	until(t, "its parent has ended", func() bool {
		for _, r := range (&Job{Platform: platform.Current, Root: j.Root}).Alive() {
			if r.PID == pid {
				return false
			}
		}
		return true
	})
	if k := j.Kill(context.Background(), 0, 10*time.Second); len(k.Survivors) > 0 || platform.Current.Alive(pid, 0) {
		t.Errorf("%+v: the one that went away lives", k)
	}
}

func TestOthersOfTheSameNameLiveOn(t *testing.T) {
	other := exec.Command("sleep", "60")
	if err := other.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { other.Process.Kill(); other.Wait() })
	j := begin(t, "sleep 60 & wait")
	until(t, "both run", func() bool { return count(j) == 2 })
	j.Kill(context.Background(), 0, 10*time.Second)
	if !platform.Current.Alive(other.Process.Pid, 0) {
		t.Error("a bystander was ended")
	}
}
