package materialize

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestLinksThatLeadOut(t *testing.T) {
	for name, link := range map[string]string{
		"directory": ".cob", "file": "mule.json", "deep": ".pony/extensions", "shim": shim, "record": ".lorimer", "configuration": "lorimer.yaml",
	} {
		t.Run(name, func(t *testing.T) {
			clone, o := setup(t, map[string]string{"lorimer.yaml": yaml})
			outside := filepath.Join(filepath.Dir(clone), "outside")
			write(t, outside, "settings.local.json", "{}")
			full := filepath.Join(clone, link)
			must(t, os.RemoveAll(full))
			must(t, os.MkdirAll(filepath.Dir(full), 0o755))
			must(t, os.Symlink(outside, full))
			before := tree(t, outside)
			refused(t, clone, materializing(clone, o), link+" is a link that leads out of the clone, to "+outside)
			same(t, "outside", tree(t, outside), before)
		})
	}
}

func TestLinkThatLeadsOutAndIsNotNeededIsNoFault(t *testing.T) {
	clone, o := setup(t, map[string]string{"lorimer.yaml": strings.Replace(yaml, "cob, ", "", 1)})
	must(t, os.Symlink("/nowhere", filepath.Join(clone, ".cob")))
	materialize(t, clone, o)
	clean(t, clone, o)
}

func TestLinksInsideTheCloneAreWrittenThrough(t *testing.T) {
	clone, o := setup(t, map[string]string{"lorimer.yaml": yaml, "conf/cob/settings.local.json": "{ }", "conf/mule": "{}"})
	must(t, os.Symlink("conf/cob", filepath.Join(clone, ".cob")))
	must(t, os.Symlink("conf/mule", filepath.Join(clone, "mule.json")))
	before := tree(t, clone)
	materialize(t, clone, o)
	if !strings.Contains(read(t, clone, "conf/mule"), "lorimer-dispatch") || !strings.Contains(read(t, clone, "conf/cob/settings.local.json"), "lorimer-dispatch") {
		t.Error("nothing was written where the links lead")
	}
	if p := materialize(t, clone, o); !p.Clean() {
		t.Errorf("second run: %s", p.Diff())
	}
	clean(t, clone, o)
	same(t, "after clean", tree(t, clone), before)
}

func TestNoFileWhereOneIsNeeded(t *testing.T) {
	clone, o := setup(t, map[string]string{"lorimer.yaml": yaml, "mule.json/": "", ".pony": "a file"})
	refused(t, clone, materializing(clone, o), "mule.json is a directory; expected a file", ".pony is a file; expected a directory")
}

// A worktree whose settings are a link to the main checkout's: writing through it would put this worktree's hooks into the
// other one.
func TestWorktreeWhoseSettingsAreTheMainCheckouts(t *testing.T) {
	clone, o := setup(t, map[string]string{"lorimer.yaml": yaml})
	main := filepath.Join(filepath.Dir(clone), "main")
	write(t, main, ".cob/settings.local.json", "{}")
	for _, target := range []string{filepath.Join(main, ".cob"), "../main/.cob"} {
		link := filepath.Join(clone, ".cob")
		must(t, os.Symlink(target, link))
		before := tree(t, main)
		refused(t, clone, materializing(clone, o), ".cob is a link that leads out of the clone, to "+target, "replace it by a directory or file")
		same(t, "the main checkout", tree(t, main), before)
		must(t, os.Remove(link))
	}
	materialize(t, clone, o)
}

func TestLinksToNowhereAndInCircles(t *testing.T) {
	for target, want := range map[string]string{"nowhere": "passes a link to nowhere, which does not exist", ".cob": "the link .cob leads in circles"} {
		clone, o := setup(t, map[string]string{"lorimer.yaml": yaml})
		must(t, os.Symlink(target, filepath.Join(clone, ".cob")))
		refused(t, clone, materializing(clone, o), want)
	}
}

// A clone inside a clone has a record, a manifest and hooks of its own; what happens to one is nothing to the other.
func TestCloneInsideAClone(t *testing.T) {
	outer, o := setup(t, map[string]string{"lorimer.yaml": yaml, "sub/lorimer.yaml": yaml, "sub/.cob/settings.local.json": "{ }"})
	inner, before := filepath.Join(outer, "sub"), tree(t, outer)
	materialize(t, outer, o)
	half := tree(t, outer)
	materialize(t, inner, o)
	if p := materialize(t, outer, o); !p.Clean() {
		t.Errorf("the outer one changed:\n%s", p.Diff())
	}
	clean(t, inner, o)
	same(t, "the inner one cleaned", tree(t, outer), half)
	materialize(t, inner, o)
	clean(t, outer, o)
	if p := materialize(t, inner, o); !p.Clean() {
		t.Errorf("cleaning the outer one changed the inner one:\n%s", p.Diff())
	}
	clean(t, inner, o)
	same(t, "both cleaned", tree(t, outer), before)
}

// What a descriptor or a configuration names can never lead out, however it got there.
func TestPathsThatClimb(t *testing.T) {
	for _, path := range []string{"../out.js", "a/../../out.js", "/tmp/out.js", ".pony/../../out.js"} {
		clone, o := setup(t, map[string]string{"lorimer.yaml": yaml})
		for _, h := range o.Table {
			if h.Shim != nil {
				h.Shim.Project = path
			}
		}
		refused(t, clone, materializing(clone, o), "is no path in a clone")
	}
}
