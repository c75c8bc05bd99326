package hal

import (
	"strings"

	"github.com/lorimer-dev/lorimer/gen/plan"
	"github.com/lorimer-dev/lorimer/internal/harness"
)

// declarations are the types of the module. The runtimes are those of the descriptors.
func declarations(p *plan.Plan) string {
	var ids []string
	for _, h := range p.Harnesses {
		if len(h.Capabilities) > 0 {
			ids = append(ids, h.ID.Text)
		}
	}
	return header + strings.NewReplacer("PROVIDERS_UNION", union(ids), "ROLES_UNION", union(harness.Roles)).Replace(types)
}

func union(words []string) string {
	all := make([]string, len(words))
	for i, w := range words {
		all[i] = quoted(w)
	}
	return strings.Join(all, " | ")
}

const types = `/** A coding agent that can be recognised, or "unknown". */
export type RuntimeProvider = PROVIDERS_UNION;
/** How an agent gets its first context. */
export type StartupStrategy = "hook_injection" | "startup_fallback" | "polling";
/** How an agent is held to its rules. */
export type GUPPStrategy = "hook_injection" | "startup_fallback" | "prompt_preamble" | "polling";
export type AgentRole = ROLES_UNION;

/** The interface that consumers program against. Nothing in it throws or waits. */
export interface RuntimeHAL {
  detectProvider(): RuntimeProvider;
  getStartupStrategy(): StartupStrategy;
  /** Shell lines that start an agent of the role, in their order; none unless the strategy is startup_fallback. */
  getStartupCommands(role: AgentRole): string[];
  supportsHooks(): boolean;
  supportsNudge(): boolean;
  /** Can a session be ended and taken up again with its context? */
  supportsRestart(): boolean;
  /** null says that the id is not known (yet); it says nothing about hooks. */
  getSessionId(): string | null;
  getGUPPStrategy(): GUPPStrategy;
  /** Seconds of silence after which an agent counts as stalled. */
  getStallThreshold(): number;
  /** Seconds between two nudges. */
  getNudgeInterval(): number;
  /** How the runtime was found out. */
  explain(): Detection;
  /** What was asked for and could not be done. */
  getWarnings(): string[];
}

export interface Detection {
  provider: RuntimeProvider;
  /** The step that answered. */
  by: "override" | "environment" | "files" | "process_tree" | "none";
  steps: { step: string; saw: string[]; answer?: RuntimeProvider; why: string }[];
  warnings: string[];
}

/** A process as the process table has it. */
export interface Ancestor {
  pid?: number;
  /** Path of the executable. */
  exe?: string;
  /** The command line, the program's own name first. */
  args?: string[];
  /** Working directory. */
  dir?: string;
}

export interface Options {
  /** The runtime's id, as GT_RUNTIME. */
  runtime?: string;
  /** The runtime's version, as it prints it; without one the newest is assumed. */
  runtimeVersion?: string;
  /** The environment; process.env when absent. */
  env?: Record<string, string | undefined>;
  /** The working directory; the process's own when absent. */
  cwd?: string;
  /** Our ancestors, the nearest first; the system's process table when absent. null: it cannot be read. */
  ancestors?: Ancestor[] | (() => Ancestor[]) | null;
}

/** Returns a HAL that looks at its first question, and keeps what it saw. */
export function createHAL(options?: Options): RuntimeHAL;

export const PROVIDERS: RuntimeProvider[];
export const ROLES: AgentRole[];
export const AUTONOMOUS_ROLES: AgentRole[];

// The same for this process, without making one.
export function detectProvider(): RuntimeProvider;
export function getStartupStrategy(): StartupStrategy;
export function getStartupCommands(role: AgentRole): string[];
export function supportsHooks(): boolean;
export function supportsNudge(): boolean;
export function supportsRestart(): boolean;
export function getSessionId(): string | null;
export function getGUPPStrategy(): GUPPStrategy;
export function getStallThreshold(): number;
export function getNudgeInterval(): number;
export function explain(): Detection;
export function getWarnings(): string[];
`
