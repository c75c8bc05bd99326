package materialize

import (
	"fmt"
	"path/filepath"

	"github.com/lorimer-dev/lorimer/internal/agree"
	"github.com/lorimer-dev/lorimer/internal/manifest"
	"github.com/lorimer-dev/lorimer/internal/plainfile"
	"github.com/lorimer-dev/lorimer/internal/trust"
)

// A new worktree is another clone, and nothing that came with it was agreed to. Where its hooks are those that its user agreed to
// in another checkout, they need not be asked again: that is what git's post-checkout hook may do for them.

// agentsOf are the harnesses that another checkout serves.
func agentsOf(dir string) ([]string, error) {
	src, err := plainfile.Settings(manifest.Path(dir))
	if err != nil {
		return nil, fmt.Errorf("no hooks are in %s that this clone could have, too: %w", dir, err)
	}
	v, err := manifest.Parse(src)
	if err != nil {
		return nil, fmt.Errorf("%s: %w; run `lorimer materialize %s`", manifest.Path(dir), err, dir)
	}
	return v.Harnesses(), nil
}

// sameAs fails when the hooks are not the ones that were agreed to in the other checkout.
func (p *Plan) sameAs() error {
	if p.options.As == "" || p.manifest == nil || !p.Untrusted {
		return nil
	}
	other, err := filepath.Abs(p.options.As)
	if err != nil {
		return err
	}
	agreed := trust.Agreed(p.options.Home, other)
	if agreed == nil {
		return fmt.Errorf("%s: nothing was changed: nobody agreed to the hooks of %s", p.Root, other)
	}
	differs, err := agree.Compare(agreed, p.manifest)
	if err == nil && len(differs) > 0 {
		err = fmt.Errorf("%s: nothing was changed: its hooks are not those that you agreed to in %s; `lorimer materialize --dry-run %s` shows them, and without --dry-run you agree", p.Root, other, p.Root)
	}
	return err
}
