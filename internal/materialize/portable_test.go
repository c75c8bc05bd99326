package materialize

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/tidwall/gjson"

	"github.com/lorimer-dev/lorimer/internal/harness"
)

// committed is what of a clone is under version control.
func committed(t *testing.T, clone string) map[string]string {
	all := tree(t, clone)
	for name := range all {
		if strings.HasPrefix(name, ".lorimer/") || strings.HasSuffix(name, "/") {
			delete(all, name)
		}
	}
	return all
}

func portable(t *testing.T) (clone string, o Options) {
	clone, o = setup(t, map[string]string{"lorimer.yaml": yaml, ".cob/settings.json": "{\n  // mine\n  \"model\": \"x\"\n}\n"})
	g, err := o.Golden.Open("pony/lorimer.js")
	must(t, err)
	g.Close()
	yes := true
	o.Portable = &yes
	return clone, o
}

func TestPortableFilesAreTheSameInEveryCheckout(t *testing.T) {
	one, o := portable(t)
	p := materialize(t, one, o)
	if got := paths(p); !p.Portable || got != "create .lorimer/.gitignore, create .pony/extensions/lorimer.js, update .cob/settings.json, "+
		"create mule.json, create .lorimer/manifest.json" {
		t.Errorf("changes: %s", got)
	}
	two, o2 := portable(t)
	materialize(t, two, o2)
	files := committed(t, one)
	same(t, "two checkouts", committed(t, two), files)
	for name, text := range files {
		if strings.Contains(text, one) || strings.Contains(text, o.Home) {
			t.Errorf("%s names this machine:\n%s", name, text)
		}
	}
	if c, ok := harness.ConfigOf([]byte(files[".pony/extensions/lorimer.js"])); !ok || c.Portable != "../.." || !slices.Equal(c.Dispatcher, []string{DispatcherName}) {
		t.Errorf("the shim says %+v", c)
	}

	// Who checks it out needs no flag: it is as it was, and only what is local is written.
	three, o3 := setup(t, files)
	if p, err := PlanMaterialize(three, o3); err != nil || !p.Portable || p.Clean() || !p.Committed().Clean() {
		t.Errorf("in a fresh checkout: %v\n%s", err, p.Committed().Diff())
	}
	if got := paths(materialize(t, three, o3)); got != "create .lorimer/.gitignore, create .lorimer/manifest.json" {
		t.Errorf("in a fresh checkout: %s", got)
	}
	if p := materialize(t, three, o3); !p.Clean() {
		t.Errorf("the second run: %s", p.Diff())
	}

	// A change of the hooks shows in what is committed alone where it has to be committed.
	write(t, three, "lorimer.yaml", strings.Replace(yaml, "not: [mule]", "timeout: 2m", 1))
	p, err := PlanMaterialize(three, o3)
	must(t, err)
	if got := paths(p.Committed()); got != "update mule.json" {
		t.Errorf("committed: %s", got)
	}
	clean(t, one, o)
	if got := read(t, one, ".cob/settings.json"); got != "{\n  // mine\n  \"model\": \"x\"\n}\n" {
		t.Errorf("after clean: %s", got)
	}
}

func TestPortableAndBack(t *testing.T) {
	clone, o := portable(t)
	before := tree(t, clone)
	no := false
	local := o
	local.Portable = &no
	materialize(t, clone, local)
	was := tree(t, clone)
	materialize(t, clone, o)
	materialize(t, clone, local)
	same(t, "back", tree(t, clone), was)
	clean(t, clone, local)
	same(t, "cleaned", tree(t, clone), before)
}

// The line in the entry is the one of a shell that hosts give commands to.
func TestPortableLine(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("hosts give it to a POSIX shell there, too, where there is one")
	}
	clone, o := portable(t)
	materialize(t, clone, o)
	open := gjson.Get(read(t, clone, ".cob/settings.json"), "hooks.Stop.0.hooks.0.command").Str
	strict := gjson.Get(read(t, clone, ".cob/settings.json"), "hooks.PreToolUse.0.hooks.0.command").Str
	home := t.TempDir()
	run := func(line string, env ...string) (status int, said string) {
		cmd := exec.Command("/bin/sh", "-c", line)
		cmd.Env = append([]string{"HOME=" + home, "PATH="}, env...)
		out, err := cmd.CombinedOutput()
		if err != nil && cmd.ProcessState == nil {
			t.Fatal(err)
		}
		return cmd.ProcessState.ExitCode(), string(out)
	}
	if status, said := run(open); status != 0 || said != "" {
		t.Errorf("without lorimer: %d %q", status, said)
	}
	if status, said := run(strict); status != 2 || !strings.Contains(said, "lorimer is not installed here") {
		t.Errorf("without lorimer, where it must not be passed over: %d %q", status, said)
	}
	for dir, env := range map[string]string{filepath.Join(home, ".local/state/lorimer/bin"): "", filepath.Join(home, "other"): "PATH=" + filepath.Join(home, "other"), filepath.Join(home, "lh/bin"): "LORIMER_HOME=" + filepath.Join(home, "lh")} {
		write(t, dir, DispatcherName, "#!/bin/sh\necho $*\n")
		must(t, os.Chmod(filepath.Join(dir, DispatcherName), 0o755))
		if status, said := run(strict, env); status != 0 || said != "--portable cob PreToolUse --fail-closed\n" {
			t.Errorf("%s: %d %q", dir, status, said)
		}
		must(t, os.RemoveAll(dir))
	}
}

// A shim that another lorimer wrote, and that came with the checkout, is refreshed; one that somebody edited is not.
func TestShimOfAnotherVersionWithoutARecord(t *testing.T) {
	clone, o := portable(t)
	materialize(t, clone, o)
	const shim = ".pony/extensions/lorimer.js"
	now := read(t, clone, shim)
	must(t, os.RemoveAll(filepath.Join(clone, ".lorimer")))
	older := string(harness.Sealed([]byte(strings.Replace(now, "export default", "// older\nexport default", 1))))
	write(t, clone, shim, older)
	materialize(t, clone, o)
	if read(t, clone, shim) != now {
		t.Error("an older shim was not refreshed")
	}
	must(t, os.RemoveAll(filepath.Join(clone, ".lorimer")))
	write(t, clone, shim, strings.Replace(older, "// older", "// edited", 1))
	refused(t, clone, materializing(clone, o), shim+" is lorimer's and was changed by someone else")
}

// Git hides nothing that is committed, in whichever checkout; and the block in the exclude file is one for all checkouts.
func TestExcludeOfPortableClones(t *testing.T) {
	clone, o := portable(t)
	if p := o.excludePatterns(true); slices.ContainsFunc(p, func(x string) bool { return strings.Contains(x, "pony") }) || !slices.ContainsFunc(p, func(x string) bool { return strings.Contains(x, "settings.local.json") }) {
		t.Errorf("%q", p)
	}
	if o.portableAt(clone) {
		t.Error("portable before")
	}
	materialize(t, clone, o)
	if !o.portableAt(clone) {
		t.Error("not portable after")
	}
}
