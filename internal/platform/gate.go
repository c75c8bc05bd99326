package platform

import "fmt"

// Override is the environment variable that opens a closed gate for one call. It is for those who port the supervisor.
const Override = "SPIRE_GREMLINS_UNSUPPORTED_OK"

// Gate is whether the supervisor may be used on a platform: only where its suite is run against the real thing.
type Gate struct {
	Reason     string // why not; empty = it may
	Overridden bool   // it may, because the user said so, though nobody tested it
}

// Check asks whether version of the supervisor may run on p. getenv is os.Getenv or its like.
func Check(p Platform, version string, getenv func(string) string) Gate {
	switch {
	case p.Supported():
		return Gate{}
	case getenv(Override) == "1":
		return Gate{Overridden: true}
	}
	d := p.Describe()
	wsl := ""
	if d.WSL {
		wsl = ", WSL"
	}
	return Gate{Reason: fmt.Sprintf("gremlins %s runs on Linux and Windows; this is %s%s. Use fresh agents for every block; see docs/platforms.md.",
		version, d.SysPlatform, wsl)}
}

// Warning is what to tell a user who opened the gate; empty when it needed no opening.
func (g Gate) Warning() string {
	if !g.Overridden {
		return ""
	}
	return "platform gate overridden by " + Override + "=1; this platform is untested"
}
