package dispatch

import (
	"os"
	"slices"
	"strings"

	"github.com/lorimer-dev/lorimer/internal/hookmatch"
	"github.com/lorimer-dev/lorimer/internal/manifest"
	"github.com/lorimer-dev/lorimer/internal/permrule"
	"github.com/lorimer-dev/lorimer/internal/rawjson"
)

// filePath is the word in an argv that stands for the files of the event.
const filePath = "{file_path}"

// job is a handler that is to run, or that cannot, because of a fault.
type job struct {
	manifest.Handler
	view
	argv  []string // Argv with the files filled in
	fault error
}

// selected returns the handlers whose matcher fits, in the order in which their outcomes count.
func (c *call) selected() []job { return c.selectedBehind(nil) }

// selectedBehind returns those of a later order than what was run already, but for what says the same as one of these.
func (c *call) selectedBehind(done []job) (jobs []job) {
	shown := c.views()
	for _, h := range c.handlers {
		if len(done) > 0 && h.Order <= done[len(done)-1].Order {
			continue
		}
		fitting, _ := c.fit(h, shown)
		for _, j := range fitting {
			if !slices.ContainsFunc(done, j.says) {
				jobs = append(jobs, j)
			}
		}
	}
	slices.SortStableFunc(jobs, func(a, b job) int { return a.Order - b.Order })
	return distinct(jobs)
}

// fit returns the handler as it is to run, once for each view of the event that is its business, or why none is. What names the
// files in its argv is run once, with all of them; and what is ours looks at the whole.
func (c *call) fit(h manifest.Handler, shown []view) (jobs []job, missed string) {
	if isBuiltIn(h) {
		return []job{{Handler: h, view: c.whole()}}, ""
	}
	for _, v := range shown {
		if j, why := c.fitOne(h, v); why == "" {
			jobs = append(jobs, j)
		} else {
			missed = why
		}
	}
	if len(jobs) == 0 {
		return nil, missed
	}
	if len(jobs) > 1 && slices.ContainsFunc(h.Argv, func(arg string) bool { return strings.Contains(arg, filePath) }) {
		jobs = []job{c.together(h, jobs)}
	}
	return jobs, ""
}

// together is a handler that is told all files at once.
func (c *call) together(h manifest.Handler, jobs []job) job {
	var files []string
	for _, j := range jobs {
		files = append(files, j.files...)
	}
	argv, _ := withFiles(withRoot(h.Argv, c.root), c.filesOf(h, distinctTexts(files)))
	return job{Handler: h, view: c.whole(), argv: argv}
}

func (c *call) fitOne(h manifest.Handler, v view) (j job, missed string) {
	fits, err := hookmatch.Fits(h.Matcher, v.names)
	mine := c.filesOf(h, v.files)
	argv, hasFiles := withFiles(withRoot(h.Argv, c.root), mine)
	switch {
	case err != nil:
		return job{h, v, argv, err}, ""
	case !fits:
		return j, "its matcher " + h.Matcher + " does not fit " + strings.Join(v.names, " or ")
	case len(h.Files) > 0 && len(mine) == 0:
		return j, "no file is touched that fits its files " + strings.Join(h.Files, ", ")
	case !hasFiles:
		return j, "no file is touched, and its argv names " + filePath
	case !c.fitsRule(h.If, v.names, v.files):
		return j, "its if " + h.If + " does not fit"
	}
	return job{h, v, argv, nil}, ""
}

// distinct keeps the first of the handlers that say the same command, as Claude does; a file of settings and a local one often
// repeat each other. The strictest of their policies holds, and a verdict counts when it counts for one of them.
func distinct(jobs []job) (kept []job) {
	for _, j := range jobs {
		i := slices.IndexFunc(kept, j.says)
		if i < 0 {
			kept = append(kept, j)
			continue
		}
		kept[i].Block = kept[i].Block || j.Block
		if j.OnError == manifest.BlockOnFault {
			kept[i].OnError = j.OnError
		}
		if j.OnLimit == manifest.BlockOnFault {
			kept[i].OnLimit = j.OnLimit
		}
	}
	return kept
}

// says tells whether another handler runs the same. An organization's runs beside that of anybody else.
func (j job) says(k job) bool {
	return j.of == k.of && j.Run == k.Run && j.If == k.If && slices.Equal(j.Files, k.Files) && j.Async == k.Async && j.Managed == k.Managed && slices.Equal(j.Argv, k.Argv) && k.fault == nil && j.fault == nil
}

// filesOf returns the files of the event that are the handler's business.
func (c *call) filesOf(h manifest.Handler, files []string) []string {
	if len(h.Files) == 0 {
		return files
	}
	home, _ := os.UserHomeDir() // unknown: then globs that begin with it fit
	at := permrule.Call{Root: c.root, Home: home}
	return slices.DeleteFunc(slices.Clone(files), func(f string) bool {
		return !slices.ContainsFunc(h.Files, func(glob string) bool { return permrule.FitsFile(glob, f, at) })
	})
}

// fitsRule says whether the event is a tool call that a permission rule is about.
func (c *call) fitsRule(rule string, tools, files []string) bool {
	if rule == "" {
		return true
	}
	home, _ := os.UserHomeDir() // unknown: then rules that begin with it fit
	command := rawjson.String(rawjson.At(c.fields["tool_input"], "command"))
	if len(files) > 0 && !slices.Contains(tools, "Bash") {
		command = "" // the text of a patch, which is about these files
	}
	return c.event.Tool() && permrule.Fits(rule, permrule.Call{Tools: tools, Command: command, Files: files, Root: c.root, Home: home})
}

// projectDir is the word that stands for the clone's root in an argv, as Claude has it in the args of a hook.
const projectDir = "${CLAUDE_PROJECT_DIR}"

func withRoot(argv []string, root string) []string {
	out := make([]string, len(argv))
	for i, arg := range argv {
		out[i] = strings.ReplaceAll(arg, projectDir, root)
	}
	return out
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
