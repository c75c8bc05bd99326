package setup

import (
	"bufio"
	"embed"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/lorimer-dev/lorimer/internal/claudehooks"
	"github.com/lorimer-dev/lorimer/internal/config"
	"github.com/lorimer-dev/lorimer/internal/harness"
	"github.com/lorimer-dev/lorimer/internal/manifest"
	"github.com/lorimer-dev/lorimer/internal/materialize/clonefs"
	"github.com/lorimer-dev/lorimer/internal/plainfile"
	"github.com/lorimer-dev/lorimer/internal/splice"
)

//go:embed ready/*.sh
var scripts embed.FS

// Ready is a hook that can be put into a clone. From then on it is the user's: clean leaves it where it is.
type Ready struct {
	Name string `json:"name"`
	What string `json:"what"`
	File string `json:"file,omitempty"` // of the script, in the clone

	event   harness.Event
	matcher string
}

var readyHooks = []Ready{
	{Name: "guard", What: "refuses rm -rf, forced pushes, git reset --hard and git clean -f", event: harness.PreToolUse, matcher: "Bash"},
	{Name: "formatter", What: "formats the file that was just written, with the formatter of its language", event: harness.PostToolUse, matcher: "Write|Edit"},
	{Name: "test-gate", What: "lets the agent stop only when the tests pass", event: harness.Stop},
}

func readyNames() (names []string) {
	for _, r := range readyHooks {
		names = append(names, r.Name)
	}
	return names
}

// offer settles which ready hooks are put into the clone: those that were named, or in a clone without hooks those that a
// person chooses.
func (c *Command) offer(s *survey, answers *bufio.Reader) error {
	names := c.With
	if len(names) == 0 && c.Terminal && !c.Yes && !c.JSON && !c.DryRun && !s.found() && !s.dropped() {
		names = c.choose(answers)
	}
	if len(names) > 0 && s.hasYAML() {
		return fmt.Errorf("--with puts hooks into %s, but where there is a %s it alone counts: add a handler there", c.nativeRow(s).Hooks.Shared, config.FileName)
	}
	if len(names) > 0 && s.dropped() {
		return c.noHook(s) // what is put into such a file would be dropped, too
	}
	for _, name := range names {
		i := slices.IndexFunc(readyHooks, func(r Ready) bool { return r.Name == name })
		if i < 0 {
			return fmt.Errorf("--with %s: there is no such ready hook; expected %s", name, strings.Join(readyNames(), ", "))
		}
		r := readyHooks[i]
		r.File = path.Join(path.Dir(c.nativeRow(s).Hooks.Shared), "hooks", r.Name+".sh")
		if !slices.ContainsFunc(s.Ready, func(x Ready) bool { return x.Name == name }) && !c.stands(s, r) {
			s.Ready = append(s.Ready, r)
		}
	}
	return nil
}

func (c *Command) choose(answers *bufio.Reader) []string {
	fmt.Fprintln(c.Stdout, "No hook is found here. These are ready; they become files of yours:")
	for _, r := range readyHooks {
		fmt.Fprintf(c.Stdout, "  %-10s %s\n", r.Name, r.What)
	}
	line := c.answer(answers, "Which? [names, or all; none] ")
	if line == "all" {
		return readyNames()
	}
	return strings.FieldsFunc(line, func(r rune) bool { return r == ' ' || r == ',' })
}

// nativeRow is the harness in whose settings ready hooks are put: one that is here, else the first that there is.
func (c *Command) nativeRow(s *survey) *harness.Harness {
	all := config.Native(c.Table)
	for _, h := range all {
		if slices.ContainsFunc(s.Agents, func(a Agent) bool { return a.ID == h.ID }) {
			return h
		}
	}
	return all[0]
}

func isNative(h *harness.Harness) bool { return h.Hooks != nil && h.Hooks.Native }

// stands says whether the clone has the hook already.
func (c *Command) stands(s *survey, r Ready) bool {
	h := c.nativeRow(s)
	for _, f := range config.NativeFiles(c.Table) {
		src, _ := plainfile.Settings(filepath.Join(s.Root, filepath.FromSlash(f))) // none: then it stands nowhere
		for _, e := range (claudehooks.Reader{File: f}).Settings(src).Entries {
			if e.Command == r.command(h) {
				return true
			}
		}
	}
	return false
}

