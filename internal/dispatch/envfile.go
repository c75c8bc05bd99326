package dispatch

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/lorimer-dev/lorimer/internal/harness"
	"github.com/lorimer-dev/lorimer/internal/state"
)

// At a session's start hooks may leave variables for the commands that the agent runs from there on: lines of shell, in the file that
// this variable names. Claude Code has its shell read them before each command. Other agents' commands have the agent's environment,
// so the lines are read once, and the variables that they make are given to the agent (harness.Env).
const envFile = "CLAUDE_ENV_FILE"

// envLimit is how long the lines may take.
const envLimit = 10 * time.Second

// readLines reads files of lines and prints what the environment is then. A file may end the shell; then nothing is printed.
const readLines = `for file do . "$file" >/dev/null 2>&1 </dev/null; done; env -0`

// giveEnvFiles makes a directory for the handlers' files: with the session's, where it is taken away should we not live to do it. The
// protocol's own host gives hooks a file itself.
func (c *call) giveEnvFiles() {
	own := os.Getenv(envFile) != "" && !c.binding.Has(harness.Env)
	if c.event != harness.SessionStart || own {
		return
	}
	dir := "" // where temporary files are
	if home, session := c.stateHome(), c.text("session_id"); home != "" && session != "" && c.trial == nil {
		if of := state.SessionDir(home, session); os.MkdirAll(of, 0o700) == nil {
			dir = of
		}
	}
	c.envDir, _ = os.MkdirTemp(dir, "env-") // "": then hooks have no such file
}

// envFileOf is the file of one handler: two that write at a time would write over each other.
func (c *call) envFileOf(j job) string { return filepath.Join(c.envDir, state.CaseName(j.Name)) }

func (c *call) withEnvFile(env []string, j job) []string {
	if c.envDir == "" {
		return env
	}
	return over(slices.Clone(env), []string{envFile + "=" + c.envFileOf(j)})
}

// takeEnv returns the variables that the handlers left, as JSON, "" for none. What comes of lines that no agent takes is said.
func (c *call) takeEnv() string {
	if c.envDir == "" {
		return ""
	}
	defer os.RemoveAll(c.envDir)
	var files []string
	for _, j := range c.wanted {
		if info, err := os.Stat(c.envFileOf(j)); err == nil && info.Size() > 0 {
			files = append(files, c.envFileOf(j))
		}
	}
	if len(files) == 0 || c.trial != nil {
		return ""
	}
	if !c.binding.Has(harness.Env) {
		c.say(fmt.Sprintf("%s: %s takes no variables for its commands, so what hooks wrote there is lost", envFile, c.harness.Name))
		return ""
	}
	env, err := c.readEnv(files)
	if err != nil {
		c.say(fmt.Sprintf("%s: what hooks wrote there is lost: %v", envFile, err))
	}
	return env
}

// readEnv has a shell read the files, and returns what is new in its environment.
func (c *call) readEnv(files []string) (string, error) {
	shell, err := lookPath("bash", os.Environ())
	if err != nil {
		shell = "/bin/sh"
	}
	p := program{argv: append([]string{shell, "-c", readLines, shell}, files...), dir: c.root, env: os.Environ(), timeout: envLimit}
	end, err := p.run(func() bool { return false })
	if err != nil {
		return "", err
	}
	if end.stdout.cut || len(end.stdout.kept) == 0 {
		return "", fmt.Errorf("the shell that read it has no environment to show (%s)", end.how)
	}
	before := map[string]bool{}
	for _, variable := range os.Environ() {
		before[variable] = true
	}
	variables := strings.Split(strings.TrimSuffix(end.stdout.String(), "\x00"), "\x00")
	slices.Sort(variables)
	var made harness.Payload
	for _, variable := range variables {
		if name, value, _ := strings.Cut(variable, "="); !before[variable] && !ofShell(name) {
			made.String(name, value)
		}
	}
	if made.Empty() {
		return "", nil
	}
	return string(made.Bytes()), nil
}

// ofShell are variables that a shell has of itself, its functions among them, and ours.
func ofShell(name string) bool {
	return slices.Contains([]string{"_", "SHLVL", "PWD", "OLDPWD"}, name) || strings.HasPrefix(name, "BASH_") || strings.HasPrefix(name, "LORIMER_")
}
