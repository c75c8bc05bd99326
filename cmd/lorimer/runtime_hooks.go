package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/lorimer-dev/lorimer/golden"
	"github.com/lorimer-dev/lorimer/golden/go/table"
	"github.com/lorimer-dev/lorimer/internal/certify"
	"github.com/lorimer-dev/lorimer/internal/harness"
	"github.com/lorimer-dev/lorimer/internal/hosttrust"
	"github.com/lorimer-dev/lorimer/internal/manifest"
	"github.com/lorimer-dev/lorimer/internal/materialize"
)

// hooked puts the hooks that clones have at the user's level where the runtime looks for its user's own files, and has it trust
// them where it asks for that: whoever materialized them agreed to them. It returns what is to be said of hooks.
func (r runtimeOf) hooked(ctx context.Context, info certify.Info, spec certify.Spec) (notes []string, err error) {
	var h *harness.Harness
	for _, row := range table.All {
		if row.ID == r.row.ID {
			h = row
		}
	}
	place := func(path string) string { return r.paths.Place(r.row, path) }
	o := materialize.Options{Table: table.All, Golden: golden.FS, Home: r.paths.Root}
	commands, file, err := o.UserLevel(materialize.Elsewhere{Harness: h, Root: r.paths.Root, Place: place})
	if err != nil {
		return nil, err
	}
	if file != "" {
		notes = append(notes, "the hooks of clones at your user level stand in "+file)
	}
	if h.TrustAsk != nil && len(commands) > 0 {
		asker := hosttrust.Asker{Harness: h, Program: info.Program[0], Script: info.Program[1:], Env: spec.Environ(os.Environ()), Root: spec.Dir}
		if _, err := asker.Grant(ctx, commands); err != nil {
			return nil, fmt.Errorf("%s would not run its hooks: %w", r.row.Name, err)
		}
	}
	root := cloneAround(spec.Dir)
	if root != "" && h.TrustSeen != nil && !hosttrust.Seen(h.TrustSeen, root, func(path string) string { return placeIn(root, path, place) }) {
		notes = append(notes, "it has a home of its own, where nobody said yet that it may run the hooks of "+root+": "+h.Trust)
	}
	return notes, nil
}

func placeIn(root, path string, ofHome func(string) string) string {
	if len(path) > 2 && path[:2] == "~/" {
		return ofHome(path)
	}
	return filepath.Join(root, filepath.FromSlash(path))
}

// cloneAround is the nearest directory with a manifest; "" when there is none.
func cloneAround(dir string) string {
	for ; dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
		if _, err := os.Stat(manifest.Path(dir)); err == nil {
			return dir
		}
	}
	return ""
}
