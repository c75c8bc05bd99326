package platform

import "strings"

// PathError is a path in a form that does not belong to this system.
type PathError struct {
	Path string // as it was given
	Form string // a sentence that names the form and says what to pass
}

func (e *PathError) Error() string { return e.Form }

func refuse(path, form string) (string, error) { return "", &PathError{Path: path, Form: form} }

func isLetter(b byte) bool { return 'a' <= b|0x20 && b|0x20 <= 'z' }

// drive reports whether a path begins with a drive letter and a colon.
func drive(p string) bool { return len(p) >= 2 && isLetter(p[0]) && p[1] == ':' }

// unusable says why a path is none on any system; empty when it may be one.
func unusable(p string) string {
	switch {
	case strings.TrimSpace(p) == "":
		return "The path is empty; pass a file or folder."
	case strings.ContainsRune(p, 0):
		return "The path contains a NUL byte, which no file system takes."
	}
	return ""
}
