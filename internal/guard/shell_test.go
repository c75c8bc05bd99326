package guard

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func judgeAll(t *testing.T, lines map[string]string) {
	t.Helper()
	g, root, _ := world(t)
	for line, word := range lines {
		judge(t, g, root, line, word)
	}
}

// Paths mean what they mean where the shell is by then; what a subshell does to its directory stays in it.
func TestDirectories(t *testing.T) {
	judgeAll(t, map[string]string{
		"(cd src && make); rm lorimer.yaml":               "lorimer.yaml is",
		"x=$(cd src && pwd); rm lorimer.yaml":             "lorimer.yaml is",
		"cd src && (cd ..; rm lorimer.yaml)":              "lorimer.yaml is",
		"cd -P .ext; rm settings.json":                    "settings.json is",
		"pushd .ext && rm settings.json":                  "settings.json is",
		"cd && rm .ext/settings.json":                     ".ext/settings.json is",
		"cd ~ && rm .ext/settings.json":                   ".ext/settings.json is",
		"cd src; rm ../lorimer.yaml":                      "../lorimer.yaml is",
		`rm "$(pwd)/lorimer.yaml"`:                        "$PWD/lorimer.yaml is",
		`cd src && rm $PWD/../lorimer.yaml`:               "$PWD/../lorimer.yaml is",
		"rm `git rev-parse --show-toplevel`/lorimer.yaml": "$CLAUDE_PROJECT_DIR/lorimer.yaml is",
		"rm $(echo -f) .lorimer/manifest.json":            ".lorimer/manifest.json is",
		"rm -f ./src/../link/manifest.json":               "./src/../link/manifest.json is",
		"cd link && rm manifest.json":                     "manifest.json is",

		"cd src && rm lorimer.yaml": "", "(cd .ext && rm settings.json.bak)": "", "cd -; rm a": "", "cd src && rm $PWD/lorimer.yaml": "",
		"rm $(pwd)x": "", "echo $(pwd": "", "echo \"$(pwd": "",
	})
}

