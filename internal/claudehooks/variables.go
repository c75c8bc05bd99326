package claudehooks

// OwnVariable is a variable that Claude Code gives to hooks and nobody else can, because something behind it is Claude's own.
type OwnVariable struct {
	Name    string
	Without string // what is lost in other agents, as the end of "it uses NAME, ..."
}

// OwnVariables are those that hooks in use need.
var OwnVariables = []OwnVariable{
	{"CLAUDE_ENV_FILE", "from which Claude Code alone takes variables for the commands that follow; in other agents it is not set"},
}
