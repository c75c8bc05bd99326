package dispatch

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/lorimer-dev/lorimer/internal/harness"
	"github.com/lorimer-dev/lorimer/internal/verdict"
)

// runAll runs the handlers in ascending order, those of equal order in parallel, and returns what they said, in their order.
// All run, also after one has blocked: a formatter or a log does not depend on what a guard thinks.
func (c *call) runAll(ctx context.Context, jobs []job) (parts []verdict.Part) {
	c.wanted = jobs
	defer c.aside() // where no handler was started
	if len(jobs) == 0 {
		return nil
	}
	host := &interruption{ctx: ctx}
	defer host.forget()
	env := c.environments()
	c.giveEnvFiles()
	defer func() { c.env = c.takeEnv() }()
	var done []job
	for len(jobs) > 0 {
		n := 1
		for n < len(jobs) && jobs[n].Order == jobs[0].Order {
			n++
		}
		group := c.runGroup(host, jobs[:n], env)
		parts, done = append(parts, group...), append(done, jobs[:n]...)
		jobs = c.rewritten(group, done, jobs[n:])
	}
	c.allowWhole(done, parts)
	return parts
}

func (c *call) runGroup(host *interruption, jobs []job, env environments) []verdict.Part {
	results := make([]said, len(jobs))
	// A handler that is asked about several files is asked one by one, as Claude would.
	runs := func(from, to int, meanwhile func()) {
		for i := from; i < to; i++ {
			results[i] = c.timed(host, jobs[i], c.withEnvFile(env.of(jobs[i]), jobs[i]), meanwhile)
			meanwhile = nil
		}
	}
	var others sync.WaitGroup
	first := ofOne(jobs)
	for from, to := first, 0; from < len(jobs); from = to {
		to = from + ofOne(jobs[from:])
		others.Go(func() { runs(from, to, nil) })
	}
	runs(0, first, c.aside) // here: one handler is the rule, and needs no second thread
	others.Wait()
	parts := make([]verdict.Part, len(jobs))
	input := c.fields["tool_input"]
	for i, j := range jobs {
		outcome := results[i].outcome
		if results[i].fault != nil {
			outcome = c.afterFault(j.Handler, results[i].fault, results[i].cut)
		}
		var lost []string
		if outcome.Input, lost = c.ofWhole(j.view, outcome.Input, input); outcome.Input != "" && j.Block {
			input = outcome.Input
		}
		c.sayUnchanged(lost)
		c.noteRan(j, results[i], outcome)
		parts[i] = verdict.Part{Handler: j.Name, Block: j.Block, Outcome: outcome}
	}
	return parts
}

// ofOne counts the jobs at the beginning that are one handler's.
func ofOne(jobs []job) (n int) {
	for n < len(jobs) && jobs[n].Name == jobs[0].Name {
		n++
	}
	return n
}

// said is what came of one handler: an outcome, or a fault. cut: it was the host's limit that ended it, not its own.
type said struct {
	outcome verdict.Outcome
	fault   error
	cut     bool
	took    time.Duration
}

// aside does what belongs to the call and not to its verdict, once: a dispatcher that has started a handler would only wait.
func (c *call) aside() {
	if c.asideDone {
		return
	}
	c.asideDone = true
	defer func() { _ = recover() }()
	c.noteStaleSources()
	c.speakNotices()
	c.noteSeen()
	if len(c.wanted) > 0 { // else nobody may have heard of it
		c.openReceipts()
	}
}

func (c *call) runOne(host *interruption, j job, env []string, meanwhile func()) (s said) {
	defer recovered(&s.fault)
	if j.fault != nil {
		return said{fault: j.fault}
	}
	if isBuiltIn(j.Handler) {
		return said{outcome: c.selfProtection()}
	}
	if j.Async {
		return said{fault: program{argv: j.argv, line: j.Run, dir: c.root, env: env, stdin: j.payload}.detach()}
	}
	limit, cut := c.timeoutOf(j)
	if limit <= 0 {
		return said{fault: fmt.Errorf("not started, because the handlers before it used up the %v that %s leaves", harness.Inner(c.binding.Limit), c.harness.Name), cut: true}
	}
	p := program{argv: j.argv, line: j.Run, dir: c.root, env: env, stdin: j.payload, timeout: limit, meanwhile: meanwhile}
	end, err := p.run(host.told)
	c.ends.keep(j.Name, &end)
	if err != nil {
		return said{fault: err, cut: cut && errors.Is(err, errTimeout)}
	}
	if fault := end.fault(); fault != nil {
		return said{fault: fault}
	}
	r := verdict.Result{Handler: j.Name, Exit: end.exit, Stdout: end.stdout.String(), Stderr: end.stderr.String()}
	if j.of == "" { // what an input of a part leaves out is still in the whole, see ofWhole
		r.Tool, r.Input = c.text("tool_name"), c.fields["tool_input"]
	}
	outcome := verdict.Of(c.binding, r)
	if outcome.Fault != "" {
		return said{fault: errors.New(outcome.Fault)}
	}
	return said{outcome: outcome}
}

// timeoutOf returns how long a handler may run from now on, and whether that is less than it was given.
func (c *call) timeoutOf(j job) (limit time.Duration, cut bool) {
	limit = harness.Inner(c.binding.Limit)
	if j.TimeoutMS > 0 {
		limit = time.Duration(j.TimeoutMS) * time.Millisecond
	}
	left := time.Until(c.deadline())
	if c.binding.Limit == 0 || limit <= left {
		return limit, false
	}
	return left, true
}

func (c *call) deadline() time.Time { return c.began.Add(harness.Inner(c.binding.Limit)) }

// facts are what a handler may want to know of the host. A host that runs handlers by itself tells them nothing of ours.
func (c *call) facts() []string {
	if c.trial != nil && c.trial.Itself {
		return []string{"LORIMER_TRY=1", "CLAUDE_PROJECT_DIR=" + c.root}
	}
	can := make([]string, len(c.binding.Can))
	for i, e := range c.binding.Can {
		can[i] = string(e)
	}
	facts := []string{
		"LORIMER_HARNESS=" + c.harness.ID,
		"LORIMER_EVENT=" + string(c.event),
		"LORIMER_CAN=" + strings.Join(can, ","),
		"LORIMER_CWD=" + c.cwd(),
		"CLAUDE_PROJECT_DIR=" + c.root,
		"LORIMER_DEPTH=" + strconv.Itoa(depth()+1),
	}
	if c.trial != nil {
		facts = append(facts, "LORIMER_TRY=1")
	}
	return facts
}

// cwd is where the agent works, or the clone when that is not said or gone.
func (c *call) cwd() string {
	dir := c.text("cwd")
	if info, err := os.Stat(dir); err != nil || !info.IsDir() {
		return c.root
	}
	return dir
}

// depth says how many dispatchers are above this one: a handler that starts an agent starts hooks. What is not a number
// counts as none; our own handlers get one.
func depth() int {
	n, err := strconv.Atoi(os.Getenv("LORIMER_DEPTH"))
	if err != nil || n < 0 {
		return 0
	}
	return n
}
