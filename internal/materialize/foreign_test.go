package materialize

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const shim = ".pony/extensions/lorimer.js"

func TestFileThatWeDidNotWriteIsNeverOverwritten(t *testing.T) {
	clone, o := setup(t, map[string]string{"lorimer.yaml": yaml, shim: "// by hand\n"})
	for _, o.Force = range []bool{false, true} {
		refused(t, clone, materializing(clone, o), shim+" was not written by lorimer and stays as it is", "move your file away")
	}
	clean(t, clone, o)
	if read(t, clone, shim) != "// by hand\n" {
		t.Error("clean took it")
	}
}

func TestHandEditedFile(t *testing.T) {
	clone, o := setup(t, map[string]string{"lorimer.yaml": yaml})
	before := tree(t, clone)
	materialize(t, clone, o)
	ours := read(t, clone, shim)
	edit := func(n string) { write(t, clone, shim, ours+"// precious "+n+"\n") }

	edit("1")
	want := []string{shim + " is lorimer's and was changed by someone else", "-// precious 1\n", "give --force, which keeps a copy in .lorimer/backup"}
	refused(t, clone, materializing(clone, o), want...)
	refused(t, clone, cleaning(clone, o), want...)
	o.Force = true
	if p := materialize(t, clone, o); read(t, clone, shim) != ours || p.Changes[0].Backup() != ".lorimer/backup/.pony__extensions__lorimer.js.1" {
		t.Errorf("got %+v", p.Changes)
	}
	edit("2")
	p := clean(t, clone, o)
	for n, name := range map[string]string{"1": ".1", "2": ".2"} {
		if got := read(t, clone, ".lorimer/backup/.pony__extensions__lorimer.js"+name); got != ours+"// precious "+n+"\n" {
			t.Errorf("copy %s:\n%s", n, got)
		}
	}
	if len(p.Kept) != 1 || p.Kept[0] != ".lorimer/backup" || read(t, clone, ".lorimer/.gitignore") != "*\n" {
		t.Errorf("kept %v", p.Kept)
	}
	// With the copies out of the way, a round trip leaves nothing again.
	must(t, os.RemoveAll(filepath.Join(clone, ".lorimer", "backup")))
	materialize(t, clone, o)
	clean(t, clone, o)
	same(t, "at the end", tree(t, clone), before)
}

func TestEditedEntryIsRefused(t *testing.T) {
	clone, o := setup(t, map[string]string{"lorimer.yaml": yaml, "mule.json": "{}\n"})
	materialize(t, clone, o)
	edited := strings.Replace(read(t, clone, "mule.json"), `"command"`, `"mine": 1, "command"`, 1)
	write(t, clone, "mule.json", edited)
	refused(t, clone, cleaning(clone, o), "mule.json:4:7: this entry is lorimer's and was changed", "--force")
	refused(t, clone, materializing(clone, o), "mule.json:4:7: this entry is lorimer's")
	o.Force = true
	clean(t, clone, o)
	if read(t, clone, "mule.json") != "{}\n" || read(t, clone, ".lorimer/backup/mule.json.1") != edited {
		t.Errorf("got %v", tree(t, clone))
	}
}

func TestEverythingInTheWayIsSaidAtOnce(t *testing.T) {
	clone, o := setup(t, map[string]string{"lorimer.yaml": yaml, shim: "x", "mule.json": `{"on": null}`, ".cob/settings.local.json": "{"})
	refused(t, clone, materializing(clone, o), shim+" was not written by lorimer", `mule.json:1:8: "on" is null; expected an object`,
		".cob/settings.local.json:1:2: not valid JSON")
}

func TestLostRecord(t *testing.T) {
	clone, o := setup(t, map[string]string{"lorimer.yaml": yaml, "mule.json": "{\"a\": 1}\n"})
	materialize(t, clone, o)
	after := tree(t, clone)
	must(t, os.RemoveAll(filepath.Join(clone, ".lorimer")))

	t.Run("materialize", func(t *testing.T) {
		materialize(t, clone, o)
		got := tree(t, clone)
		delete(got, ".lorimer/owned.json")
		delete(after, ".lorimer/owned.json")
		same(t, "after materialize", got, after)
	})
	must(t, os.RemoveAll(filepath.Join(clone, ".lorimer")))
	t.Run("from another place", func(t *testing.T) {
		moved := filepath.Join(filepath.Dir(clone), "moved")
		must(t, os.Rename(clone, moved))
		defer func() { must(t, os.Rename(moved, clone)) }()
		p := materialize(t, moved, o)
		if got := read(t, moved, "mule.json"); strings.Count(got, "lorimer-dispatch") != 1 || !strings.Contains(got, p.Root) {
			t.Errorf("mule.json:\n%s", got)
		}
		must(t, os.RemoveAll(filepath.Join(moved, ".lorimer")))
	})
	t.Run("clean", func(t *testing.T) {
		clean(t, clone, o)
		for name, text := range tree(t, clone) {
			if strings.Contains(text, "lorimer-dispatch") {
				t.Errorf("%s still holds something of ours:\n%s", name, text)
			}
		}
	})
}

func TestDamagedOrForeignRecord(t *testing.T) {
	clone, o := setup(t, map[string]string{"lorimer.yaml": yaml, ".lorimer/owned.json": "{"})
	refused(t, clone, materializing(clone, o), ".lorimer/owned.json is damaged")
	write(t, clone, ".lorimer/owned.json", `{"version": 1, "files": [{"path": "../victim", "how": "whole"}]}`)
	refused(t, clone, cleaning(clone, o), `.lorimer/owned.json names "../victim"`)
}

func TestManifestThatCameWithTheCloneIsNotTrustedSilently(t *testing.T) {
	clone, o := setup(t, map[string]string{"lorimer.yaml": yaml, ".lorimer/manifest.json": `{"protocol":1}`})
	refused(t, clone, materializing(clone, o), ".lorimer/manifest.json is lorimer's and was changed", "--force")
	o.Force = true
	materialize(t, clone, o)
	if got := read(t, clone, ".lorimer/backup/.lorimer__manifest.json.1"); got != `{"protocol":1}` {
		t.Errorf("copy: %s", got)
	}
}

func TestCobUserHooksBesideOurs(t *testing.T) {
	theirs := `{
  "hooks": {
    "Stop": [
      {"hooks": [{"type": "command", "command": "say lorimer-dispatch is great"}]},
      {"hooks": [{"type": "command", "command": "/usr/bin/lorimer-dispatch", "args": ["cob", "Stop"]}]}
    ]
  }
}
`
	clone, o := setup(t, map[string]string{"lorimer.yaml": yaml, ".cob/settings.local.json": theirs})
	materialize(t, clone, o)
	if got := read(t, clone, ".cob/settings.local.json"); !strings.Contains(got, "is great") || !strings.Contains(got, `"args": ["cob", "Stop"]`) {
		t.Errorf("got:\n%s", got)
	}
	clean(t, clone, o)
	if got := read(t, clone, ".cob/settings.local.json"); got != theirs {
		t.Errorf("got:\n%s", got)
	}
}
