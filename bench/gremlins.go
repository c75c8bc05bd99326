package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/lorimer-dev/lorimer/internal/gremlin/fakeagent"
	"github.com/lorimer-dev/lorimer/internal/gremlin/record"
)

// workers is a run of gremlins whose agent is this program.
type workers struct {
	bin, dir, bill string
}

const ledgerLines = 100_000

// gremlins measures the supervisor, what lies between a job's end and its report, and books of many lines.
func gremlins(bin, work string) error {
	w := workers{bin: filepath.Join(bin, "lorimer-gremlins"), dir: filepath.Join(work, "run"), bill: filepath.Join(work, "run", "bill")}
	if err := w.begin(); err != nil {
		return err
	}
	fmt.Print("\n| gremlins | figure | goal |\n|---|---|---|\n")
	for _, measure := range []func() error{w.supervisor, w.latency, w.books} {
		if err := measure(); err != nil {
			return err
		}
	}
	return nil
}

func (w workers) begin() error {
	self, err := os.Executable()
	if err == nil {
		err = os.MkdirAll(w.dir, 0o755)
	}
	if err == nil {
		_, err = w.call("init", "--model", "claude-bench-1", "--binary", self)
	}
	if err == nil {
		_, err = w.start("train", fakeagent.Script{}, "--base", "B1", "--phase", "1")
	}
	if err == nil {
		_, err = w.call("wait", "--all")
	}
	return err
}

// call is one call of the command line; its answer is JSON.
func (w workers) call(command string, args ...string) ([]byte, error) {
	cmd := exec.Command(w.bin, append([]string{command, "--run", "run.md"}, args...)...)
	cmd.Dir, cmd.Env = w.dir, append(os.Environ(), fakeagent.BillTo+"="+w.bill)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("gremlins %s: %w\n%s%s", command, err, out, stderr.Bytes())
	}
	return out, nil
}

// start is a call that starts a job; it returns the job's id.
func (w workers) start(command string, s fakeagent.Script, args ...string) (string, error) {
	text, err := s.Brief()
	if err != nil {
		return "", err
	}
	brief := filepath.Join(w.dir, "brief.md")
	if err := os.WriteFile(brief, []byte(text), 0o644); err != nil {
		return "", err
	}
	out, err := w.call(command, append(args, "--brief", brief)...)
	var answer struct{ Job string }
	if err == nil {
		err = json.Unmarshal(out, &answer)
	}
	return answer.Job, err
}

func (w workers) registry() (reg record.Registry, err error) {
	b, err := os.ReadFile(filepath.Join(w.dir, "run-gremlins", "registry.json"))
	if err == nil {
		err = json.Unmarshal(b, &reg)
	}
	return reg, err
}

// supervisor looks at the process that waits for an agent which says nothing.
func (w workers) supervisor() error {
	job, err := w.start("spawn", fakeagent.Script{Hang: true}, "--base", "B1", "--block", "X", "--phase", "1")
	if err != nil {
		return err
	}
	defer func() {
		_, _ = w.call("kill", "--job", job)
		_, _ = w.call("wait", "--all") // it tells of the end, by its exit status too
	}()
	time.Sleep(time.Second)
	reg, err := w.registry()
	if err != nil {
		return err
	}
	pid := reg.Jobs[job].Supervisor.PID
	rss, cpu, err := process(pid)
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench: SKIPPED the supervisor's memory and time:", err)
		return nil
	}
	const idle = 5 * time.Second
	time.Sleep(idle)
	_, later, err := process(pid)
	if err != nil {
		return err
	}
	fmt.Printf("| a supervisor's memory (resident) | **%.1f MB** | 12 MB |\n", float64(rss)/1e6)
	fmt.Printf("| its processor while its agent is silent | **%.2f %%** of one | |\n", 100*(later-cpu).Seconds()/idle.Seconds())
	return nil
}

// process is how much memory a process has resident, in bytes, and how much processor time it has used.
func process(pid int) (rss int64, cpu time.Duration, err error) {
	statm, err := os.ReadFile(fmt.Sprintf("/proc/%d/statm", pid))
	if err != nil {
		return 0, 0, err
	}
	pages, err := strconv.ParseInt(strings.Fields(string(statm))[1], 10, 64)
	if err != nil {
		return 0, 0, err
	}
	sched, err := os.ReadFile(fmt.Sprintf("/proc/%d/schedstat", pid))
	if err != nil {
		return 0, 0, err
	}
	ns, err := strconv.ParseInt(strings.Fields(string(sched))[0], 10, 64)
	return pages * int64(os.Getpagesize()), time.Duration(ns), err
}

// latency is the time from an agent's last line to the answer of a wait that was there before.
func (w workers) latency() error {
	var ms []float64
	for range 15 {
		if _, err := w.start("spawn", fakeagent.Script{WorkMS: 700}, "--base", "B1", "--block", "X", "--phase", "1"); err != nil {
			return err
		}
		if _, err := w.call("wait", "--all"); err != nil {
			return err
		}
		told := time.Now()
		last, err := w.lastBill()
		if err != nil {
			return err
		}
		ms = append(ms, float64(told.Sub(last.At).Microseconds())/1000)
	}
	slices.Sort(ms)
	fmt.Printf("| from an agent's last line to the report of `wait` (%d times) | **%.0f ms** (fastest %.0f, slowest %.0f ms) | 100 ms |\n",
		len(ms), quantile(ms, .5), ms[0], ms[len(ms)-1])
	return nil
}

func (w workers) lastBill() (b fakeagent.Bill, err error) {
	f, err := os.Open(w.bill)
	if err != nil {
		return b, err
	}
	defer f.Close()
	for lines := bufio.NewScanner(f); lines.Scan(); {
		err = json.Unmarshal(lines.Bytes(), &b)
	}
	return b, err
}

// books asks a ledger of many lines.
func (w workers) books() error {
	file := filepath.Join(w.dir, "run-gremlins", "ledger.jsonl")
	b, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	line, _, _ := bytes.Cut(b, []byte("\n"))
	if err := os.WriteFile(file, bytes.Repeat(append(line, '\n'), ledgerLines), 0o600); err != nil {
		return err
	}
	for _, c := range []string{"list", "usage"} {
		took, wc, err := w.fastest(c, file)
		if err != nil {
			return err
		}
		fmt.Printf("| `%s`, a ledger of %d lines (%.0f MB), fastest of %d | **%.0f ms**, %.1f times `wc -l` | 200 ms |\n",
			c, ledgerLines, float64(len(line)*ledgerLines)/1e6, askings, took, took/wc)
	}
	return nil
}

const askings = 15

// fastest is how long a call takes at the least, and how long `wc -l` of the ledger does, run in turn with it: on a busy machine
// the rest says only how busy it is.
func (w workers) fastest(command, ledger string) (ms, wc float64, err error) {
	ms, wc = math.Inf(1), math.Inf(1)
	for range askings {
		began := time.Now()
		if _, err := w.call(command); err != nil {
			return 0, 0, err
		}
		ms = min(ms, float64(time.Since(began).Microseconds())/1000)
		began = time.Now()
		if err := exec.Command("wc", "-l", ledger).Run(); err != nil {
			return 0, 0, err
		}
		wc = min(wc, float64(time.Since(began).Microseconds())/1000)
	}
	return ms, wc, nil
}
