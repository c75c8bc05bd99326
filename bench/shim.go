package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/lorimer-dev/lorimer/golden/go/table"
)

// load imports a module in a fresh process and prints the milliseconds that the import took. What every agent has loaded long
// before its extensions, node's own modules, is imported first and does not count.
const load = `
import { performance } from "node:perf_hooks";
for (const name of ["child_process", "events", "fs", "net", "os", "path"]) await import("node:" + name);
const t = performance.now();
await import(process.argv[1]);
console.log(performance.now() - t);
`

// shim prints size and load time of the generated modules that the scene's clone holds.
func (s *scene) shim() error {
	var shims []string
	for _, h := range table.All {
		if h.Shim != nil {
			shims = append(shims, filepath.Join(s.clone, filepath.FromSlash(h.Shim.Project)))
		}
	}
	fmt.Println("\n| shim | size | load, median of 15 | goals |\n|---|---|---|---|")
	for _, path := range shims {
		info, err := os.Stat(path)
		if err != nil {
			return err
		}
		ms, err := loadTime(path, 15)
		if err != nil {
			return err
		}
		rel, _ := filepath.Rel(s.clone, path)
		fmt.Printf("| %s | %.1f KB | %.2f ms | 30 KB, 5 ms |\n", rel, float64(info.Size())/1024, ms)
	}
	return nil
}

func loadTime(path string, n int) (float64, error) {
	var times []float64
	for range n {
		out, err := exec.Command("node", "--input-type=module", "-e", load, path).Output()
		if err != nil {
			return 0, fmt.Errorf("node cannot load %s: %w", path, err)
		}
		ms, err := strconv.ParseFloat(strings.TrimSpace(string(out)), 64)
		if err != nil {
			return 0, err
		}
		times = append(times, ms)
	}
	slices.Sort(times)
	return quantile(times, .5), nil
}
