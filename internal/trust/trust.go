// Package trust answers one question: did this user, on this machine, agree to run the handlers in this manifest? A manifest
// that came with a clone, or that anything but Lorimer changed, has no record, and then its handlers are not started.
//
// A record binds the clone's root to the hash of the manifest's bytes. It lies in the user's state home, which no clone can
// bring along. Beside it lies a copy of what was agreed to, so that what is new in another manifest can be shown; the copy
// decides nothing.
package trust

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"

	"github.com/lorimer-dev/lorimer/internal/fastfile"
	"github.com/lorimer-dev/lorimer/internal/harness"
	"github.com/lorimer-dev/lorimer/internal/rawjson"
	"github.com/lorimer-dev/lorimer/internal/state"
)

// remedy is the command that shows what is new in a manifest, asks, and records it.
const remedy = "lorimer trust"

// Record remembers that the user agreed to the manifest of a clone. It replaces what was agreed to before.
func Record(home, root string, manifest []byte) error {
	root, err := resolve(root)
	if err != nil {
		return fmt.Errorf("trust of %s is not recorded: %w", root, err)
	}
	// The copy goes first: a record without its copy would show everything as new, a copy without its record shows nothing.
	if err := state.Write(copyFile(home, root), manifest); err != nil {
		return err
	}
	line := fmt.Sprintf("{\"root\":%s,\"manifest\":%s}\n", harness.Quoted(root), harness.Quoted(hash(manifest)))
	return state.Write(file(home, root), []byte(line))
}

// Check returns nil when the user agreed to exactly this manifest of this clone. Else the error says why it does not count
// and what to run.
func Check(home, root string, manifest []byte) error {
	resolved, err := resolve(root)
	if err != nil {
		return untrusted(root, err.Error())
	}
	return CheckResolved(home, resolved, manifest)
}

// CheckResolved is Check for a root that is absolute, with its links resolved.
func CheckResolved(home, root string, manifest []byte) error {
	src, err := fastfile.Read(file(home, root))
	switch {
	case os.IsNotExist(err):
		return untrusted(root, "nobody agreed to their manifest on this machine yet")
	case err != nil:
		return untrusted(root, "the record of it cannot be read: "+err.Error())
	}
	record, ok := rawjson.ParseObject(string(src))
	switch {
	case !ok || rawjson.String(record["root"]) != root:
		return untrusted(root, "the record of it, "+file(home, root)+", is damaged")
	case rawjson.String(record["manifest"]) != hash(manifest):
		return untrusted(root, "their manifest was changed since you agreed to it")
	}
	return nil
}

func untrusted(root, why string) error {
	return fmt.Errorf("the hooks of %s are not trusted: %s; look at them and run `%s %s`", root, why, remedy, root)
}

// resolve gives a clone one name, whichever way it was reached.
func resolve(root string) (string, error) {
	abs, err := filepath.Abs(root)
	if err != nil {
		return root, err
	}
	resolved, err := filepath.EvalSymlinks(abs)
	if err != nil {
		return root, err
	}
	return resolved, nil
}

// Agreed returns the manifest of a clone that was agreed to last, or nil when there is none, or its copy is not what the
// record says.
func Agreed(home, root string) []byte {
	root, err := resolve(root)
	if err != nil {
		return nil
	}
	src, err := os.ReadFile(copyFile(home, root))
	if err != nil || Check(home, root, src) != nil {
		return nil
	}
	return src
}

func file(home, root string) string {
	return filepath.Join(home, "trusted", state.CloneName(root)+".json")
}

func copyFile(home, root string) string {
	return filepath.Join(home, "agreed", state.CloneName(root)+".json")
}

func hash(b []byte) string {
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])
}
