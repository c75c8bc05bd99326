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
