package dispatch

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/lorimer-dev/lorimer/internal/manifest"
	"github.com/lorimer-dev/lorimer/internal/rawjson"
)

// filePath is the word in an argv that stands for the files of the event.
const filePath = "{file_path}"

// job is a handler that is to run, or that cannot, because of a fault.
type job struct {
	manifest.Handler
	argv  []string // Argv with the files filled in
	fault error
}

// selected returns the handlers whose matcher fits, in the order in which their outcomes count.
func (c *call) selected() (jobs []job) {
	subjects, files := c.subjects(), c.files()
	for _, h := range c.handlers {
		fits, err := matches(h.Matcher, subjects)
		argv, hasFiles := withFiles(h.Argv, files)
		if err != nil || fits && hasFiles {
			jobs = append(jobs, job{h, argv, err})
		}
	}
	slices.SortStableFunc(jobs, func(a, b job) int { return a.Order - b.Order })
	return jobs
}

// withFiles puts one argument a file where argv names them, and returns false when there is none to put.
func withFiles(argv, files []string) ([]string, bool) {
	var out []string
	for _, arg := range argv {
		if !strings.Contains(arg, filePath) {
			out = append(out, arg)
			continue
		}
		if len(files) == 0 {
			return nil, false
		}
		for _, f := range files {
			out = append(out, strings.ReplaceAll(arg, filePath, f))
		}
	}
	return out, true
}

// files returns the files that the tool touches, absolute. Relative ones are relative to where the agent works.
func (c *call) files() (files []string) {
	input := c.fields["tool_input"]
	add := func(raw string) {
		if f := rawjson.String(raw); f != "" {
			if !filepath.IsAbs(f) {
				f = filepath.Join(c.cwd(), f)
			}
			files = append(files, f)
		}
	}
	if list := gjson.Parse(rawjson.At(input, "file_paths")); list.IsArray() {
		for _, f := range list.Array() {
			add(f.Raw)
		}
	}
	if len(files) == 0 {
		add(rawjson.At(input, "file_path"))
	}
	return files
}
