package main

import (
	"bytes"
	"fmt"
	"os/exec"
	"slices"
	"time"
)

// comparison runs two things in turn.
type comparison struct {
	what, against string
	goal          string
	a, b          []command // each list is run in sequence and timed as a whole
	every         int       // run only every n-th pair, for slow ones
}

// command is one process with its standard input.
type command struct {
	argv      []string
	installed bool // there are copies of argv[0]
	stdin     []byte
	dir       string
	env       []string
}

func (c command) run() error { return c.runNth(0) }

// runNth runs the n-th of a program's copies.
func (c command) runNth(n int) error {
	program := c.argv[0]
	if c.installed {
		program = copyOf(program, n)
	}
	cmd := exec.Command(program, c.argv[1:]...)
	cmd.Stdin, cmd.Dir, cmd.Env = bytes.NewReader(c.stdin), c.dir, c.env
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%v: %w\n%s", c.argv, err, out)
	}
	return nil
}

type result struct {
	comparison
	ratios, a, b []float64 // sorted; a and b in milliseconds
}

// measure times n pairs after three that do not count, which of the two comes first changing from pair to pair.
func (c comparison) measure(n int) (result, error) {
	r := result{comparison: c}
	const warmUp = 3
	for i := range n/max(c.every, 1) + warmUp {
		first, second := c.a, c.b
		if i%2 == 1 {
			first, second = c.b, c.a
		}
		t1, err := timed(first, i)
		if err != nil {
			return r, err
		}
		t2, err := timed(second, i)
		if err != nil {
			return r, err
		}
		if i%2 == 1 {
			t1, t2 = t2, t1
		}
		if i >= warmUp {
			r.ratios, r.a, r.b = append(r.ratios, t1/t2), append(r.a, t1), append(r.b, t2)
		}
	}
	slices.Sort(r.ratios)
	slices.Sort(r.a)
	slices.Sort(r.b)
	return r, nil
}

func timed(commands []command, n int) (ms float64, err error) {
	start := time.Now()
	for _, c := range commands {
		if err := c.runNth(n); err != nil {
			return 0, err
		}
	}
	return float64(time.Since(start).Microseconds()) / 1000, nil
}

func quantile(sorted []float64, q float64) float64 { return sorted[int(q*float64(len(sorted)-1))] }

func (r result) String() string {
	return fmt.Sprintf("| %s | %s | **%.2f** (%.2f to %.2f) | %s | %.2f ms | %.2f ms |", r.what, r.against,
		quantile(r.ratios, .5), quantile(r.ratios, .25), quantile(r.ratios, .75), r.goal, quantile(r.a, .5), quantile(r.b, .5))
}
