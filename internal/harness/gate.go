package harness

import "encoding/json"

// Gate is how features of a harness are locked: a descriptor's gates section, as data. The engine has the only code.
type Gate struct {
	ID       string        `json:"id"`
	Name     string        `json:"name"` // for people
	Dir      string        `json:"dir,omitempty"`
	Files    []GateFile    `json:"files,omitempty"`
	Catalogs []GateCatalog `json:"catalogs"` // the newest last
	Surfaces []GateSurface `json:"surfaces"`
	Prove    *GateProof    `json:"prove,omitempty"` // nil: nobody has said how it is seen that a gate holds
}

// GateCatalog maps features to surfaces.
type GateCatalog struct {
	Name     string        `json:"name"`
	Features []GateFeature `json:"features"`
}

// GateFeature is what one feature unlocks.
type GateFeature struct {
	ID       string     `json:"id"`
	Surfaces []GateName `json:"surfaces"`
}

// GateName is one surface.
type GateName struct {
	Kind string `json:"kind"` // tool, skill, mcpServer, extension, provider, approvalMode
	Name string `json:"name"` // "*" = all
}

// GateFile is one document of a gate.
type GateFile struct {
	Name   string          `json:"name"`             // the descriptor's, for messages
	Path   string          `json:"path,omitempty"`   // below the gate's directory; empty: no file carries it
	Format string          `json:"format"`           // json, yaml
	Root   json.RawMessage `json:"root,omitempty"`   // object: keys that it has in any case
	Marker bool            `json:"marker,omitempty"` // a key of ours says whose it is
	Argv   []string        `json:"argv,omitempty"`   // tokens {file}, {dir}
	Env    []string        `json:"env,omitempty"`    // NAME=value; tokens {file}, {dir}, {text}
}

// GateSurface is how names of one kind are locked: by a key each, a list, a flag that takes a list, or words.
type GateSurface struct {
	Kind  string   `json:"kind"`
	Names []string `json:"names,omitempty"` // nil: all of the kind
	File  int      `json:"file"`            // index in Files, of set and list
	Says  string   `json:"says"`            // absent, refused: what a locked one is to the model

	Set    string   `json:"set,omitempty"`    // dotted key with {name}
	Bool   bool     `json:"bool,omitempty"`   // it takes true for an unlocked one and false for a locked one
	Locked string   `json:"locked,omitempty"` // what a locked one gets where it takes a text
	Order  []string `json:"order,omitempty"`  // modes, the weakest first

	List string          `json:"list,omitempty"` // dotted key
	Flag string          `json:"flag,omitempty"`
	Of   string          `json:"of,omitempty"`   // locked, unlocked
	Item json.RawMessage `json:"item,omitempty"` // token {name}; nil: the name

	Argv []string `json:"argv,omitempty"` // with token {name} given for each locked name, else while every name of the row is locked
	Also []string `json:"also,omitempty"` // dotted keys of the first file: is any name of the row unlocked?
}

// GateProof is how it is seen what a surface is to the model.
type GateProof struct {
	Absent  string                     `json:"absent"`            // expression that fits the answer to a call of what is not there
	Refused string                     `json:"refused,omitempty"` // the same for what is refused
	Argv    []string                   `json:"argv,omitempty"`    // tokens {home}, {command}, {args}
	Files   map[string]json.RawMessage `json:"files,omitempty"`   // as FakeReal.Files; tokens {url}, {server}, {command}, {args}
	Probes  map[string]GateProbe       `json:"probes"`            // by capability
}

// GateProbe is how one capability is seen.
type GateProbe struct {
	Call   string          `json:"call,omitempty"`   // tool; empty: the capability's own
	Input  json.RawMessage `json:"input,omitempty"`  // of a call; nil: none is made; token {dir}
	Text   string          `json:"text,omitempty"`   // in the answer, or without a call in some request
	With   []string        `json:"with,omitempty"`   // capabilities without which it cannot be seen
	Hidden bool            `json:"hidden,omitempty"` // the first request does not list the tool
}

// GateData is the path below the output folder of a harness's Gate.
func GateData(id string) string { return id + "/gate.json" }