// What programs write to, take away or put in another's place.
func TestPrograms(t *testing.T) {
	judgeAll(t, map[string]string{
		"cp /tmp/settings.json .ext":                    ".ext is",
		"cp a /tmp/settings.json .ext/":                 ".ext/ is",
		"mv /tmp/lorimer.yaml .":                        ". is",
		"cp -r /tmp/.lorimer .":                         ". is",
		"cp -t .lorimer a b":                            ".lorimer is",
		"mv --target-directory=.ext /tmp/settings.json": ".ext is",
		"ln -sf /dev/null .ext/settings.json":           ".ext/settings.json is",
		"ln -sf /dev/null link/manifest.json":           "link/manifest.json is",
		"install -m 600 x lorimer.yaml":                 "lorimer.yaml is",
		"rsync -a empty/ .lorimer/":                     ".lorimer/ is",
		"truncate -s 0 .lorimer/manifest.json":          ".lorimer/manifest.json is",
		"touch -- lorimer.yaml":                         "lorimer.yaml is",
		"shred lorimer.yaml":                            "lorimer.yaml is",
		"sed -i.bak -e s/a/b/ .ext/settings.json":       ".ext/settings.json is",
		"sed -Ei s/a/b/ lorimer.yaml":                   "lorimer.yaml is",
		"sed --in-place s/a/b/ lorimer.yaml":            "lorimer.yaml is",
		"perl -0pi -e s/a/b/ lorimer.yaml":              "lorimer.yaml is",
		"curl -o lorimer.yaml http://x/y":               "lorimer.yaml is",
		"curl --output lorimer.yaml http://x/y":         "lorimer.yaml is",
		"wget --output-document=lorimer.yaml http://x":  "lorimer.yaml is",
		"sort -olorimer.yaml lorimer.yaml":              "lorimer.yaml is",
		"patch lorimer.yaml x.diff":                     "lorimer.yaml is",
		"find .lorimer -type f -delete":                 ".lorimer is",
		"find .ext -name '*.json' -exec rm {} +":        ".ext is",
		"git checkout -- .ext/settings.json":            ".ext/settings.json is",
		"git checkout HEAD~1 lorimer.yaml":              "lorimer.yaml is",
		"git restore .ext":                              ".ext is",
		"git restore --staged --worktree lorimer.yaml":  "lorimer.yaml is",
		"git -C . -c a=b rm -f lorimer.yaml":            "lorimer.yaml is",
		"git -C .ext checkout settings.json":            "settings.json is",
		"git mv lorimer.yaml x":                         "lorimer.yaml is",
		"git clean -fdx .lorimer":                       ".lorimer is",
		"echo '{}' &> .ext/settings.json":               ".ext/settings.json is",
		"echo '{}' >| .ext/settings.json":               ".ext/settings.json is",
		": > $HOME/.ext/settings.json":                  "$HOME/.ext/settings.json is",

		"cp lorimer.yaml /tmp": "", "cp lorimer.yaml copy.yaml": "", "ln -s .lorimer shortcut": "", "cp a b .ext": "", "cp a": "", "mv": "",
		"rsync -t lorimer.yaml /tmp/x": "", "perl -MList::Util -ne print lorimer.yaml": "", "sed -n -e s/i/j/p lorimer.yaml": "", "sort lorimer.yaml": "",
		"find . -name '*.pyc' -delete": "", "find .lorimer -type f": "", "git checkout main": "", "git checkout .": "", "git restore --staged lorimer.yaml": "",
		"git rm --cached lorimer.yaml": "", "git clean -n .lorimer": "", "git diff lorimer.yaml": "", "git log -- .ext/settings.json": "", "git": "", "git -C": "",
		"jq . .ext/settings.json > /tmp/x": "", "head -5 lorimer.yaml | tee copy": "", "test -f lorimer.yaml && echo yes": "",
	})
}

