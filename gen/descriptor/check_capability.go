package descriptor

import (
	"slices"

	"github.com/lorimer-dev/lorimer/internal/harness"
	"github.com/lorimer-dev/lorimer/internal/lazyre"
)

// anySessionEnv holds a session's id whatever the harness: whoever starts an agent may set it.
const anySessionEnv = "GT_SESSION_ID"

// capability checks what the cells of one range say against each other.
func (k *checker) capability(c Capability) {
	if c.Hooks.Text != "full" {
		for _, s := range []Str{c.Startup, c.GUPP} {
			if s.Text == "hook_injection" {
				k.want(s.Pos, "hooks: full beside it, or another strategy", "hook_injection, and hooks are %q", c.Hooks.Text)
			}
		}
	}
	if len(c.StartupCommands) > 0 && c.Startup.Text != "startup_fallback" {
		k.mend(c.Startup.Pos, "write startup: startup_fallback, or take the commands out", "startup is %q, and startup_commands are run by startup_fallback alone", c.Startup.Text)
	}
	for _, l := range c.Labels {
		k.OneOfAt(l.KeyPos, "labels has \""+l.Key+"\"", l.Key, append([]string{"name"}, harness.Cells...))
	}
	for _, s := range c.SessionIDEnv {
		if s.Text != "" && s.Text != anySessionEnv && !k.readsSession(s.Text) {
			k.want(s.Pos, "a variable of detect.session_env, or "+anySessionEnv, "session_id_env has %q, which nobody reads", s.Text)
		}
	}
}

func (k *checker) readsSession(name string) bool {
	return k.d.Detect != nil && slices.ContainsFunc(k.d.Detect.SessionEnv, func(s Str) bool { return s.Text == name })
}

// foreign is what Go's regular expressions have and JavaScript's have not, or read as something else.
var foreign = lazyre.Pattern{Expr: `\(\?|\\[AzQEpPC]|\[\[:`}

// sign checks that a predicate on the environment can be a sign, and is the same one to Go and to JavaScript.
func (k *checker) sign(p Predicate) {
	switch {
	case p.Absent:
		k.want(p.Pos, "in, not_in, match or present", "%q is absent nearly everywhere, so that is no sign of this harness", p.Key.Text)
	case p.Match.Set() && foreign.Re().MatchString(p.Match.Text):
		k.want(p.Match.Pos, "what Go and JavaScript read alike: no (?, \\A, \\z, \\Q, \\p and [[:class:]]", "the environment is tested by both, and %q is not the same to them", p.Match.Text)
	}
}
