package state

import (
	"crypto/sha256"
	"encoding/hex"
)

// CloneName returns the name that everything about a clone goes by in the state home: 32 hex digits. root must be absolute,
// with its links resolved, or one clone has several names.
func CloneName(root string) string {
	sum := sha256.Sum256([]byte(root))
	return hex.EncodeToString(sum[:16])
}
