package descriptor

// Fake is a small imitation of the host, into which conform and doctor load the shim. Nothing else can tell what the
// host's own functions return.
type Fake struct {
	Pos    Pos       `yaml:"-"`
	Params Expr      `yaml:"params,required"` // what the module is called with; `host` is in scope: add(name, fn), prompt(text), context(text)
	Args   Map[Expr] `yaml:"args,required"`   // by channel: the handler's arguments, as an array; `event` and `host` are in scope
	Events Map[Expr] `yaml:"events,required"` // by host event: a sample; `n` counts the samples from 1
	Saw    Map[Expr] `yaml:"saw"`             // by neutral event: the reason that the host would have seen; `result`, `thrown` and `prompts` are in scope
}
