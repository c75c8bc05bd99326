// Command bench measures what Lorimer costs, as ratios between things that are run in turn in one process: machines differ
// and drift, a ratio of neighbours hardly does. `make bench` runs it; docs/performance.md shows what it printed.
//
// It measures whole processes, from start to exit, against the least that could be done instead.
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"

	"github.com/lorimer-dev/lorimer/internal/gremlin/fakeagent"
)

func main() {
	bin := flag.String("bin", "bin", "folder of the built programs")
	runs := flag.Int("n", 150, "pairs of each comparison")
	clones := flag.Int("clones", 1000, "clones that materialize is measured over")
	many := flag.Bool("many", false, "measure many clones alone")
	workers := flag.Bool("gremlins", false, "measure gremlins alone")
	modules := flag.Bool("shims", false, "measure the generated modules alone")
	fakeagent.Main()
	flag.Parse()
	if *modules {
		if err := shims(); err != nil {
			fmt.Fprintln(os.Stderr, "bench:", err)
			os.Exit(1)
		}
		return
	}
	if err := run(*bin, *runs, *clones, *many, *workers); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func run(bin string, runs, clones int, many, workers bool) error {
	work, err := os.MkdirTemp("", "lorimer-bench")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(work) }()
	bin, err = filepath.Abs(bin)
	if err != nil {
		return err
	}
	s, err := prepare(bin, work)
	if err != nil {
		return err
	}
	switch {
	case many:
		return s.fleet(clones)
	case workers:
		return gremlins(bin, work)
	}
	fmt.Println("| what | against | ratio, median (quartiles) | goal | what took | against took |")
	fmt.Println("|---|---|---|---|---|---|")
	for _, c := range s.comparisons() {
		r, err := c.measure(runs)
		if err != nil {
			return fmt.Errorf("%s: %w", c.what, err)
		}
		fmt.Println(r)
	}
	if err := s.fleet(clones); err != nil {
		return err
	}
	if err := shims(); err != nil {
		return err
	}
	if err := library(); err != nil {
		return err
	}
	return gremlins(bin, work)
}
