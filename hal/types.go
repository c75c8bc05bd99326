package hal

import (
	"github.com/lorimer-dev/lorimer/golden/go/runtimes"
	"github.com/lorimer-dev/lorimer/internal/harness"
	"github.com/lorimer-dev/lorimer/internal/sense"
)

// RuntimeProvider is the id of a coding agent that can be recognised, one of Providers, or Unknown.
type RuntimeProvider string

// Unknown is a runtime that was not recognised.
const Unknown RuntimeProvider = sense.Unknown

// Providers returns all that DetectProvider can return, in the order in which they are asked; Unknown is the last.
func Providers() (all []RuntimeProvider) {
	for _, r := range runtimes.All {
		all = append(all, RuntimeProvider(r.ID))
	}
	return all
}

// StartupStrategy is how an agent gets its first context: HookInjection, StartupFallback or Polling.
type StartupStrategy string

// GUPPStrategy is how an agent is held to its rules: HookInjection, StartupFallback, PromptPreamble or Polling.
type GUPPStrategy string

// The words of both strategies are untyped, because they share them.
const (
	HookInjection   = sense.HookInjection   // a hook of the runtime brings it
	StartupFallback = sense.StartupFallback // commands that are run at the start bring it
	PromptPreamble  = sense.PromptPreamble  // it stands before the prompt; weaker, because the agent may ignore it
	Polling         = sense.Polling         // the agent looks for it
)

// AgentRole is the role of an agent.
type AgentRole string

// All roles. Polecat, Witness, Refinery, Deacon and Boot work without a person.
const (
	Mayor    AgentRole = "mayor"
	Witness  AgentRole = "witness"
	Refinery AgentRole = "refinery"
	Polecat  AgentRole = "polecat"
	Crew     AgentRole = "crew"
	Deacon   AgentRole = "deacon"
	Boot     AgentRole = "boot"
)

// Roles returns all roles.
func Roles() (all []AgentRole) {
	for _, r := range harness.Roles {
		all = append(all, AgentRole(r))
	}
	return all
}

// Detection is which runtime it is, and how that was found out.
type Detection struct {
	Provider RuntimeProvider `json:"provider"`
	By       string          `json:"by"` // the step that answered: override, environment, files, process_tree or none
	Steps    []Step          `json:"steps"`
	Warnings []string        `json:"warnings"`
}

// Step is one step of the cascade.
type Step struct {
	Name   string          `json:"step"`
	Saw    []string        `json:"saw"` // names of variables, files and processes, never their contents
	Answer RuntimeProvider `json:"answer,omitempty"`
	Why    string          `json:"why"`
}

// Ancestor is a process as the process table has it.
type Ancestor struct {
	PID  int
	Exe  string   // path of the executable
	Args []string // the command line, the program's own name first
	Dir  string   // working directory
}
