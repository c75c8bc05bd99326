package materialize

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/lorimer-dev/lorimer/internal/materialize/clonefs"
)

// story is a run that is killed at each of its operations in turn.
type story struct {
	name    string
	files   map[string]string
	prepare func(t *testing.T, clone string, o Options) // what happened before the run
	run     func(dir string, o Options) (*Plan, error)
	force   bool
}

const settings = "{\r\n\t\"a\": 1, // mine\r\n\t\"hooks\": {\"Stop\": []},\r\n}"

var stories = []story{
	{name: "first", run: Materialize,
		files: map[string]string{"lorimer.yaml": yaml, ".cob/settings.local.json": settings}},
	{name: "refresh", run: Materialize,
		files: map[string]string{"lorimer.yaml": yaml, ".cob/settings.local.json": settings},
		prepare: func(t *testing.T, clone string, o Options) {
			materialize(t, clone, o)
			write(t, clone, "lorimer.yaml", "version: 1\nharnesses: [cob, pony]\nhandlers: [{ name: p, event: PostToolUse, run: x }]\n")
		}},
	{name: "forced", run: Materialize, force: true,
		files: map[string]string{"lorimer.yaml": yaml, ".cob/settings.local.json": settings},
		prepare: func(t *testing.T, clone string, o Options) {
			materialize(t, clone, o)
			write(t, clone, shim, "edited")
		}},
	{name: "clean", run: Clean,
		files:   map[string]string{"lorimer.yaml": yaml, ".cob/settings.local.json": settings, "mule.json": "{}"},
		prepare: func(t *testing.T, clone string, o Options) { materialize(t, clone, o) }},
}

func (s story) start(t *testing.T) (clone string, o Options) {
	clone, o = setup(t, s.files)
	if s.prepare != nil {
		s.prepare(t, clone, o)
	}
	o.Force = s.force
	return clone, o
}

// TestKilledAtEveryOperation: whatever was reached, each file is the old or the new one, and the next run ends what was
// begun.
func TestKilledAtEveryOperation(t *testing.T) {
	for _, s := range stories {
		t.Run(s.name, func(t *testing.T) {
			clone, o := s.start(t)
			old := tree(t, clone)
			if _, err := s.run(clone, o); err != nil {
				t.Fatal(err)
			}
			wanted := tree(t, clone)
			n := 1
			for s.killedAt(t, n, clone, old, wanted) {
				n++
			}
			if n < 15 {
				t.Errorf("only %d operations: does the run go through the hook?", n-1)
			}
		})
	}
}

// TestKilledTwice: the run that should end what was begun is killed as well, and wants something else than the first.
func TestKilledTwice(t *testing.T) {
	second := "version: 1\nharnesses: [cob, pony]\nhandlers: [{ name: p, event: PostToolUse, run: x }]\n"
	for n := 1; n < 60; n += 7 {
		for m := 2; m < 60; m += 5 {
			clone, o := setup(t, map[string]string{"lorimer.yaml": yaml, ".cob/settings.local.json": settings})
			before := tree(t, clone)
			o.Hook, _ = dieAt(n)
			_, _ = Materialize(clone, o)
			write(t, clone, "lorimer.yaml", second)
			o.Hook, _ = dieAt(m)
			_, _ = Materialize(clone, o)
			o.Hook = nil
			if _, err := Materialize(clone, o); err != nil {
				t.Fatalf("killed at %d and %d: %v", n, m, err)
			}
			got := read(t, clone, ".cob/settings.local.json") + read(t, clone, shim)
			if strings.Count(got, "lorimer-dispatch") != 2 || strings.Contains(got, "PreToolUse") {
				t.Errorf("killed at %d and %d:\n%s", n, m, got)
			}
			clean(t, clone, o)
			write(t, clone, "lorimer.yaml", yaml)
			same(t, fmt.Sprintf("killed at %d and %d, then cleaned", n, m), tree(t, clone), before)
		}
	}
}

// TestPowerCut: what is not synced may have its name and nothing in it, or zeros, when the machine died. The next run makes it again,
// without being told to, and clean gives back what was there.
func TestPowerCut(t *testing.T) {
	for _, rest := range []string{"", "\x00\x00\x00"} {
		clone, o := setup(t, map[string]string{"lorimer.yaml": yaml})
		before := tree(t, clone)
		p := materialize(t, clone, o)
		whole := tree(t, clone)
		lost := 0
		for _, c := range p.Changes {
			if c.keep == clonefs.Remade {
				write(t, clone, c.Path, rest)
				lost++
			}
		}
		if lost < 4 {
			t.Fatalf("only %d files are not synced; the test means the shim and hook configs that were not there", lost)
		}
		torn := tree(t, clone)
		materialize(t, clone, o)
		same(t, "the next run", tree(t, clone), whole)
		for name, text := range torn {
			if !strings.HasSuffix(name, "/") {
				write(t, clone, name, text)
			}
		}
		clean(t, clone, o)
		same(t, "clean", tree(t, clone), before)
	}
}

