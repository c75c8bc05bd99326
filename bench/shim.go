package main

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/lorimer-dev/lorimer/golden"
	"github.com/lorimer-dev/lorimer/golden/go/table"
)

// load imports a module in a fresh process and prints the milliseconds that the import took. What every agent has loaded long
// before its extensions, node's own modules, is imported first and does not count.
const load = `
import { performance } from "node:perf_hooks";
for (const name of ["child_process", "crypto", "events", "fs", "net", "os", "path", "url"]) await import("node:" + name);
const t = performance.now();
await import(process.argv[1]);
console.log(performance.now() - t);
`

// shims prints size and load time of the generated modules: of each of them, and of its neighbour, a module that has the same
// imports and nothing else. They are called .mjs here: for a .js in no package, node first tries what kind of module it is.
func shims() error {
	dir, err := os.MkdirTemp("", "lorimer-bench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	fmt.Println("\n| shim | size | load, median of 31 (least) | against an empty module | ratio, median (quartiles) | goals |\n|---|---|---|---|---|---|")
	for _, h := range table.All {
		if h.Shim == nil {
			continue
		}
		src, err := fs.ReadFile(golden.FS, h.Shim.Artifact)
		if err != nil {
			return err
		}
		imports := regexp.MustCompile(`(?m)^import .*\n`).FindAll(src, -1)
		full, empty := filepath.Join(dir, h.ID+".mjs"), filepath.Join(dir, h.ID+"-empty.mjs")
		if err := errors.Join(os.WriteFile(full, src, 0o600), os.WriteFile(empty, bytes.Join(imports, nil), 0o600)); err != nil {
			return err
		}
		took, against, ratios, err := loadTimes(full, empty, 31)
		if err != nil {
			return err
		}
		fmt.Printf("| %s | %.1f KB | %.2f ms (%.2f) | %.2f ms (%.2f) | **%.1f** (%.1f to %.1f) | 30 KB, 5 ms |\n", h.ID, float64(len(src))/1024,
			quantile(took, .5), took[0], quantile(against, .5), against[0], quantile(ratios, .5), quantile(ratios, .25), quantile(ratios, .75))
	}
	return nil
}

// loadTimes loads two modules in turn and returns what each took, and the ratios of neighbours, sorted.
func loadTimes(a, b string, n int) (took, against, ratios []float64, err error) {
	for range n {
		x, err := loadTime(a)
		if err != nil {
			return nil, nil, nil, err
		}
		y, err := loadTime(b)
		if err != nil {
			return nil, nil, nil, err
		}
		took, against, ratios = append(took, x), append(against, y), append(ratios, x/y)
	}
	slices.Sort(took)
	slices.Sort(against)
	slices.Sort(ratios)
	return took, against, ratios, nil
}

func loadTime(path string) (float64, error) {
	out, err := exec.Command("node", "--input-type=module", "-e", load, path).Output()
	if err != nil {
		return 0, fmt.Errorf("node cannot load %s: %w", path, err)
	}
	return strconv.ParseFloat(strings.TrimSpace(string(out)), 64)
}
