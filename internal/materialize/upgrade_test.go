package materialize

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/lorimer-dev/lorimer/internal/harness"
	"github.com/lorimer-dev/lorimer/internal/owned"
)

// What an older lorimer left is brought up to date by a plain run, without force: nobody is told to run something that then refuses.
func TestUpgrade(t *testing.T) {
	const shim, manifest = ".pony/extensions/lorimer.js", ".lorimer/manifest.json"
	for name, older := range map[string]func(t *testing.T, clone string, o *Options){
		"a manifest of another protocol": func(t *testing.T, clone string, _ *Options) {
			rewrite(t, clone, manifest, strings.Replace(read(t, clone, manifest), `"protocol": 1`, `"protocol": 0`, 1))
		},
		"a manifest without a protocol": func(t *testing.T, clone string, _ *Options) { rewrite(t, clone, manifest, "{}\n") },
		"a shim whose CONFIG has other keys": func(t *testing.T, clone string, _ *Options) {
			rewrite(t, clone, shim, strings.Replace(read(t, clone, shim), `"protocol":1`, `"protocol":0,"cap":3`, 1))
		},
		"a shim with other code": func(t *testing.T, clone string, _ *Options) {
			rewrite(t, clone, shim, read(t, clone, shim)+"// of old\n")
		},
		"a dispatcher in another place": func(t *testing.T, clone string, o *Options) {
			for _, f := range []string{"mule.json", ".cob/settings.local.json", shim} {
				rewrite(t, clone, f, strings.ReplaceAll(read(t, clone, f), o.Home, "/old/place"))
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			clone, o := setup(t, map[string]string{"lorimer.yaml": yaml})
			before := tree(t, clone)
			materialize(t, clone, o)
			want := tree(t, clone)
			older(t, clone, &o)
			same(t, "brought up to date", refreshed(t, clone, o), want)
			if p := materialize(t, clone, o); !p.Clean() {
				t.Errorf("the run after it: %s", p.Diff())
			}
			clean(t, clone, o)
			same(t, "cleaned", tree(t, clone), before)
		})
	}
}

// An older lorimer does not undo a newer one's work in passing: it says so, changes nothing, and does it when it is told to.
func TestDowngrade(t *testing.T) {
	const manifest = ".lorimer/manifest.json"
	for name, c := range map[string]struct{ file, was, is, says string }{
		"a newer manifest": {manifest, `"protocol": 1`, `"protocol": 2`, "has protocol 2, this lorimer speaks 1: a newer one was at work here"},
		"a newer record":   {owned.Path, `"version": 1`, `"version": 2`, "has version 2, this lorimer knows 1; use the lorimer that wrote it"},
	} {
		clone, o := setup(t, map[string]string{"lorimer.yaml": yaml})
		materialize(t, clone, o)
		want := tree(t, clone)
		if c.file == manifest {
			rewrite(t, clone, c.file, strings.Replace(read(t, clone, c.file), c.was, c.is, 1))
		} else {
			write(t, clone, c.file, strings.Replace(read(t, clone, c.file), c.was, c.is, 1))
		}
		newer := tree(t, clone)
		if _, err := Materialize(clone, o); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v, want %q", name, err, c.says)
		}
		same(t, name, tree(t, clone), newer)
		if o.Force = true; c.file == manifest {
			materialize(t, clone, o)
			same(t, name+", forced", tree(t, clone), want)
		}
	}
}

// What an older lorimer listed in git's exclude file gives way to what this one may write, in the same place, and goes with it.
func TestUpgradeOfTheExcludeBlock(t *testing.T) {
	clone, o := setup(t, map[string]string{"lorimer.yaml": yaml})
	git(t, clone, "init", "-q")
	write(t, clone, ".git/info/exclude", "*.log\n")
	materialize(t, clone, o)
	now := read(t, clone, ".git/info/exclude")
	older := strings.Replace(now, "/.pony/extensions/lorimer.js\n", "/.pony/lorimer.js\n/.pony/stub.json\n", 1)
	if older == now {
		t.Fatal("the shim is not listed")
	}
	write(t, clone, ".git/info/exclude", older+"*.tmp\n")
	materialize(t, clone, o)
	if got := read(t, clone, ".git/info/exclude"); got != now+"*.tmp\n" {
		t.Errorf("the block is\n%s", got)
	}
	clean(t, clone, o)
	if got := read(t, clone, ".git/info/exclude"); got != "*.log\n*.tmp\n" {
		t.Errorf("after clean:\n%s", got)
	}
}

