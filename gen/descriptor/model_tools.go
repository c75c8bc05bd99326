package descriptor

// Tools turns the host's tool calls into Claude's. What is not named passes through unchanged.
type Tools struct {
	Pos   Pos            `yaml:"-"`
	Names Map[Str]       `yaml:"names"` // the host's tool to Claude's
	Args  Map[Map[Str]]  `yaml:"args"`  // by the host's tool, "*" = all: the host's argument to Claude's, moved when Claude's is not there
	Paths Map[ToolFiles] `yaml:"paths"` // by the host's tool: tools that touch several files
	Text  Map[Str]       `yaml:"text"`  // external, by the host's tool: the argument that handlers are shown where a call's whole input is a text (copilot: a patch)
	Dirs  Map[Str]       `yaml:"dirs"`  // by the host's tool: the argument that names the directory in which the call works; a path in it is relative to the session's
	MCP   *MCP           `yaml:"mcp"`   // how the names of MCP tools are made

	Absolute []Str `yaml:"absolute"` // external: Claude's arguments that are paths, and that the host may leave relative to its working directory: handlers get them absolute, as from Claude (gemini: file_path)
}

// ToolFiles says where the paths of a tool that touches several files are.
type ToolFiles struct {
	Pos     Pos       `yaml:"-"`
	From    Str       `yaml:"from,required"` // argument that holds a list of paths, or a text (omp: paths; opencode: patchText)
	Pattern Regexp    `yaml:"pattern"`       // on each line of the text; group 1 is a path
	Adds    *ToolAdds `yaml:"adds"`          // how it is known that the call makes a file; absent: it makes none
}

// ToolAdds says which files a tool makes, by the text of its patch. Handlers are shown each as a call of another tool of Claude's.
type ToolAdds struct {
	Pos     Pos    `yaml:"-"`
	As      Str    `yaml:"as,required"`      // Claude's tool that makes a file: Write
	From    Str    `yaml:"from"`             // argument that holds the text; absent: that of the paths
	Pattern Regexp `yaml:"pattern,required"` // on each line of the text; group 1 is the path of a file that is made
	Line    Str    `yaml:"line"`             // what stands in front of each line of that file, in the lines behind; absent: its content is not told (windsurf)
}

// MCP says how a server's and a tool's name are known; Claude's way is mcp__server__tool.
type MCP struct {
	Pos    Pos  `yaml:"-"`
	Join   Str  `yaml:"join"`   // what stands between the two (opencode: _); an external host's names are taken apart at the last one
	Also   Str  `yaml:"also"`   // external: what stands there at some events (copilot: / where permission is asked)
	Server Path `yaml:"server"` // external: where the server's own name is in the payload of a tool call (gemini); where both are there, no name is taken apart
	Tool   Path `yaml:"tool"`   // external: and the tool's
}

// Companion is a file that should lie beside the shim. It is written only where nothing is, and taken out like the shim unless
// somebody changed it. One of the user's own is named where it is missing, and left to the user.
type Companion struct {
	Pos     Pos      `yaml:"-"`
	Path    FilePath `yaml:"path,required" path:"clone|user"` // where it lies, in the clone or below HOME
	Content Str      `yaml:"content,required"`                // its text; may be empty
	Why     Str      `yaml:"why,required"`                    // what is lost without it
	Unless  []Str    `yaml:"unless"`                          // patterns of slash paths in the clone (* within one name): not where one of them is there and not ours
}

// Skills is where the host looks for skill documents.
type Skills struct {
	Pos     Pos      `yaml:"-"`
	Project FilePath `yaml:"project" path:"clone"` // directory in the clone
	User    FilePath `yaml:"user" path:"user"`     // directory below HOME
}
