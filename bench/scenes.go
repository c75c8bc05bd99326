package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/lorimer-dev/lorimer/golden/go/table"
	"github.com/lorimer-dev/lorimer/internal/harness"
)

// scene is a scratch clone with one handler on PreToolUse, and the things that are compared in it.
type scene struct {
	bin, work, clone string
	hello, starter   string // programs to compare with
	env              []string
}

const (
	helloSource = "package main\n\nimport \"os\"\n\nfunc main() { os.Stdout.WriteString(\"hello\\n\") }\n"
	// the least that a dispatcher written in Go can be: it starts the handler, hands it the event, and waits
	starterSource = `package main

import (
	"os"
	"os/exec"
)

func main() {
	cmd := exec.Command(os.Args[1])
	cmd.Stdin = os.Stdin
	if cmd.Run() != nil {
		os.Exit(2)
	}
}
`
	hooks = "version: 1\nharnesses: [%s]\nhandlers:\n  - name: one\n    event: PreToolUse\n    argv: [\"true\"]\n"
	// what people write instead: read the event with jq, run the handler, answer by its exit status
	bashDispatcher = `#!/bin/bash
payload=$(cat)
event=$(jq -r .hook_event_name <<<"$payload")
tool=$(jq -r .tool_name <<<"$payload")
case "$event/$tool" in PreToolUse/*) printf '%s' "$payload" | true || exit 2 ;; esac
`
	payload = `{"session_id":"bench","transcript_path":"/t.jsonl","cwd":"/","permission_mode":"default","hook_event_name":"%s",` +
		`"tool_name":"Bash","tool_input":{"command":"go test ./...","description":"Run the tests"},"tool_use_id":"toolu_1"}`
)

func prepare(bin, work string) (*scene, error) {
	s := &scene{bin: bin, work: work, clone: filepath.Join(work, "clone"), hello: filepath.Join(work, "hello"), starter: filepath.Join(work, "starter")}
	s.env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + work, "LORIMER_HOME=" + filepath.Join(work, "state")}
	files := map[string]string{
		filepath.Join(work, "src", "go.mod"):             "module bench\n\ngo 1.26\n",
		filepath.Join(work, "src", "hello", "main.go"):   helloSource,
		filepath.Join(work, "src", "starter", "main.go"): starterSource,
		filepath.Join(s.clone, "lorimer.yaml"):           fmt.Sprintf(hooks, strings.Join(hookable(), ", ")),
		s.bash():                                         bashDispatcher,
	}
	for name, text := range files {
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			return nil, err
		}
		if err := os.WriteFile(name, []byte(text), 0o755); err != nil {
			return nil, err
		}
	}
	build := exec.Command("go", "build", "-trimpath", "-ldflags", "-s -w", "-o", work, "./...")
	build.Dir, build.Env = filepath.Join(work, "src"), append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("build what is compared with: %w\n%s", err, out)
	}
	for from, to := range map[string]string{filepath.Join(bin, "lorimer-dispatch"): s.dispatcher(), s.hello: s.hello, s.starter: s.starter} {
		if err := install(from, to); err != nil {
			return nil, err
		}
	}
	return s, s.lorimer("materialize", s.clone).run()
}

// copies is how many copies of a program are run in turn. How a file lies in memory is chance, and makes a twentieth of a start.
const copies = 8

// install copies a program, as an installation does. What the linker has just written lies in memory in smaller pieces, and
// takes a tenth more to start.
func install(from, to string) error {
	program, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	for i := range copies {
		if err := os.WriteFile(copyOf(to, i), program, 0o755); err != nil {
			return err
		}
	}
	return nil
}

func copyOf(program string, i int) string { return fmt.Sprintf("%s.%d", program, i%copies) }

func (s *scene) dispatcher() string { return filepath.Join(s.work, "lorimer-dispatch") }

// hookable are the harnesses that hooks can be put into.
func hookable() (ids []string) {
	for _, h := range table.All {
		if h.Kind != harness.Bare {
			ids = append(ids, h.ID)
		}
	}
	return ids
}

// external is the first harness that speaks Claude's own payload, which the scene's payload is.
func external() string {
	for _, h := range table.All {
		if h.Kind == harness.External && h.Normalize == nil {
			return h.ID
		}
	}
	panic("the table has no harness that speaks Claude's payload")
}

func (s *scene) bash() string { return filepath.Join(s.work, "dispatch.sh") }

func (s *scene) lorimer(args ...string) command {
	return command{argv: append([]string{filepath.Join(s.bin, "lorimer")}, args...), env: s.env}
}

func (s *scene) dispatch(event string) []command {
	argv := []string{s.dispatcher(), "--root", s.clone, external(), event}
	return []command{{installed: true, argv: argv, stdin: fmt.Appendf(nil, payload, event), env: s.env}}
}

// hal asks which agent this is, below one that says so by a variable.
func (s *scene) hal(program string, args ...string) []command {
	env := append(slices.Clone(s.env), "LORIMER_HARNESS="+external())
	return []command{{argv: append([]string{filepath.Join(s.bin, program)}, args...), env: env}}
}

func (s *scene) comparisons() []comparison {
	hello := command{installed: true, argv: []string{s.hello}, env: s.env}
	all := []comparison{
		{what: "dispatch, no handler for the event", against: "a static Go hello", goal: "1.5", a: s.dispatch("PostToolUse"), b: []command{hello}},
		{what: "dispatch, one `true` handler", against: "hello, then `true`", goal: "1.2", a: s.dispatch("PreToolUse"),
			b: []command{hello, {argv: []string{"true"}, env: s.env}}},
	}
	all = append(all, comparison{what: "dispatch, one `true` handler", against: "a Go program that starts it and waits", a: s.dispatch("PreToolUse"),
		b: []command{{installed: true, argv: []string{s.starter, "true"}, stdin: fmt.Appendf(nil, payload, "PreToolUse"), env: s.env}}})
	if _, err := exec.LookPath("jq"); err == nil {
		script := command{argv: []string{"bash", s.bash()}, stdin: fmt.Appendf(nil, payload, "PreToolUse"), env: s.env}
		all = append(all, comparison{what: "dispatch, one `true` handler", against: "bash + jq, one `true`", goal: "below 1", a: s.dispatch("PreToolUse"), b: []command{script}})
	} else {
		fmt.Fprintln(os.Stderr, "bench: SKIPPED bash + jq: no jq on PATH")
	}
	return append(all,
		comparison{what: "`lorimer-hal detect`, by the environment", against: "hello", goal: "2", a: s.hal("lorimer-hal", "detect"), b: []command{hello}},
		comparison{what: "`lorimer hal detect`, by the environment", against: "hello", goal: "2", a: s.hal("lorimer", "hal", "detect"), b: []command{hello}},
		comparison{what: "`lorimer check`, one clone, nothing changed", against: "hello", a: []command{s.lorimer("check", s.clone)}, b: []command{hello}, every: 3},
		comparison{what: "`lorimer generate`, cold", against: "hello", a: []command{s.lorimer("generate", "--out", "-")}, b: []command{hello}, every: 10},
	)
}