// A companion that an older lorimer wrote is brought up to date, and one that it wrote and this one does not want is taken away.
func TestUpgradeOfCompanions(t *testing.T) {
	clone, o := setup(t, map[string]string{"lorimer.yaml": yaml})
	o.Table[2].Shim.Companions = []harness.Companion{{Path: ".pony/stub.json", Content: "{}\n"}}
	before := tree(t, clone)
	materialize(t, clone, o)
	rewrite(t, clone, ".pony/stub.json", "{\"old\": 1}\n")
	materialize(t, clone, o)
	if got := read(t, clone, ".pony/stub.json"); got != "{}\n" {
		t.Errorf("not brought up to date: %s", got)
	}
	o.Table[2].Shim.Companions = nil
	materialize(t, clone, o)
	if _, err := os.Stat(filepath.Join(clone, ".pony", "stub.json")); err == nil {
		t.Error("the companion that nobody wants is still there")
	}
	clean(t, clone, o)
	same(t, "cleaned", tree(t, clone), before)
}

func refreshed(t *testing.T, clone string, o Options) map[string]string {
	materialize(t, clone, o)
	return tree(t, clone)
}

// rewrite makes a file one that an older lorimer wrote: the record knows it.
func rewrite(t *testing.T, clone, file, text string) {
	t.Helper()
	r, err := owned.Parse([]byte(read(t, clone, owned.Path)))
	must(t, err)
	i := slices.IndexFunc(r.Files, func(f owned.File) bool { return f.Path == file })
	if i < 0 {
		t.Fatalf("no record of %s", file)
	}
	for j := range r.Files[i].Entries {
		r.Files[i].Entries[j].Value = []byte(strings.ReplaceAll(string(r.Files[i].Entries[j].Value), filepath.Dir(filepath.Dir(dispatcherIn(string(r.Files[i].Entries[j].Value)))), "/old/place"))
	}
	r.Files[i].SHA256 = owned.Hash([]byte(text))
	write(t, clone, file, text)
	write(t, clone, owned.Path, string(r.Encode()))
}

// dispatcherIn is the dispatcher's path in an entry.
func dispatcherIn(entry string) string {
	end := strings.Index(entry, DispatcherName) + len(DispatcherName)
	return entry[strings.LastIndex(entry[:end], `"`)+1 : end]
}

// Files and entries of a harness that this lorimer knows no more are taken out, by the record alone.
func TestFilesOfADroppedHarness(t *testing.T) {
	clone, o := setup(t, map[string]string{"lorimer.yaml": strings.Replace(yaml, "not: [mule]", "timeout: 2m", 1), "mule.json": "{\n\t// mine\n}\n"})
	before := tree(t, clone)
	materialize(t, clone, o)
	o.Table = slices.DeleteFunc(o.Table, func(h *harness.Harness) bool { return h.ID != "cob" })
	write(t, clone, "lorimer.yaml", strings.Replace(yaml, "[cob, mule, pony]", "[cob]", 1))
	write(t, clone, "lorimer.yaml", strings.Replace(read(t, clone, "lorimer.yaml"), ", not: [mule]", "", 1))
	materialize(t, clone, o)
	if _, err := os.Stat(filepath.Join(clone, ".pony")); err == nil || read(t, clone, "mule.json") != before["mule.json"] {
		t.Errorf("left over: %v\n%s", err, read(t, clone, "mule.json"))
	}
	if p := materialize(t, clone, o); !p.Clean() {
		t.Errorf("the second run: %s", p.Diff())
	}
}
