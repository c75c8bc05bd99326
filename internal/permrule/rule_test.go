package permrule

import "testing"

// What the real program does, from the measurements of e2e/settings_test.go.
func TestCommands(t *testing.T) {
	for _, c := range []struct {
		rule, line string
		want       bool
	}{
		{"Bash", "echo x", true}, {"Bash(echo *)", "echo x", true}, {"Bash(echo:*)", "echo x", true}, {"Bash(echo x)", "echo x", true},
		{"Bash(*x)", "echo x", true}, {"Bash(rm *)", "echo x", false}, {"Read", "echo x", false}, {"bash(echo *)", "echo x", false},
		{"Bash(echo)", "echo x", false}, {"Bash()", "echo x", true}, {"Bash(*)", "echo x", true}, {"nonsense(", "echo x", false},
		{"Bash(echo*)", "echo x", true}, {"*", "echo x", false}, {"Bash|Write", "echo x", false}, {"Bash(ec*)", "echo x", true},
		{"Bash(true *)", "true", true}, {"Bash(true:*)", "true", true}, {"Bash(true*)", "true", true}, {"Bash( true)", "true", true}, {"Bash(TRUE)", "true", false},
		{"Bash(rm *)", "if true; then rm -f n; fi", true}, {"Bash(rm *)", "timeout 5 rm -f n", false}, {"Bash(rm *)", "echo 'a; rm x'", false},
		{"Bash(rm *)", `\rm -f n`, true}, {"Bash(rm *)", `'rm' -f n`, true}, {"Bash(rm *)", "env rm -f n", false}, {"Bash(rm *)", "sudo rm -f n", false},
		{"Bash(rm *)", "echo n | xargs rm -f", true}, {"Bash(rm *)", "A=1 B=2 rm -f n", true}, {"Bash(A=1 *)", "A=1 B=2 rm -f n", false},
		{"Bash(rm *)", "/bin/rm -f n", false}, {"Bash(rm *)", "(rm -f n)", true}, {"Bash(rm *)", "while false; do rm -f n; done", true},
		{"Bash(rm *)", "! rm -f n", true}, {"Bash(rm *)", "true # rm x", false}, {"Bash(rm *)", `true "$(rm -f n)"`, true},
		{"Bash(rm *)", `true '$(rm -f n)'`, false}, {"Bash(rm *)", "rm -f n &", true}, {"Bash(rm *)", "  rm   -f n", true},
		{"Bash(rm *)", "true $X", false}, {"Bash(rm *)", "true $((1+1))", false}, {"Bash(rm *)", "rm \\\n -f n", true},
		{"Bash(rm *)", "for i in 1; do rm -f n; done", true}, {"Bash(echo *)", "for i in 1; do rm -f n; done", false},
		{"Bash(rm *)", ">/dev/null rm -f n", true}, {"Bash(rm -f n)", "rm -f n 2>/dev/null", true}, {"Bash(rm -f n)", "rm -f n &>x", true},
		{"Bash(rm *)", "X=$(rm -f n)", true}, {"Bash(rm *)", "cd . && rm -f n", true}, {"Bash(rm *)", "true *", false}, {"Bash(rm *)", "X=5", false},
		{"Bash(rm *)", "true\nrm -f x", true}, {"Bash(expr *)", "echo `expr 1 + 1`", true}, {"Bash(true && *)", "true && echo x", false},
		{`Bash(rm -f "n")`, `rm -f "n"`, false}, {"Bash(rm -f n)", `rm -f "n"`, true}, {"Bash(rm -f n:*)", `rm -f "n"`, true},
		{"Bash(rm -f :*)", `rm -f "n"`, false}, {"Bash(rm:* n)", `rm -f "n"`, false}, {"Bash(r?)", "rm", false}, {"Bash(rm:*)", "rmdir x", false},
		{"Bash(rm *)", "rmdir x", false},
		// What this reader does not follow fits, whatever the rule; Claude says the same.
		{"Bash(rm *)", "{ true; }", true}, {"Bash(rm *)", "f() { true; }; f", true}, {"Bash(rm *)", "cat <<EOF\nx\nEOF", true},
		{"Bash(rm *)", "cat <(true)", true}, {"Bash(rm *)", "case a in a) true;; esac", true}, {"Bash(rm *)", "true $'a'", true},
		{"Bash(rm *)", "true ${HOME}", true}, {"Bash(rm *)", "X=true; $X -f n", false}, {"Bash(rm *)", "true 'unclosed", false},
	} {
		if got := Fits(c.rule, Call{Tools: []string{"Bash"}, Command: c.line}); got != c.want {
			t.Errorf("%s, %q: %v", c.rule, c.line, got)
		}
	}
}

