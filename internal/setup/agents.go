package setup

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/lorimer-dev/lorimer/internal/harness"
)

// Agent is one harness that shows itself on this machine or in the clone.
type Agent struct {
	ID        string `json:"id"`
	Name      string `json:"name"`
	Program   string `json:"program,omitempty"` // its path; absent: it is not on PATH
	Files     string `json:"files,omitempty"`   // by which it shows itself in the clone
	Version   string `json:"version,omitempty"` // absent: unknown
	Certified string `json:"certified,omitempty"`
	Hookable  bool   `json:"hookable"`
	Served    bool   `json:"served"` // it gets hooks

	home string // its own directory below the user's home
}

// versionLimit is how long a program may take to say its version: some load all that they are for it, on a machine that is busy.
const versionLimit = 20 * time.Second

// agents looks for every harness of the table: on PATH, in the clone, in the user's home.
func (c *Command) agents(ctx context.Context, root string) (all []Agent) {
	for _, h := range c.Table {
		a := Agent{ID: h.ID, Name: h.Name, Certified: h.Certified, Hookable: h.Shim != nil || h.Hooks != nil}
		a.Program = c.program(h)
		for _, f := range h.Found.Files {
			if exists(filepath.Join(root, filepath.FromSlash(f))) {
				a.Files = f
			}
		}
		if d := ownDir(h); d != "" && exists(filepath.Join(c.userHome(), filepath.FromSlash(d))) {
			a.home = d
		}
		named := slices.Contains(c.Only, h.ID)
		a.Served = a.Hookable && (named || len(c.Only) == 0 && (a.Program != "" || a.Files != ""))
		if !named && a.Program == "" && a.Files == "" && (a.home == "" || !a.Hookable) {
			continue
		}
		a.Version = c.version(ctx, h.ID, a.Program)
		all = append(all, a)
	}
	return all
}

// program is where the harness's executable lies; "" = not on PATH.
func (c *Command) program(h *harness.Harness) string {
	look := c.LookPath
	if look == nil {
		look = exec.LookPath
	}
	for _, exe := range h.Found.Exe {
		if path, err := look(exe); err == nil {
			return path
		}
	}
	return ""
}

// ownDir is the directory below the user's home in which a harness keeps its own: the first part of where it reads hooks from,
// and of what lies in .config the first two.
func ownDir(h *harness.Harness) string {
	file := ""
	switch {
	case h.Shim != nil:
		file = h.Shim.User
	case h.Hooks != nil:
		file = h.Hooks.User
	}
	parts := strings.Split(file, "/")
	n := 1
	if parts[0] == ".config" {
		n = 2
	}
	if len(parts) <= n {
		return ""
	}
	return strings.Join(parts[:n], "/")
}

// version asks the program, where it is known how; "" = unknown.
func (c *Command) version(ctx context.Context, id, program string) string {
	i := slices.IndexFunc(c.Certified, func(x *harness.Certified) bool { return x.ID == id })
	if i < 0 || program == "" || len(c.Certified[i].VersionArgv) == 0 {
		return ""
	}
	known := c.Certified[i]
	re, err := regexp.Compile("(?m)" + known.Pattern)
	if err != nil {
		return ""
	}
	ctx, cancel := context.WithTimeout(ctx, versionLimit)
	defer cancel()
	cmd := exec.CommandContext(ctx, program, known.VersionArgv...)
	cmd.WaitDelay = time.Second
	var said bytes.Buffer
	if cmd.Stdout = &said; known.Stderr {
		cmd.Stdout, cmd.Stderr = nil, &said
	}
	_ = cmd.Run() // what it says counts, however it ends
	if m := re.FindSubmatch(said.Bytes()); len(m) > 1 {
		return string(m[1])
	}
	return ""
}

// says is what a person is told of an agent.
func (a Agent) says() (version, where string) {
	switch {
	case a.Version == "" && a.Certified == "":
		version = "version unknown"
	case a.Version == "":
		version = "version unknown (proven: " + a.Certified + ")"
	case a.Version == a.Certified:
		version = a.Version + " (proven)"
	case a.Certified == "":
		version = a.Version
	default:
		version = fmt.Sprintf("%s (proven: %s)", a.Version, a.Certified)
	}
	switch {
	case a.Program != "":
		where = a.Program
	case a.Files != "":
		where = "not on PATH; " + a.Files + " is in the clone"
	case a.home != "":
		where = "not on PATH; ~/" + a.home + " is there"
	default:
		where = "not found; you named it"
	}
	switch {
	case !a.Hookable:
		where += "; it can be recognised, but not be hooked yet"
	case !a.Served:
		where += "; left out, --harness " + a.ID + " takes it in"
	}
	return version, where
}

// noAgent is what is said where no agent would be served.
func (c *Command) noAgent(all []Agent) error {
	var looked, ids, here []string
	for _, h := range c.Table {
		if h.Shim != nil || h.Hooks != nil {
			looked, ids = append(looked, h.Found.Exe...), append(ids, h.ID)
		}
	}
	for _, a := range all {
		_, where := a.says()
		here = append(here, fmt.Sprintf("\n  %s: %s", a.Name, where))
	}
	return fmt.Errorf("no coding agent is found that hooks can be put into: expected one of %s on PATH, or its files in the clone; install one, "+
		"or name those to serve all the same, for example --harness %s%s", strings.Join(looked, ", "), ids[0], strings.Join(here, ""))
}

func (c *Command) userHome() string {
	if c.UserHome != "" {
		return c.UserHome
	}
	home, _ := os.UserHomeDir() // unknown: then nothing is found in it
	return home
}

func (c *Command) getenv(name string) string { return os.Getenv(name) }

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}
