package platform

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// findCygpath looks on PATH and beside Git for Windows.
func findCygpath() string {
	if tool, err := exec.LookPath("cygpath.exe"); err == nil {
		return tool
	}
	for _, dir := range []string{os.Getenv("ProgramFiles"), os.Getenv("LOCALAPPDATA") + `\Programs`} {
		tool := filepath.Join(dir, "Git", "usr", "bin", "cygpath.exe")
		if _, err := os.Stat(tool); err == nil {
			return tool
		}
	}
	return ""
}

func cygpath(tool, path string) (string, error) {
	cmd := exec.Command(tool, "-w", path)
	cmd.SysProcAttr = windowsAttr()
	out, err := cmd.Output()
	return strings.TrimSpace(string(out)), err
}
