//go:build unix

package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"sync"
	"syscall"
	"time"

	"github.com/lorimer-dev/lorimer/internal/gremlin/fakeagent"
	"github.com/lorimer-dev/lorimer/internal/gremlin/record"
	"github.com/lorimer-dev/lorimer/internal/platform"
)

// soak is one run of it.
type soak struct {
	bin, dir string
	lasts    time.Duration
	cap      int
	seed     int64

	mu     sync.Mutex
	chance *rand.Rand
	report report
}

// report is what happened.
type report struct {
	Started  int            `json:"started"`
	Statuses map[string]int `json:"statuses"`
	Killed   map[string]int `json:"killed"` // by us: agents, supervisors, calls
	Refused  int            `json:"refused"`
	Seconds  float64        `json:"seconds"`
}

const mark = "SOAK"

func (s *soak) run() (report, error) {
	s.chance = rand.New(rand.NewSource(s.seed))
	s.report = report{Statuses: map[string]int{}, Killed: map[string]int{}}
	began := time.Now()
	err := s.prepare()
	if err == nil {
		err = s.train()
	}
	if err == nil {
		s.disturb(began.Add(s.lasts))
		err = s.settle()
	}
	if err == nil {
		err = s.check()
	}
	s.report.Seconds = time.Since(began).Round(time.Second).Seconds()
	if err == nil {
		err = os.RemoveAll(s.dir)
	}
	return s.report, err
}

func (s *soak) prepare() (err error) {
	if s.bin, err = filepath.Abs(s.bin); err != nil {
		return err
	}
	s.dir, err = os.MkdirTemp("", "lorimer-soak")
	if err != nil {
		return err
	}
	self, err := os.Executable()
	if err == nil {
		_, err = s.call("init", "--model", "claude-soak-1", "--binary", self, "--parallel-cap", strconv.Itoa(s.cap))
	}
	return err
}

// call is one call of the command line, of which one in thirty is killed on its way.
func (s *soak) call(command string, args ...string) ([]byte, error) {
	cmd := exec.Command(filepath.Join(s.bin, "lorimer-gremlins"), append([]string{command, "--run", "run.md"}, args...)...)
	cmd.Dir, cmd.Env = s.dir, append(os.Environ(), mark+"="+s.dir, fakeagent.BillTo+"="+s.file("bill"))
	var out, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &stderr
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	if s.oneIn(30) && command != "init" && command != "train" {
		time.Sleep(s.upTo(40 * time.Millisecond))
		if cmd.Process.Kill() == nil {
			s.count("calls")
		}
	}
	err := cmd.Wait()
	if err != nil {
		err = fmt.Errorf("gremlins %s: %w\n%s%s", command, err, out.Bytes(), stderr.Bytes())
	}
	return out.Bytes(), err
}

func (s *soak) file(name string) string { return filepath.Join(s.dir, name) }

func (s *soak) oneIn(n int) bool { s.mu.Lock(); defer s.mu.Unlock(); return s.chance.Intn(n) == 0 }

func (s *soak) upTo(d time.Duration) time.Duration {
	s.mu.Lock()
	defer s.mu.Unlock()
	return time.Duration(s.chance.Int63n(int64(d)))
}

func (s *soak) count(what string) { s.mu.Lock(); s.report.Killed[what]++; s.mu.Unlock() }

func (s *soak) brief(script fakeagent.Script) (string, error) {
	text, err := script.Brief()
	if err != nil {
		return "", err
	}
	f, err := os.CreateTemp(s.dir, "brief-*.md")
	if err != nil {
		return "", err
	}
	_, err = f.WriteString(text)
	return f.Name(), errors.Join(err, f.Close())
}

func (s *soak) train() error {
	brief, err := s.brief(fakeagent.Script{})
	if err == nil {
		_, err = s.call("train", "--base", "B1", "--phase", "1", "--brief", brief)
	}
	for err == nil {
		var reg record.Registry
		if reg, err = s.registry(); err == nil && reg.Bases["B1"].Status == record.Active {
			return nil
		}
		time.Sleep(50 * time.Millisecond)
	}
	return err
}

func (s *soak) registry() (reg record.Registry, err error) {
	b, err := os.ReadFile(s.file("run-gremlins/registry.json"))
	if err == nil {
		err = json.Unmarshal(b, &reg)
	}
	return reg, err
}

// disturb starts gremlins and kills whatever it finds, until the time is up.
func (s *soak) disturb(end time.Time) {
	var wg sync.WaitGroup
	for _, work := range []func(){s.spawn, s.spawn, s.look, s.killOne, s.order} {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for time.Now().Before(end) {
				work()
			}
		}()
	}
	wg.Wait()
}

// spawn starts a gremlin that works for up to ten seconds, mostly.
func (s *soak) spawn() {
	script := fakeagent.Script{WorkMS: int(s.upTo(10 * time.Second).Milliseconds()), Deaf: s.oneIn(10), Hang: s.oneIn(20), Die: s.oneIn(20)}
	if s.oneIn(4) {
		script.Children = 1 + int(s.upTo(3))
	}
	brief, err := s.brief(script)
	if err != nil {
		return
	}
	_, err = s.call("spawn", "--base", "B1", "--block", "X", "--phase", "1", "--brief", brief)
	s.mu.Lock()
	if err == nil {
		s.report.Started++
	} else {
		s.report.Refused++
	}
	s.mu.Unlock()
	if err != nil { // the cap, mostly
		time.Sleep(200 * time.Millisecond)
	}
}

// look is what whoever steers does all the time.
func (s *soak) look() {
	_, _ = s.call("wait", "--timeout-s", "2")
	_, _ = s.call("list")
	_, _ = s.call("usage")
}

// killOne ends an agent or a supervisor, without a word.
func (s *soak) killOne() {
	time.Sleep(100*time.Millisecond + s.upTo(time.Second))
	reg, err := s.registry()
	if err != nil {
		return
	}
	for _, j := range reg.Jobs { // in no order
		what, p := "agents", j.Harness
		if s.oneIn(2) {
			what, p = "supervisors", j.Supervisor
		}
		if j.Status == record.Running && p.PID > 0 && platform.Current.Alive(p.PID, p.Ctime) && syscall.Kill(p.PID, syscall.SIGKILL) == nil {
			s.count(what)
			return
		}
	}
}

// order kills a job as one should.
func (s *soak) order() {
	time.Sleep(500*time.Millisecond + s.upTo(2*time.Second))
	reg, err := s.registry()
	if err != nil {
		return
	}
	for id, j := range reg.Jobs {
		if j.Status == record.Running {
			_, _ = s.call("kill", "--job", id)
			return
		}
	}
}