func TestPatternsAndBraces(t *testing.T) {
	judgeAll(t, map[string]string{
		"rm -rf .lorimer*":             ".lorimer* is",
		"rm -rf .lor*/manifest.json":   ".lor*/manifest.json is",
		"rm -rf .lor*/x":               ".lor*/x is",
		"rm .ext/set*.json":            ".ext/set*.json is",
		"rm .e?t/settings.json":        ".e?t/settings.json is",
		"rm -rf .[e]*":                 ".[e]* is",
		"mv .ext/settings.json{,.bak}": ".ext/settings.json is",
		"rm {a,lorimer.yaml}":          "lorimer.yaml is",
		"rm -r .{lorimer,git}":         ".lorimer is",

		// Ours begin with a dot, and what is not there fits no pattern.
		"rm -rf *": "", "rm */settings.json": "", "rm *.yaml": "", "rm -rf .git*": "", "rm .ext/*.bak": "", "rm [": "",
		"rm {a,b}{c,d}{e,f}{g,h}{i,j}{k,l}{m,n}": "",
	})
	g, root, _ := world(t)
	if err := os.WriteFile(filepath.Join(root, "lorimer.yaml"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	judge(t, g, root, "rm *.yaml", "*.yaml is")
	judge(t, g, root, "rm -rf *", "* is")
}

// What stands before a command does not hide it.
func TestWrappers(t *testing.T) {
	judgeAll(t, map[string]string{
		"sudo -u root lorimer off":            "`lorimer off`",
		"sudo -n lorimer off":                 "`lorimer off`",
		"env -u HOME lorimer off":             "`lorimer off`",
		"env -i PATH=/bin lorimer off":        "`lorimer off`",
		"timeout -s KILL 5 lorimer off":       "`lorimer off`",
		"/usr/local/bin/lorimer off":          "`lorimer off`",
		"~/.local/bin/lorimer trust .":        "`lorimer trust`",
		"LORIMER_TRUST=1 lorimer materialize": "`lorimer materialize`",
		">/dev/null lorimer off":              "`lorimer off`",
		"for i in 1; do lorimer off; done":    "`lorimer off`",
		"f() { lorimer off; }; f":             "`lorimer off`",
		"case x in *) lorimer off;; esac":     "`lorimer off`",
		"su -c 'lorimer off'":                 "`lorimer off`",
		"sh -c \"sh -c 'lorimer off'\"":       "`lorimer off`",
		"lorimer import .":                    "`lorimer import`",
		"lorimer adopt .ext/settings.json":    "`lorimer adopt`",

		"sudo -u": "", "sudo": "", "lorimer off --help": "", "lorimer import --dry-run": "", "command -v lorimer": "", "which lorimer": "",
		"sudo grep off lorimer": "", "lorimer status --json": "", "lorimer doctor": "", "lorimer try Bash 'rm -rf x'": "", "lorimer last": "",
	})
}

// Comments are read by nobody, and here-documents by a program: only what a shell reads is run.
func TestCommentsAndHereDocuments(t *testing.T) {
	judgeAll(t, map[string]string{
		"# don't\nlorimer off # it's":                       "`lorimer off`",
		"echo a#b; lorimer off":                             "`lorimer off`",
		"cat <<EOF\nit's $(lorimer off)\nEOF":               "`lorimer off`",
		"cat <<EOF\nit's\nEOF\nlorimer off":                 "`lorimer off`",
		"bash <<'EOF'\ncd .ext\nrm settings.json\nEOF":      "settings.json is",
		"sh <<A; cat <<B\nlorimer off\nA\nlorimer clean\nB": "`lorimer off`",
		"bash <<< 'lorimer off'":                            "`lorimer off`",
		"cat > lorimer.yaml <<'EOF'\nversion: 1\nEOF":       "lorimer.yaml is",
		"tee .ext/settings.json <<EOF\n{}\nEOF":             ".ext/settings.json is",
		"git commit -m \"$(cat <<'EOF'\nDon't say \"x\"\nlorimer off\n> lorimer.yaml\nEOF\n)\" && rm lorimer.yaml": "lorimer.yaml is",
		"apply_patch <<'EOF'\n*** Begin Patch\n*** Update File: .ext/settings.json\n@@\nEOF":                       ".ext/settings.json is",
		"apply_patch '*** Begin Patch\n*** Add File: a\n*** Move to: lorimer.yaml\n'":                              "lorimer.yaml is",

		"ls # rm x; lorimer off":                       "",
		"cat > README.md <<'EOF'\nlorimer off\nEOF":    "",
		"cat <<-\"EOF\" > x\n\tlorimer off\n\tEOF\nls": "",
		"cat <<EOF\nit's \\$(lorimer off)\nEOF":        "",
		"cat <<'EOF'\n$(lorimer off)\nEOF":             "",
		"cat <<< 'lorimer off'":                        "",
		"git commit -m \"$(cat <<'EOF'\nDon't say \"x\"\nlorimer off\n> lorimer.yaml\nEOF\n)\" && git push": "",
		"apply_patch <<'EOF'\n*** Update File: a\n+*** Update File: lorimer.yaml\nEOF":                      "",
		"cat <<": "", "cat <<EOF": "", "cat <<EOF\nx": "", "<<A<<B\nA\nB": "", "cat <<-": "", "#": "", "a #": "",
	})
}

// Whatever stands in a line, it is judged in no time, and nothing panics.
func TestHostileLines(t *testing.T) {
	for _, part := range []string{"(", "$(", "`", "\"$(", "<<A\n", "{a,b}", "sh -c ", "'", "sudo -u ", "cat <<E\n$(", "rm *", "cd a;("} {
		New(nil, Places{Root: "/r"}).Refuses("Bash", nil, strings.Repeat(part, 10_000), "/r")
	}
}
