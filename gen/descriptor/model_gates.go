package descriptor

// Gates says which features can be locked and how the host is told, so that a locked one is physically gone.
type Gates struct {
	Pos      Pos             `yaml:"-"`
	Write    GateWrite       `yaml:"write,required"`                   // the file that carries the gate
	Catalog  Map[Map[[]Str]] `yaml:"catalog,required" keys:"/surface"` // feature to surface kind to names ("*" = all)
	Surfaces []Surface       `yaml:"surfaces,required"`                // how each kind of surface is said; the first row that fits a name counts
}

// GateWrite is the file that carries the gate, and how it is loaded so that it wins over the project's own config.
type GateWrite struct {
	Pos    Pos      `yaml:"-"`
	Path   FilePath `yaml:"path" path:"clone"`                     // file name below the gate's directory; absent when nothing but the environment carries it
	Format Str      `yaml:"format,required" enum:"json|yaml|toml"` // the syntax of the file
	Load   GateLoad `yaml:"load,required"`                         // how the host is pointed at it
}

// GateLoad is the way in which the host is pointed at the gate. At least one is set.
type GateLoad struct {
	Pos        Pos `yaml:"-"`
	Flag       Str `yaml:"flag"`        // command-line flag that takes the file (omp: --config)
	Env        Str `yaml:"env"`         // variable that names the file (omp: PI_CONFIG_FILES)
	EnvContent Str `yaml:"env_content"` // variable that holds the text itself (opencode: OPENCODE_CONFIG_CONTENT)
}

// Surface is how one kind of surface is locked or unlocked. Exactly one of Set, List and Flag is set.
type Surface struct {
	Pos   Pos   `yaml:"-"`
	Kind  Str   `yaml:"kind,required" enum:"tool|skill|mcpServer|extension|provider|approvalMode"` // what is locked
	Names []Str `yaml:"names"`                                                                     // the surfaces this row is for; absent: every one of the kind

	Set         Template `yaml:"set" tokens:"name"`       // dotted config key of one name
	Type        Str      `yaml:"type" enum:"bool|string"` // with set: what the key takes; bool: true = unlocked; absent: string
	LockedValue Str      `yaml:"locked_value"`            // with set: what a locked one gets (omp: deny)
	Order       []Str    `yaml:"order"`                   // with set: modes, the weakest first; the strongest unlocked one is written (approvalMode)

	List Str `yaml:"list"`                      // dotted config key of a list of names
	Flag Str `yaml:"flag"`                      // command-line flag that takes a list of names, joined by commas (omp: --tools)
	Of   Str `yaml:"of" enum:"locked|unlocked"` // with list and flag: which names are listed

	Also Map[Str] `yaml:"also" enum:"any"`              // dotted config keys set beside it; any: true when any name of the kind is unlocked
	File FilePath `yaml:"file" path:"clone"`            // another file, beside the gate's own, that carries this surface (omp: mcp.json)
	Says Str      `yaml:"locked" enum:"absent|refused"` // what a locked one is to the model: not there at all, or there and refused
}
