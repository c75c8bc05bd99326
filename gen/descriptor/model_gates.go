package descriptor

// Gates says which features can be locked and how the host is told, so that a locked one is physically gone.
type Gates struct {
	Pos      Pos                  `yaml:"-"`
	Dir      FilePath             `yaml:"dir" path:"user"`                    // where the host keeps files of its own, among which the gate's have to be; absent: anywhere will do
	Files    Map[GateFile]        `yaml:"files"`                              // by a name of our own: what carries the gate; the first carries the surfaces that name none
	Catalogs Map[Map[Map[[]Str]]] `yaml:"catalogs,required" keys:"//surface"` // by name, the newest last, which is the one when none is asked for: feature to surface kind to names ("*" = all)
	Surfaces []Surface            `yaml:"surfaces,required"`                  // how each kind of surface is said; the first row that fits a name counts
	Prove    *GateProof           `yaml:"prove"`                              // what the installed program is asked, to see that a gate holds
}

// GateFile is one document of a gate, and how it is loaded so that it wins over what the user and the project have.
type GateFile struct {
	Pos    Pos           `yaml:"-"`
	Path   FilePath      `yaml:"path" path:"clone"`                          // file name below the gate's directory; absent when no file carries it
	Format Str           `yaml:"format,required" enum:"json|yaml"`           // its syntax; a file that is there is kept, but for our keys
	Root   Tree          `yaml:"root"`                                       // object: keys that it has in any case
	Marker bool          `yaml:"marker"`                                     // it has a key of ours, lorimer, which says whose it is (the host passes unknown keys over)
	Argv   []Template    `yaml:"argv" tokens:"file|dir"`                     // words behind the program that load it
	Env    Map[Template] `yaml:"env" tokens:"file|dir|text" keys:"variable"` // variables that load it; {text} is the document on one line
}

// Surface is how one kind of surface is locked or unlocked. Exactly one of Set, List, Flag and Argv is set.
type Surface struct {
	Pos   Pos   `yaml:"-"`
	Kind  Str   `yaml:"kind,required" enum:"tool|skill|mcpServer|extension|provider|approvalMode"` // what is locked
	Names []Str `yaml:"names"`                                                                     // the surfaces this row is for; absent: every one of the kind
	File  Str   `yaml:"file"`                                                                      // with set and list: the name of the file that carries it; absent: the first
	Says  Str   `yaml:"locked" enum:"absent|refused"`                                              // what a locked one is to the model: not there at all, or there and refused; absent: absent

	Set         Template `yaml:"set" tokens:"name"`       // dotted config key of one name
	Type        Str      `yaml:"type" enum:"bool|string"` // with set: what the key takes; bool: true = unlocked; absent: string
	LockedValue Str      `yaml:"locked_value"`            // with set: what a locked one gets (omp: deny); an unlocked one has no key then
	Order       []Str    `yaml:"order"`                   // with set: modes, the weakest first; the strongest unlocked one is written, or the weakest (approvalMode)

	List Str        `yaml:"list"`                      // dotted config key of a list
	Flag Str        `yaml:"flag"`                      // command-line flag that takes a list of names, joined by commas (pi: --exclude-tools)
	Of   Str        `yaml:"of" enum:"locked|unlocked"` // with list and flag: which names are listed
	Item Tree       `yaml:"item" tokens:"name"`        // with list and flag: what stands there for a name; absent: the name
	Argv []Template `yaml:"argv" tokens:"name"`        // words behind the program: with {name} in them for each locked name, else while all names of the row are locked (pi: --no-skills)
	Also Map[Str]   `yaml:"also" enum:"any"`           // dotted keys of the first file, set beside it; any: true when any name of the row is unlocked
}

// GateProof is what is asked of the installed program to see what a surface is to the model.
type GateProof struct {
	Pos     Pos            `yaml:"-"`
	Absent  Regexp         `yaml:"absent,required"`                        // what a call of a tool that is not there is answered
	Refused Regexp         `yaml:"refused"`                                // what a call that is refused is answered
	Argv    []Template     `yaml:"argv" tokens:"home|command|args"`        // words behind the program, so that nothing but the gate refuses (claude: --allowedTools)
	Files   Map[Tree]      `yaml:"files" tokens:"url|server|command|args"` // as those of fake.real: what is to be seen, or not; {server} is the command line of an MCP server that has one tool, ping, as a list; {command} and {args} are the same in two parts
	Probes  Map[GateProbe] `yaml:"probes,required"`                        // by capability (tool:bash): how it is seen
}

// GateProbe is how one capability is seen: by a call that the model is made to make, or by what it reads.
type GateProbe struct {
	Pos    Pos   `yaml:"-"`
	Call   Str   `yaml:"call"`               // with input: the tool that is called; absent: the capability's own
	Input  Tree  `yaml:"input" tokens:"dir"` // of a call that the model is made to make; {dir} is the working directory
	Text   Str   `yaml:"text"`               // in the answer, or without a call in some request, when it is unlocked
	With   []Str `yaml:"with"`               // capabilities without which it cannot be seen (omp: a skill of another agent's needs skill:*)
	Hidden bool  `yaml:"hidden"`             // the tool is not in the first request, although it can be called (claude: what it tells the model of later)
}