func TestFiles(t *testing.T) {
	for file, rules := range map[string]map[string]bool{
		"/home/u/p/src/deep/b.ts": {
			"*.ts": true, "src/**": true, "src/*.ts": false, "/src/*": true, "src/**/*.ts": true, "deep/**": false, "**/deep/*.ts": true,
			"src/*": true, "*.{ts,tsx}": false, "/**/b.ts": true, "/b.ts": false, "~/p/**": true, "deep": true, "src/deep": true,
			"deep/b.ts": false, "b.*": true, "/deep/**": false, "src/[a-z]*/b.ts": true, "src/dee?/b.ts": true, "//home/**": true,
			"SRC/**": true, "!src/**": false, "../**": false, "": true, " src/**": false, "b.ts:*": false, "./src/**": true, "src/": true, "b.ts/": false,
		},
		"/home/u/out.ts": {"*.ts": true, "/tmp/**": false, "//home/**": true, "**": true, "~/**": true, "p/**": false, "../**": false, "../*.ts": false},
	} {
		for rule, want := range rules {
			call := Call{Tools: []string{"Write"}, Files: []string{file}, Root: "/home/u/p", Home: "/home/u"}
			if got := Fits("Write("+rule+")", call); got != want {
				t.Errorf("Write(%s), %s: %v", rule, file, got)
			}
			if Fits("Edit("+rule+")", call) {
				t.Errorf("Edit(%s) fits a Write", rule)
			}
		}
	}
}

func TestOtherTools(t *testing.T) {
	mcp := Call{Tools: []string{"mcp__srv__tool"}}
	for rule, want := range map[string]bool{"mcp__srv__tool": true, "mcp__srv": true, "mcp__sr": false, "Bash": false} {
		if got := Fits(rule, mcp); got != want {
			t.Errorf("%s: %v", rule, got)
		}
	}
	if !Fits("Agent(x)", Call{Tools: []string{"Task", "Agent"}}) {
		t.Error("a rule about something that is not known here does not fit")
	}
}

// No line may make the reader panic or run for ever.
func FuzzCommands(f *testing.F) {
	f.Add("rm *", "a && $(b `c`) \"$(d)\" 'e' >f 2>&1 # g")
	f.Add("*", "((((")
	f.Fuzz(func(t *testing.T, pattern, line string) {
		Fits("Bash("+pattern+")", Call{Tools: []string{"Bash"}, Command: line})
	})
}

// What was not measured of a test in double brackets, and a word whose end is not known, fits rather than not.
func TestTestsAndOpenQuotes(t *testing.T) {
	for line, fits := range map[string]map[string]bool{
		"[[ -f x ]] && rm n":       {"Bash(rm *)": true, "Bash([[ *)": true, "Bash(zz *)": false},
		"[[ -f x > y ]]; true":     {"Bash(zz *)": true},
		"[[ -f x && -f y ]]; true": {"Bash(zz *)": true},
		"[[ -f $x ]] && true":      {"Bash(zz *)": true},
		"rm 'a b":                  {"Bash(rm *)": true, "Bash(rm a*)": true, "Bash(rm a b)": false, "Bash(zz *)": false},
	} {
		for rule, want := range fits {
			if got := Fits(rule, Call{Tools: []string{"Bash"}, Command: line}); got != want {
				t.Errorf("%q: %s fits: %v", line, rule, got)
			}
		}
	}
}
