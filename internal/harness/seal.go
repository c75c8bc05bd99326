package harness

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
)

// A shim ends with a seal: the hash of all of it but the value on its CONFIG line. By it a lorimer of any version tells a shim that
// another one wrote, and that nobody edited, without a record of it: one that was committed, or whose record is lost.
const sealPrefix = "// lorimer seal: sha256 "

// Sealed returns a shim with its seal.
func Sealed(shim []byte) []byte {
	return append(bytes.Clone(shim), sealPrefix+sealOf(shim)+"\n"...)
}

// Intact says whether a shim, of whichever version, is as lorimer wrote it, but for the value on its CONFIG line.
func Intact(shim []byte) bool {
	i := bytes.LastIndex(shim, []byte("\n"+sealPrefix))
	return i >= 0 && string(shim[i+1:]) == sealPrefix+sealOf(shim[:i+1])+"\n"
}

// sealOf is the hash; that of a shim without a CONFIG line is of all of it.
func sealOf(shim []byte) string {
	h := sha256.New()
	if from, to, err := findConfig(shim); err == nil {
		h.Write(shim[:from])
		shim = shim[to:]
	}
	h.Write(shim)
	return hex.EncodeToString(h.Sum(nil))
}
