//go:build unix && !linux && !darwin

package platform

// On other systems of the family no process table is read: what is unknown stays unknown.

func posixCtime(int) (Ctime, bool)       { return 0, false }
func posixCtimeOf(float64) (Ctime, bool) { return 0, false }
func posixAlive(pid int) bool            { return answers(pid) }
func posixProcesses() []Process          { return nil }
func posixEnviron(string) []Process      { return nil }
