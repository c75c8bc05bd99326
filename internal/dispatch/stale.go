package dispatch

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/lorimer-dev/lorimer/internal/manifest"
	"github.com/lorimer-dev/lorimer/internal/plainfile"
)

// noteStaleSources says once a session when a file that the manifest was compiled from has changed since: what runs is what
// was compiled, and agreed to, and that is easily forgotten while one edits.
//
// It is asked at every event that has handlers, not only at a session's first: a clone that hooks PreToolUse alone has no
// other. That costs one stat a source. A source is read only when its size differs or it is younger than the manifest, so an
// edit that keeps both size and age (`cp -p`) goes unnoticed here; `lorimer check` sees it. Of a host's settings only the part
// about hooks counts: the host writes the rest itself, whenever its user allows a command for good.
func (c *call) noteStaleSources() {
	var changed []string
	for _, s := range c.view.Sources() {
		if c.isStale(s) {
			changed = append(changed, s.Path)
		}
	}
	if len(changed) > 0 {
		c.note("stale-"+sum(c.manifest)[:16], fmt.Sprintf("%s changed since the hooks of %s were compiled; what ran is the old ones: run `lorimer materialize %s`",
			strings.Join(changed, ", "), c.root, c.root))
	}
}

func (c *call) isStale(s manifest.Source) bool {
	path := filepath.FromSlash(s.Path)
	if !filepath.IsAbs(path) {
		path = filepath.Join(c.root, path)
	}
	info, err := os.Stat(path)
	switch {
	case isAbsent(err) && len(s.Keys) > 0:
		return !s.Same(nil)
	case err != nil || !info.Mode().IsRegular(): // gone, or out of reach: a refresh would say so
		return true
	case !info.ModTime().After(c.compiled) && (len(s.Keys) > 0 || info.Size() == s.Size):
		return false
	}
	src, err := plainfile.Settings(path) // as big as materialize read it
	return err != nil || !s.Same(src)
}

func sum(b []byte) string {
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])
}