// TestWhatIsSynced: a file with a user's bytes in it, the manifest, and the record before the first change.
func TestWhatIsSynced(t *testing.T) {
	clone, o := setup(t, map[string]string{"lorimer.yaml": yaml, settingsFile: settings})
	var ops []string
	o.Hook = func(op clonefs.Op, path string) error {
		if op == clonefs.Sync || op == clonefs.Rename {
			ops = append(ops, string(op)+" "+path)
		}
		return nil
	}
	materialize(t, clone, o)
	text := strings.Join(ops, "\n")
	for _, want := range []string{
		"sync .lorimer/.owned.json.lorimer-tmp\nrename .lorimer/owned.json\nsync .lorimer\n", // first
		"rename " + settingsFile + "\nsync " + filepath.Dir(settingsFile) + "\n",
		"sync " + clonefs.TempName(settingsFile) + "\n", "sync .lorimer/.manifest.json.lorimer-tmp\n",
		"rename .lorimer/manifest.json\nsync .lorimer\nsync .lorimer/.owned.json.lorimer-tmp\nrename .lorimer/owned.json", // last
	} {
		if !strings.Contains(text, want) {
			t.Errorf("not in this order:\n%s\nin\n%s", want, text)
		}
	}
	if !strings.HasPrefix(text, "sync .lorimer/.owned") || !strings.HasSuffix(text, "\nrename .lorimer/owned.json") || strings.Contains(text, "sync "+clonefs.TempName(shim)) {
		t.Error(text)
	}
}

// killedAt runs the story in a clone of its own until the n-th operation. It returns false when the run has less.
func (s story) killedAt(t *testing.T, n int, first string, old, wanted map[string]string) bool {
	clone, o := s.start(t)
	here := func(text string) string { return strings.ReplaceAll(text, filepath.Dir(clone), filepath.Dir(first)) }
	hook, _ := dieAt(n)
	o.Hook = hook
	_, err := s.run(clone, o)
	if err != nil && !errors.Is(err, errDead) {
		t.Fatalf("operation %d: %v", n, err)
	}
	for name, text := range tree(t, clone) {
		if strings.HasSuffix(name, ".lorimer-tmp") || name == ".lorimer/owned.json" || strings.Contains(name, "backup/") {
			continue
		}
		before, was := old[name]
		after, becomes := wanted[name]
		if text = s.sameHome(here(text), o); !(was && text == s.sameHome(before, o)) && !(becomes && text == s.sameHome(after, o)) {
			t.Errorf("operation %d: %s is neither the old nor the new one:\n%s", n, name, text)
		}
	}
	for name := range old {
		if _, err := os.Lstat(filepath.Join(clone, name)); err != nil && wanted[name] != "" {
			t.Errorf("operation %d: %s is gone", n, name)
		}
	}
	o.Hook = nil
	s.repair(t, n, clone, o, wanted, here)
	return err != nil
}

// repair runs the story again and compares with what it leaves when nothing happens, then takes everything out.
func (s story) repair(t *testing.T, n int, clone string, o Options, wanted map[string]string, here func(string) string) {
	t.Helper()
	if _, err := s.run(clone, o); err != nil {
		t.Fatalf("operation %d: the next run fails: %v", n, err)
	}
	got := tree(t, clone)
	for _, all := range []map[string]string{got, wanted} {
		for name, text := range all {
			all[name] = s.sameHome(here(text), o)
			// How many copies there are depends on where the run was killed.
			if strings.Contains(name, "backup") || name == ".lorimer/owned.json" && s.force {
				delete(all, name)
			}
		}
	}
	same(t, s.name+": after the next run", got, wanted)
	if p, err := PlanMaterialize(clone, o); err != nil || s.name != "clean" && !p.Clean() {
		t.Errorf("operation %d: after the next run there is drift: %v\n%s", n, err, p.Diff())
	}
	must(t, os.RemoveAll(filepath.Join(clone, ".lorimer", "backup")))
	clean(t, clone, o)
	left := tree(t, clone)
	for name, text := range s.files {
		if name != "lorimer.yaml" && left[name] != text {
			t.Errorf("operation %d: after clean %s is\n%s", n, name, left[name])
		}
		delete(left, name)
	}
	delete(left, ".cob/")
	if s.force { // the copies were there when clean was planned
		delete(left, ".lorimer/")
		delete(left, ".lorimer/.gitignore")
	}
	same(t, "left after clean", left, map[string]string{})
}

// sameHome makes texts of two runs comparable: each run has a clone and a state home of its own, and so other hashes.
func (s story) sameHome(text string, o Options) string {
	text = digest.ReplaceAllString(text, "HASH")
	return homes.ReplaceAllString(text, "HOME")
}

var (
	digest = regexp.MustCompile(`[0-9a-f]{64}`)
	homes  = regexp.MustCompile(`/[^" ]*/state/bin`)
)
