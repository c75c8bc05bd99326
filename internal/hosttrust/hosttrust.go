// Package hosttrust asks an agent which of its hooks it trusts, and has it trust some: some agents run no hook that their user
// has not agreed to, and say nothing of those that they pass over. The agent's own program is asked, and writes its own files;
// how is data of its descriptor (harness.TrustAsk). A hook counts as ours when what it starts is, to the letter, what
// materialize wrote: nothing else is ever trusted on the way.
package hosttrust

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"slices"
	"strings"
	"time"

	"github.com/tidwall/gjson"

	"github.com/lorimer-dev/lorimer/internal/harness"
)

// limit is how long the agent's program may take for all of it.
const limit = 30 * time.Second

// Asker asks the program of one agent.
type Asker struct {
	Harness *harness.Harness
	Program string   // its path; empty = it is looked for on PATH
	Script  []string // what comes first behind it, where it is an interpreter
	Env     []string // its whole environment; nil = ours
	Root    string   // the clone
}

// ErrNoProgram says that the agent's program is not there, so that nobody can be asked.
var ErrNoProgram = errors.New("its program is not on PATH")

// Hook is one of ours as the agent sees it.
type Hook struct {
	Command string
	Trusted bool
	key     string
	hash    string
}

// Look returns what the agent makes of each of the commands; one that it does not see at all is not trusted.
func (a Asker) Look(ctx context.Context, commands []string) ([]Hook, error) {
	s, err := a.open(ctx)
	if err != nil {
		return nil, err
	}
	defer s.close()
	return a.look(s, commands)
}

// Grant has the agent trust those of the commands that it does not, and returns how many these were.
func (a Asker) Grant(ctx context.Context, commands []string) (granted int, err error) {
	s, err := a.open(ctx)
	if err != nil {
		return 0, err
	}
	defer s.close()
	hooks, err := a.look(s, commands)
	if err != nil {
		return 0, err
	}
	var grants harness.Payload
	for _, h := range hooks {
		switch {
		case h.Trusted:
		case h.key == "" || h.hash == "":
			return 0, fmt.Errorf("%s does not see the hook %s in %s; is the project trusted?", a.Harness.Name, h.Command, a.Root)
		default:
			grants.Raw(h.key, strings.ReplaceAll(a.ask().Grant, "{hash}", inner(h.hash)))
			granted++
		}
	}
	if granted == 0 {
		return 0, nil
	}
	if _, err := s.call(a.ask().Write, strings.NewReplacer(`"{grants}"`, string(grants.Bytes()))); err != nil {
		return 0, err
	}
	if hooks, err = a.look(s, commands); err == nil && len(Untrusted(hooks)) > 0 {
		err = fmt.Errorf("%s was told to trust the hooks, and does not", a.Harness.Name)
	}
	return granted, err
}

// Untrusted are those that the agent does not run.
func Untrusted(hooks []Hook) []Hook {
	return slices.DeleteFunc(slices.Clone(hooks), func(h Hook) bool { return h.Trusted })
}

func (a Asker) ask() *harness.TrustAsk { return a.Harness.TrustAsk }

func (a Asker) open(ctx context.Context) (*session, error) {
	program := a.Program
	for _, exe := range a.Harness.Found.Exe {
		if path, err := exec.LookPath(exe); err == nil && program == "" {
			program = path
		}
	}
	if program == "" {
		return nil, ErrNoProgram
	}
	s, err := start(ctx, slices.Concat([]string{program}, a.Script, a.ask().Argv), a.Env, a.Root)
	if err != nil {
		return nil, err
	}
	for _, m := range a.ask().Open {
		if _, err := s.call(m, strings.NewReplacer()); err != nil {
			s.close()
			return nil, err
		}
	}
	return s, nil
}

// look asks for all hooks and picks ours.
func (a Asker) look(s *session, commands []string) ([]Hook, error) {
	result, err := s.call(a.ask().List, strings.NewReplacer("{root}", inner(a.Root)))
	if err != nil {
		return nil, err
	}
	items := result.Get(a.ask().Items)
	if !items.IsArray() {
		return nil, fmt.Errorf("%s lists no hooks at %q of its answer to %s; it may be of another version", a.Harness.Name, a.ask().Items, a.ask().List.Method)
	}
	hooks := make([]Hook, 0, len(commands))
	for _, c := range commands {
		hooks = append(hooks, a.find(items, c))
	}
	return hooks, nil
}

// find returns the hook that starts the command: of several one that is not trusted, since each of them counts.
func (a Asker) find(items gjson.Result, command string) (found Hook) {
	found = Hook{Command: command}
	for _, x := range items.Array() {
		if x.Get(a.ask().Command).String() != command {
			continue
		}
		trusted := harness.AllHold(a.ask().Trusted, func(key string) (string, bool) { v := x.Get(key); return v.String(), v.Exists() })
		if found.key == "" || !trusted {
			found = Hook{command, trusted, x.Get(a.ask().Key).String(), x.Get(a.ask().Hash).String()}
		}
	}
	return found
}

// inner is a text as it stands inside a JSON string.
func inner(text string) string {
	q := harness.Quoted(text)
	return q[1 : len(q)-1]
}

// Distrusts says what keeps an agent from running our hooks, or "", and how it sees each; known is false where nobody can be
// asked.
func (a Asker) Distrusts(ctx context.Context, commands []string) (hooks []Hook, why string, known bool) {
	if a.ask() == nil || len(commands) == 0 {
		return nil, "", false
	}
	hooks, err := a.Look(ctx, commands)
	if errors.Is(err, ErrNoProgram) {
		return nil, "", false
	}
	if err != nil {
		return nil, "it cannot be told which hooks " + a.Harness.Name + " trusts: " + err.Error(), true
	}
	if n := len(Untrusted(hooks)); n > 0 {
		return hooks, fmt.Sprintf("%s does not trust %d of %d hooks, so it does not run them, and says nothing of it", a.Harness.Name, n, len(hooks)), true
	}
	return hooks, "", true
}
