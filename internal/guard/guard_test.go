package guard

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/lorimer-dev/lorimer/internal/harness"
)

// world is a clone below a home, with two harnesses, and a link into our directory.
func world(t *testing.T) (g Guard, root, home string) {
	t.Helper()
	home, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	root = filepath.Join(home, "clone")
	if err := os.MkdirAll(filepath.Join(root, ".lorimer"), 0o700); err != nil {
		t.Fatal(err)
	}
	for _, file := range []string{".lorimer/manifest.json", ".ext/settings.json"} {
		path := filepath.Join(root, filepath.FromSlash(file))
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, nil, 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink(".lorimer", filepath.Join(root, "link")); err != nil {
		t.Skip(err)
	}
	table := []*harness.Harness{
		{Shim: &harness.Shim{Project: ".gen/lorimer.js", User: ".gen/agent/lorimer.js"}},
		{Hooks: &harness.Hooks{Local: ".ext/local.json", Shared: ".ext/settings.json", User: ".ext/settings.json"}},
		{},
	}
	return New(table, Places{Root: root, Home: home, State: filepath.Join(home, "state"), Sources: []string{"conf/hooks.yaml"}}), root, home
}

func TestFiles(t *testing.T) {
	g, root, home := world(t)
	for file, refused := range map[string]bool{
		".lorimer/manifest.json": true, ".lorimer/new/file": true, ".lorimer": true, "./src/../.lorimer/owned.json": true,
		"link/manifest.json": true, ".LORIMER/manifest.json": true, "lorimer.yaml": true, "conf/hooks.yaml": true,
		".gen/lorimer.js": true, ".ext/local.json": true, ".ext/settings.json": true,
		filepath.Join(root, ".ext", "settings.json"): true, filepath.Join(home, ".ext", "settings.json"): true,
		"~/.gen/agent/lorimer.js": true, filepath.Join(home, "state", "trusted", "x.json"): true,

		"src/main.go": false, ".ext/notes.md": false, ".gen/other.js": false, "lorimer.yaml.md": false, ".lorimerx/a": false,
		"sub/lorimer.yaml": false, "~/.gen/agent/other.js": false, "": false, ".": false, home: false,
	} {
		for _, tool := range []string{"Write", "Edit", "NotebookEdit", "apply_patch", "mcp__fs__write_file", "mcp__fs__reader_delete", "mcp__fs__search_and_replace", "find_replace", "mcp__getter__apply"} {
			got := g.Refuses(tool, []string{"src/a", file}, "", root)
			if (got != "") != refused || refused && (!strings.HasPrefix(got, file) || !strings.Contains(got, "self_protect: false")) {
				t.Errorf("%s of %s: %q", tool, file, got)
			}
		}
		for _, tool := range []string{"Read", "Grep", "LS", "mcp__fs__read_file", "mcp__a__b__get", "mcp__fs__readFile", "mcp__fs__list-dir", "read_many_files", "view", "mcp__editor__read_file", "mcp__fs__directory_tree"} {
			if got := g.Refuses(tool, []string{file}, "", root); got != "" {
				t.Errorf("%s of %s: %s", tool, file, got)
			}
		}
	}
}

func TestCommands(t *testing.T) {
	g, root, _ := world(t)
	for line, word := range map[string]string{
		"lorimer off":                            "`lorimer off`",
		"lorimer clean .":                        "`lorimer clean`",
		"cd /x && ./bin/lorimer trust":           "`lorimer trust`",
		"true;lorimer off":                       "`lorimer off`",
		"make test || lorimer off --for 1h":      "`lorimer off`",
		"echo x\nlorimer off":                    "`lorimer off`",
		"LORIMER_HOME=/x sudo -E lorimer off":    "`lorimer off`",
		"timeout 5 lorimer off":                  "`lorimer off`",
		`bash -c "lorimer off"`:                  "`lorimer off`",
		`sh -c 'bash -c "lorimer clean"'`:        "`lorimer clean`",
		`eval lorimer off`:                       "`lorimer off`",
		"echo $(lorimer off)":                    "`lorimer off`",
		"echo `lorimer off`":                     "`lorimer off`",
		`echo "now: $(lorimer off)"`:             "`lorimer off`",
		`'lorimer' "off"`:                        "`lorimer off`",
		"lorimer --json off":                     "`lorimer off`",
		"lorimer --clone /x off":                 "`lorimer off`",
		"if true; then lorimer off; fi":          "`lorimer off`",
		"{ lorimer off; }":                       "`lorimer off`",
		`C:\bin\lorimer.exe off`:                 "", // to a POSIX shell that is C:binlorimer.exe
		"lorimer.exe off":                        "`lorimer off`",
		"lorimer materialize --config /tmp/x":    "`lorimer materialize`",
		"lorimer materialize":                    "`lorimer materialize`",
		"git pull && lorimer sync ~/src/*":       "`lorimer sync`",
		"lorimer init --yes":                     "`lorimer init`",
		"lorimer clean -- --dry-run":             "`lorimer clean`",
		"lorimer off --dry-run --dry-run=false":  "`lorimer off`",
		"lorimer materialize clean":              "`lorimer materialize`",
		"rm -rf .lorimer":                        ".lorimer is",
		"rm -rf .ext":                            ".ext is",
		"rm -rf .":                               ". is",
		"rm -f .lorimer/*":                       ".lorimer/* is",
		"mv .ext /tmp":                           ".ext is",
		"mv x lorimer.yaml":                      "lorimer.yaml is",
		"cp x .ext/settings.json":                ".ext/settings.json is",
		"echo '{}' > .ext/settings.json":         ".ext/settings.json is",
		"echo '{}' 1>>.ext/settings.json":        ".ext/settings.json is",
		"echo x | tee -a lorimer.yaml":           "lorimer.yaml is",
		"sed -i s/a/b/ lorimer.yaml":             "lorimer.yaml is",
		"perl -pi -e s/a/b/ lorimer.yaml":        "lorimer.yaml is",
		"dd if=/dev/null of=lorimer.yaml":        "of=lorimer.yaml is",
		"cd .lorimer && rm manifest.json":        "manifest.json is",
		`rm "$CLAUDE_PROJECT_DIR/.lorimer/x"`:    "$CLAUDE_PROJECT_DIR/.lorimer/x is",
		"rm ~/.ext/settings.json":                "~/.ext/settings.json is",
		"rm ${HOME}/.ext/settings.json":          "${HOME}/.ext/settings.json is",
		"chmod 000 .lorimer/manifest.json":       ".lorimer/manifest.json is",
		"ls; rm -rf node_modules; unlink link/a": "link/a is",

		"rm -rf /": "", "rm -rf ..": "", "rm -rf ../clone/.": "../clone/. is",

		"lorimer status": "", "lorimer check": "", "lorimer materialize --dry-run .": "", "lorimer trust . --dry-run": "", "lorimer check materialize": "", "lorimer": "", "lorimer on": "",
		`git commit -m "lorimer off; lorimer clean"`: "", "echo lorimer off": "", "grep lorimer off": "", "man lorimer": "",
		"cat .lorimer/manifest.json": "", "cp .ext/settings.json /tmp/backup": "", "grep -r x .lorimer": "",
		"sed -n p lorimer.yaml": "", "diff lorimer.yaml x > out": "", "ls .ext 2>&1": "", "rm -rf node_modules": "",
		"mv a b .": "", "cp -r a .": "", "ls > /dev/null": "", "make clean": "", "git add lorimer.yaml": "", "": "",
		"'": "", `"`: "", `\`: "", "a >": "", "((((": "", "cat < lorimer.yaml": "", "echo 'rm -rf .lorimer'": "",
	} {
		judge(t, g, root, line, word)
	}
}

// judge gives a line to a shell: word begins the reason why it is refused, "" = it is not.
func judge(t *testing.T, g Guard, root, line, word string) {
	t.Helper()
	if got := g.Refuses("Bash", nil, line, root); (got == "") != (word == "") || !strings.HasPrefix(got, word) {
		t.Errorf("%s: %q", line, got)
	}
}

func FuzzCommands(f *testing.F) {
	f.Add(`a "b $(c 'd') \" " > e; f`)
	g := New(nil, Places{Root: "/r"})
	f.Fuzz(func(t *testing.T, line string) { g.Refuses("Bash", nil, line, "/r") }) // it ends, and does not panic
}
