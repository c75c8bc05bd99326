package platform

import (
	"path"
	"strings"
)

// NormPath refuses Windows forms: silently joined to the working directory they would name a file that nobody meant.
func (p *Posix) NormPath(name, cwd string) (string, error) {
	switch why := unusable(name); {
	case why != "":
		return refuse(name, why)
	case drive(name):
		return refuse(name, "Windows drive path on POSIX: "+name+"; pass a path of this system, such as /home/you/x.")
	case strings.Contains(name, `\`):
		return refuse(name, "Windows path form (a backslash) on POSIX: "+name+"; pass a path with forward slashes.")
	case strings.HasPrefix(name, "//") && !strings.HasPrefix(name, "///"):
		return "/" + path.Clean(name), nil // two leading slashes are the system's to interpret (POSIX 4.13)
	case strings.HasPrefix(name, "/"):
		return path.Clean(name), nil
	}
	return path.Join(cwd, name), nil
}