// command is the shell line that starts it.
func (r Ready) command(h *harness.Harness) string {
	return fmt.Sprintf(`"$%s"/%s`, h.Hooks.ProjectEnv[0], r.File)
}

func (r Ready) handler(h *harness.Harness) manifest.Handler {
	return manifest.Handler{Name: r.Name, Matcher: r.matcher, Run: r.command(h), Block: true}
}

func (r Ready) script() []byte {
	src, err := scripts.ReadFile("ready/" + r.Name + ".sh")
	if err != nil {
		panic(err) // the names are ours
	}
	return src
}

// writesReady lists the files of the ready hooks.
func (c *Command) writesReady(s *survey) {
	for _, r := range s.Ready {
		if !exists(filepath.Join(s.Root, filepath.FromSlash(r.File))) {
			s.Writes = append(s.Writes, Write{r.File, "create"})
		}
	}
	if len(s.Ready) > 0 {
		file, action := c.nativeRow(s).Hooks.Shared, "create"
		if exists(filepath.Join(s.Root, filepath.FromSlash(file))) {
			action = "update"
		}
		s.Writes = append(s.Writes, Write{file, action})
	}
}

// writeReady puts the chosen hooks into the clone: the scripts, and then the settings that name them. A script that is there
// already stays as it is.
func (c *Command) writeReady(s *survey) error {
	if len(s.Ready) == 0 {
		return nil
	}
	clone, err := clonefs.Open(s.Root)
	if err != nil {
		return err
	}
	defer clone.Close()
	clone.Hook = c.Hook
	for _, r := range s.Ready {
		if err := put(clone, r.File, 0o755, func(old []byte) ([]byte, error) {
			if old != nil {
				return old, nil
			}
			return r.script(), nil
		}); err != nil {
			return err
		}
	}
	h := c.nativeRow(s)
	return put(clone, h.Hooks.Shared, 0o644, func(old []byte) ([]byte, error) { return s.withReady(h, old) })
}

// withReady adds the chosen hooks to a settings file.
func (s *survey) withReady(h *harness.Harness, old []byte) ([]byte, error) {
	at := func(key string) (keys []string) {
		for _, k := range h.Hooks.At {
			keys = append(keys, strings.ReplaceAll(k, "{host_event}", key))
		}
		return keys
	}
	var entries []splice.Entry
	for _, r := range s.Ready {
		b, ok := h.Binding(r.event)
		if !ok {
			return nil, fmt.Errorf("%s has no %s, so %s cannot be put into %s", h.Name, r.event, r.Name, h.Hooks.Shared)
		}
		matcher := ""
		if r.matcher != "" {
			matcher = `"matcher":` + harness.Quoted(r.matcher) + ","
		}
		group := fmt.Sprintf(`{%s"hooks":[{"type":"command","command":%s}]}`, matcher, harness.Quoted(r.command(h)))
		entries = append(entries, splice.Entry{At: at(b.Host), Value: []byte(group)})
	}
	out, err := splice.Put(splice.File{
		Name: h.Hooks.Shared, Src: old, At: at(splice.Any), Mine: func(element []byte) splice.Claim {
			if slices.ContainsFunc(entries, func(e splice.Entry) bool { return splice.Equal(e.Value, element) }) {
				return splice.Ours
			}
			return splice.Foreign
		},
	}, entries, nil)
	return out.Src, err
}

// put writes one file of the clone in one step, and the directories above it.
func put(clone *clonefs.FS, name string, mode os.FileMode, change func(old []byte) ([]byte, error)) error {
	real, err := clone.Resolve(name)
	if err != nil {
		return err
	}
	old, _, err := clone.Read(real)
	if err != nil {
		return err
	}
	data, err := change(old)
	if err != nil || old != nil && string(data) == string(old) {
		return err
	}
	var missing []string
	for d := path.Dir(real); d != "." && !clone.IsDir(d); d = path.Dir(d) {
		missing = append(missing, d)
	}
	for _, d := range slices.Backward(missing) {
		if err := clone.Mkdir(d); err != nil && !errors.Is(err, os.ErrExist) {
			return err
		}
	}
	return clone.Replace(real, data, clonefs.Options{Mode: mode, Keep: clonefs.Durable})
}

// dropped says whether hooks stand in the clone's settings, all of which are dropped.
func (s *survey) dropped() bool {
	return slices.ContainsFunc(s.Sources, func(x Source) bool { return !x.User && len(x.Dropped) > 0 })
}
