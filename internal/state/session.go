package state

import (
	"crypto/sha256"
	"encoding/hex"
	"path/filepath"
	"strings"
)

// SessionDir returns where the state of a session lies: <home>/sessions/<id>. An id that is no safe file name is hashed; "="
// marks the hash, because no safe id holds one. It does not create the directory.
func SessionDir(home, sessionID string) string {
	return filepath.Join(home, "sessions", FileName(sessionID))
}

// FileName returns id when it is 1 to 100 of [A-Za-z0-9._-] and neither begins nor ends with a dot, else a hash of it.
func FileName(id string) string {
	if isPlain(id) {
		return id
	}
	return hashed(id)
}

// CaseName is FileName for names of which two may differ in case alone, which on some systems is one file: all that is not
// lower-case is hashed.
func CaseName(name string) string {
	if isPlain(name) && name == strings.ToLower(name) {
		return name
	}
	return hashed(name)
}

func hashed(name string) string {
	sum := sha256.Sum256([]byte(name))
	return "sha256=" + hex.EncodeToString(sum[:16])
}

func isPlain(id string) bool {
	if id == "" || len(id) > 100 || strings.HasPrefix(id, ".") || strings.HasSuffix(id, ".") {
		return false
	}
	for i := 0; i < len(id); i++ {
		c := id[i]
		letter := c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
		if !letter && (c < '0' || c > '9') && c != '.' && c != '_' && c != '-' {
			return false
		}
	}
	return true
}
