package descriptor

// Events is the list of event rows: of one kind or the other, as the descriptor is generative or external.
type Events struct {
	Pos        Pos
	Generative []GenerativeRow // of a descriptor with shim
	External   []ExternalRow   // of one with hooks
}

// GenerativeRow is what one handler in the agent's process does. Several rows may share a host event (they run in the
// file's order, in one handler), and several host events may mean one neutral event.
//
// In scope in every snippet: the module's parameters, the defined names, rt, mode, cap, the channel's arguments (or what
// it lets), and session.
type GenerativeRow struct {
	Pos     Pos    `yaml:"-"`
	Comment string `yaml:"-"` // YAML comment of the row, for the generated code

	Host Str     `yaml:"host,required"` // the host's event
	Via  Str     `yaml:"via"`           // channel; may be left out when there is one alone, or one named ext
	Args []Param `yaml:"args"`          // parameters of this handler, when they are not the channel's (opencode: config)

	Event  EventName `yaml:"event"`                  // the neutral event; absent: the row only acts
	Form   Str       `yaml:"form" enum:"async|sync"` // sync: answer before the handler awaits anything (opencode run); absent: async
	After  EventName `yaml:"after"`                  // neutral event whose running dispatch is waited for first; in a row with `event` or `deliver` (opencode)
	Each   Expr      `yaml:"each"`                   // the sessions that the row is for, where the host's event is for several: each is `session` in turn (opencode: dispose)
	Parent Expr      `yaml:"parent"`                 // the parent's id, instead of session.parent (opencode: only session.created has it)
	When   Expr      `yaml:"when"`                   // the row counts only when this holds; must not await
	Do     Body      `yaml:"do"`                     // done before the dispatch, when the row counts

	Fields Map[Expr]   `yaml:"fields"` // the event's own keys of the payload
	Tool   *ToolFields `yaml:"tool"`   // tool events: the call

	Blocked   Body     `yaml:"blocked"`   // what a block does; `reason` is in scope
	Stop      Body     `yaml:"stop"`      // how the run is ended, before what a block does; `reason` is in scope
	Allow     Body     `yaml:"allow"`     // how the host's own permission check is skipped (opencode)
	Rewrite   Body     `yaml:"rewrite"`   // how the call's input is replaced; `input` is in scope
	Replace   Body     `yaml:"replace"`   // how the tool's result is replaced; `output` is in scope
	Context   *Context `yaml:"context"`   // what becomes of context
	Env       Body     `yaml:"env"`       // how the commands that the agent runs from here on get variables; `env` is in scope, name to text; SessionStart only
	Otherwise Body     `yaml:"otherwise"` // the handler's answer when no row returned one (amp: a request must be answered)
	Deliver   *Deliver `yaml:"deliver"`   // hand out context that an earlier row held

	Open   bool         `yaml:"open"`   // the rendezvous socket is opened here
	Close  bool         `yaml:"close"`  // and closed here; the load guard of `module.once` goes with it
	Cannot []EffectName `yaml:"cannot"` // effects that the host does not carry at this event, although they look possible
	Partly Str          `yaml:"partly"` // when the host has the event only sometimes: when it has not (cursor: in print mode)
}

// ToolFields says where a tool call's parts are.
type ToolFields struct {
	Pos      Pos  `yaml:"-"`
	Name     Expr `yaml:"name,required"`  // the tool's name, the host's
	Input    Expr `yaml:"input,required"` // its arguments
	UseID    Expr `yaml:"use_id"`         // what tells this call from others
	Response Expr `yaml:"response"`       // what came back; PostToolUse and PostToolUseFailure only
}

// Context is what a row does with the context that handlers gave: exactly one of the two is set.
type Context struct {
	Pos  Pos
	Do   Body // say it to the host now; `context` is in scope
	Hold Str  // keep it in this slot (written `{ hold: SLOT }`), until a `deliver` row takes it out (pi, opencode)
	Key  Expr // beside hold: what tells calls that run at the same time apart; the `deliver` row has one too (pi)
}

// Deliver hands out what was held in a slot.
type Deliver struct {
	Pos  Pos  `yaml:"-"`
	Slot Str  `yaml:"slot,required"` // the slot it was held in
	Key  Expr `yaml:"key"`           // only what was held under the same key (pi: the call's id)
	Keep bool `yaml:"keep"`          // the slot stays full: the host builds its prompt anew each time (opencode)
	With Body `yaml:"with,required"` // how it is said; `context` is in scope
}

// ExternalRow is what becomes of one event that a host reports by starting a command.
type ExternalRow struct {
	Pos     Pos    `yaml:"-"`
	Comment string `yaml:"-"` // YAML comment of the row, for the generated code

	Host  Str         `yaml:"host,required"`  // the host's event, as its hook config spells it
	Event EventName   `yaml:"event,required"` // the neutral event
	Where []Predicate `yaml:"where"`          // the row counts only when all of these hold for the payload

	Fields Map[Source] `yaml:"fields"` // the event's own keys of the payload; absent keys have the same name at the host
	Tool   *ToolPaths  `yaml:"tool"`   // tool events: the call

	Answer Map[Str]     `yaml:"answer" keys:"effect"` // effect to the name of an answer
	Cannot []EffectName `yaml:"cannot"`               // effects that the host does not carry at this event, although they look possible
	Partly Str          `yaml:"partly"`               // when the host has the event only sometimes: when it has not (cursor: in print mode)

	Group Tree `yaml:"group" tokens:"entry|event|host_event"` // this event's group, where it is not hooks.group (antigravity: tool events have a matcher)
	Entry Tree `yaml:"entry"`                                 // object merged into this event's entry (cursor: a stop has a loop limit of its own)

	Later  EventName   `yaml:"later"`  // the event of the same tool call with whose answer this one's context is given, where the host takes none here (gemini: PreToolUse's with PostToolUse)
	Brings []EventName `yaml:"brings"` // events that are hooked together with this one, even where no handler wants them: what the loop guard has to see (gemini: Stop brings UserPromptSubmit)
	Wrong  []Str       `yaml:"wrong"`  // the event's own keys in which the host cannot be believed: they are left out. stop_hook_active is then Lorimer's own (gemini says false again after a tool call)
}

// ToolPaths says where a tool call's parts are in the host's payload.
type ToolPaths struct {
	Pos      Pos    `yaml:"-"`
	Name     Source `yaml:"name,required"`  // the tool's name, the host's
	Input    Source `yaml:"input,required"` // its arguments
	UseID    Source `yaml:"use_id"`         // what tells this call from others
	Response Source `yaml:"response"`       // what came back; PostToolUse and PostToolUseFailure only
}

// Source is where one key's value comes from: a path, a list of paths of which the first with a value wins, or a mapping
// `{ path: P, values: { new: startup } }` or `{ value: TEXT }`.
type Source struct {
	Pos    Pos
	Paths  []Path   // empty when Value is set
	Values Map[Str] // the host's word to Claude's (copilot: new is startup); others pass unchanged
	Cut    Regexp   // what is taken out of the text
	Value  Str      // a constant
}

// Set says whether the key was there.
func (s Source) Set() bool { return !s.Pos.IsZero() }
