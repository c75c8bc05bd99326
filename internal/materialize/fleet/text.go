package fleet

import (
	"fmt"
	"slices"
	"strings"

	"github.com/lorimer-dev/lorimer/internal/agree"
	"github.com/lorimer-dev/lorimer/internal/harness"
	"github.com/lorimer-dev/lorimer/internal/materialize"
)

// textReport is for people.
type textReport struct {
	*Command
	todo []string // said once, at the end, however many clones it is true of
}

// out prints a line. Names in it are foreign, and none of them makes a line of its own.
func (r *textReport) out(format string, args ...any) {
	for i, a := range args {
		if text, is := a.(string); is {
			args[i] = agree.Plain(text)
		}
	}
	fmt.Fprintf(r.Stdout, format+"\n", args...)
}

func (r *textReport) dispatcher(path string) {
	if r.writes() {
		r.out("%s: written", path)
		return
	}
	r.out("%s: missing, or of another version", path)
}

func (r *textReport) clone(clone string, x Result) {
	if x.Err != nil {
		r.failure(clone, x.Err)
		return
	}
	switch {
	case x.Clean() && r.Mode == Clean:
		r.out("%s: nothing of lorimer's is in it", clone)
	case x.Clean():
		r.out("%s: up to date%s", clone, hooked(x.Harnesses))
	case !r.writes():
		r.diff(clone, x)
	default:
		r.changes(clone, x)
	}
	for _, h := range x.Harnesses {
		if n, told := x.Trusted[h.ID]; told && n > 0 {
			r.out("  %s: trusts %s now", h.Name, count(n, "hook more", "hooks more"))
		}
	}
	for _, w := range x.Warnings {
		r.out("  warning: %s", w)
	}
	for _, k := range x.Kept {
		r.out("  kept: %s holds copies of files that --force replaced; remove it when you need them no more", k)
	}
}

// failure shows what went wrong. Without the clone's name when it is the directory that the user is in: then the places in
// the error are paths as they stand.
func (r *textReport) failure(clone string, err error) {
	if len(r.Clones) == 1 && clone == "." {
		fmt.Fprintln(r.Stderr, err)
		return
	}
	fmt.Fprintf(r.Stderr, "%s: failed:\n%s\n", agree.Plain(clone), indent(err.Error()))
}

// diff shows what would be done.
func (r *textReport) diff(clone string, x Result) {
	r.out("%s: %s", clone, count(len(x.All()), "file differs", "files differ"))
	r.Stdout.Write(x.Diff())
	for _, c := range x.All() {
		if c.Backup() != "" {
			r.out("  %s was changed by someone else; lorimer overrides that with --force alone, and keeps a copy", c.Path)
		}
	}
	if x.Untrusted && len(x.All()) == 0 {
		r.out("  its hooks are not trusted on this machine; `lorimer materialize` records that you agree to them")
	}
}

// changes shows what was done, and what each harness got.
func (r *textReport) changes(clone string, x Result) {
	r.out("%s:", clone)
	for _, c := range x.All() {
		line := fmt.Sprintf("  %s %s", past(c.Verb()), c.Path)
		if c.Backup() != "" {
			line += ", a copy of the old one is " + c.Backup()
		}
		r.out("%s", line)
	}
	r.agreed(x)
	for _, h := range x.Harnesses {
		if h.Itself {
			r.out("  %s: runs these hooks by itself, nothing is hooked", h.Name)
			continue
		}
		if len(h.Events) == 0 {
			r.out("  %s: no handler runs in it, nothing is hooked", h.Name)
			continue
		}
		r.out("  %s: %s", h.Name, events(h.Events))
		r.later(x, h)
	}
}

// agreed shows what the user has agreed to by this run: what runs from now on, and what does not any more.
func (r *textReport) agreed(x Result) {
	for _, d := range x.Differences {
		switch {
		case d.What == "added" && d.Setting != nil:
			r.out("  trusted: %s", agree.Plain(d.Setting.Name+": "+d.Setting.Now))
			continue
		case d.What == "added":
			r.out("  trusted: %s runs on %s: %s", agree.Plain(d.Now.Name), d.Now.Event, agree.Plain(d.Now.Command()))
			continue
		case d.Setting != nil:
			r.out("  trusted: %s is not what it was", d.Setting.Name)
		case d.Now == nil:
			r.out("  trusted: %s is gone", agree.Plain(d.Was.Name))
		default:
			r.out("  trusted: %s is not what it was", agree.Plain(d.Now.Name))
		}
		for _, line := range d.Lines() {
			r.out("    %s", line)
		}
	}
}

// later collects what the user has to do about a harness whose file was written.
func (r *textReport) later(x Result, h materialize.Harness) {
	written := slices.ContainsFunc(x.All(), func(c materialize.Change) bool { return c.Path == h.File })
	if !written {
		return
	}
	if h.Restart {
		r.remind(fmt.Sprintf("restart %s where it runs: it reads its hooks when it starts", h.Name))
	}
	if x.Portable && !strings.HasPrefix(h.File, "~/") {
		r.remind("commit " + h.File + ": it is the same in every checkout, and does nothing where there is no lorimer")
	}
	if _, told := x.Trusted[h.ID]; h.Trust != "" && !told {
		r.remind(h.Trust)
	}
}

func (r *textReport) remind(line string) {
	if !slices.Contains(r.todo, line) {
		r.todo = append(r.todo, line)
	}
}

func (r *textReport) end(failed []string) error {
	if len(r.todo) > 0 {
		r.out("next:")
	}
	for _, line := range r.todo {
		r.out("  %s", line)
	}
	if len(failed) > 0 && len(r.Clones) > 1 {
		return fmt.Errorf("%d of %d clones failed: %s", len(failed), len(r.Clones), strings.Join(failed, ", "))
	}
	return nil
}

func past(verb string) string {
	return map[string]string{"create": "wrote", "update": "changed", "remove": "removed"}[verb]
}

func count(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

func indent(s string) string {
	return "  " + strings.ReplaceAll(strings.TrimRight(s, "\n"), "\n", "\n  ")
}

func events(list []harness.Event) string {
	names := make([]string, len(list))
	for i, e := range list {
		names[i] = string(e)
	}
	return strings.Join(names, ", ")
}

// hooked names the harnesses and their events in brackets.
func hooked(list []materialize.Harness) string {
	var parts []string
	for _, h := range list {
		if len(h.Events) > 0 {
			parts = append(parts, h.Name+": "+events(h.Events))
		}
	}
	if len(parts) == 0 {
		return ""
	}
	return " (" + strings.Join(parts, "; ") + ")"
}
