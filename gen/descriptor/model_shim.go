package descriptor

// Shim says how a generative harness loads an ESM module and what the module finds there.
type Shim struct {
	Pos      Pos          `yaml:"-"`
	File     ShimFile     `yaml:"file,required"`      // where the host looks for the module
	Module   Module       `yaml:"module,required"`    // the form of the module's entry point
	Modes    Map[Expr]    `yaml:"modes"`              // ways in which the host runs, the first that holds is `mode` (opencode: run, server)
	Channels Map[Channel] `yaml:"channels,required"`  // ways in which handlers are registered; a row names one with `via`
	Session  Session      `yaml:"session,required"`   // which session an event belongs to, by channel
	Host     Host         `yaml:"host,required"`      // how to ask the host for things and how to tell it something
	Define   Map[Expr]    `yaml:"define" keys:"name"` // helper values and functions of the module, in scope in every snippet
	Start    Body         `yaml:"start" js:"sync"`    // done once when the module is loaded, before any event (omp: settings that a stop gate needs)
}

// ShimFile is where the host looks for the module.
type ShimFile struct {
	Pos     Pos      `yaml:"-"`
	Project FilePath `yaml:"project,required" path:"clone"` // where the host looks in the clone
	User    FilePath `yaml:"user" path:"user"`              // where it looks for every project of the user
}

// Module is the form of the module's entry point.
type Module struct {
	Pos    Pos     `yaml:"-"`
	Export Str     `yaml:"export,required"` // default, or the name of a named export (opencode)
	Async  bool    `yaml:"async"`           // the entry point is an async function (opencode)
	Params []Param `yaml:"params"`          // what the host calls it with; in scope in every snippet
	Once   Expr    `yaml:"once"`            // key of a load guard: the module does its work once for each value (opencode loads twice)
}

// Channel is one way of registering a handler.
type Channel struct {
	Pos      Pos       `yaml:"-"`
	Register Str       `yaml:"register,required" enum:"call|property|bus"` // how: by a call target(name, fn); as a property of the object that the module returns; or on a bus, one property that gets every event
	Target   Expr      `yaml:"target"`                                     // call: the function, for example pi.on
	Unnamed  bool      `yaml:"unnamed"`                                    // call: target(fn), without an event name (amp: onDispose)
	Property Str       `yaml:"property"`                                   // bus: the returned object's property (opencode: event)
	Type     Expr      `yaml:"type"`                                       // bus: the event's name, which rows' `host` is compared with
	Let      Map[Expr] `yaml:"let" keys:"name"`                            // bus: names that rows see instead of the arguments
	Args     []Param   `yaml:"args"`                                       // the handler's parameters
	Awaited  bool      `yaml:"awaited"`                                    // the host waits for the handler's promise
}

// Session says, for each channel, which session an event belongs to.
type Session struct {
	Pos    Pos       `yaml:"-"`
	ID     Map[Expr] `yaml:"id,required"`       // the session's id
	Parent Map[Expr] `yaml:"parent" js:"await"` // the parent's id when this is a sub-agent, else a false value; may await (amp)
	Keep   Map[Body] `yaml:"keep" js:"sync"`    // what to remember of the event in `session` (pi: always the newest ctx)
}

// Host says how to ask the host for things and how to tell it something.
type Host struct {
	Pos        Pos  `yaml:"-"`
	Cwd        Expr `yaml:"cwd,required"` // working directory; `session` is in scope
	Transcript Expr `yaml:"transcript"`   // path of the session's transcript; `session` is in scope
	Able       Expr `yaml:"able"`         // can the session take an injected message now? `session` is in scope
	Notify     Expr `yaml:"notify"`       // show the user `text`; absent: it is a loud line
	Inject     Expr `yaml:"inject"`       // put `text` into `session` as a message; may be a promise
	Report     Expr `yaml:"report"`       // say `line` to the user, where stderr is not for that (opencode: it paints over the TUI)
	MCPServers Expr `yaml:"mcp_servers"`  // the names of the MCP servers, when tool names alone cannot be taken apart (opencode)
}
