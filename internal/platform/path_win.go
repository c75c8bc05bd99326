package platform

import (
	"path"
	"strings"
)

// NormPath takes every form that a shell on Windows may hand over: with a drive, rooted, relative, UNC, and Git Bash's /c/x.
// "C:" and "C:x" mean the drive's root: a drive's own working directory is not known on every host.
func (w *Windows) NormPath(name, cwd string) (string, error) {
	slashed := strings.ReplaceAll(name, `\`, "/")
	switch why := unusable(name); {
	case why != "":
		return refuse(name, why)
	case drive(slashed):
		return onDrive(slashed[0], slashed[2:]), nil
	case strings.HasPrefix(slashed, "//"):
		return share(name, slashed[2:])
	case strings.HasPrefix(name, `\`):
		return volumeOf(cwd) + backslashed(path.Clean(slashed)), nil
	case wslForm(name):
		return refuse(name, `WSL path form on Windows: `+name+`; pass C:\… or /c/….`)
	case mingwDrive(name):
		return onDrive(name[1], name[2:]), nil
	case strings.HasPrefix(name, "/"):
		return w.rooted(name)
	}
	return volumeOf(cwd) + backslashed(path.Join("/", strings.ReplaceAll(cwd[len(volumeOf(cwd)):], `\`, "/"), slashed)), nil
}

// rooted is for paths below Git Bash's own root, such as /tmp, that only its cygpath knows.
func (w *Windows) rooted(name string) (string, error) {
	tool := w.FindCygpath()
	if tool == "" {
		return refuse(name, `Rooted Git Bash path without cygpath to resolve it: `+name+`; pass C:\… or /c/….`)
	}
	out, err := w.Cygpath(tool, name)
	if err != nil || !drive(out) {
		return refuse(name, `cygpath does not resolve `+name+`; pass C:\… or /c/….`)
	}
	return onDrive(out[0], strings.ReplaceAll(out[2:], `\`, "/")), nil
}

// onDrive is rest, with slashes, from the root of a drive.
func onDrive(letter byte, rest string) string {
	return strings.ToUpper(string(letter)) + ":" + backslashed(path.Join("/", rest))
}

// share cleans \\server\share\rest, given without its two leading slashes.
func share(name, p string) (string, error) {
	parts := strings.SplitN(p, "/", 3)
	if len(parts) < 2 || parts[0] == "" || parts[1] == "" {
		return refuse(name, `UNC path without server or share: `+name+`; pass \\server\share\….`)
	}
	volume := `\\` + parts[0] + `\` + parts[1]
	if len(parts) == 2 {
		return volume + `\`, nil
	}
	return volume + backslashed(path.Join("/", parts[2])), nil
}

// volumeOf is the drive or share that an absolute Windows path begins with.
func volumeOf(p string) string {
	if drive(p) {
		return p[:2]
	}
	parts := strings.SplitN(strings.TrimPrefix(p, `\\`), `\`, 3)
	if len(parts) < 2 {
		return ""
	}
	return `\\` + parts[0] + `\` + parts[1]
}

func wslForm(p string) bool {
	rest, ok := strings.CutPrefix(p, "/mnt/")
	return ok && rest != "" && isLetter(rest[0]) && (len(rest) == 1 || rest[1] == '/')
}

// mingwDrive is Git Bash's spelling of a drive: /c or /c/x.
func mingwDrive(p string) bool {
	return len(p) >= 2 && p[0] == '/' && isLetter(p[1]) && (len(p) == 2 || p[2] == '/')
}

func backslashed(p string) string { return strings.ReplaceAll(p, "/", `\`) }
