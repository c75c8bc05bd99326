package materialize

import (
	"fmt"

	"github.com/tidwall/gjson"

	"github.com/lorimer-dev/lorimer/internal/manifest"
	"github.com/lorimer-dev/lorimer/internal/materialize/clonefs"
)

// notNewer fails where a newer lorimer was at work: what it wrote may say more than this one can, and two that take turns would
// rewrite each other for ever.
func (o *Options) notNewer(clone *clonefs.FS) error {
	src, err := readFile(clone, manifestPath)
	if err != nil || o.Force {
		return err
	}
	if got := gjson.GetBytes(src, "protocol").Int(); got > manifest.Protocol {
		return fmt.Errorf("%s has protocol %d, this lorimer speaks %d: a newer one was at work here; use that one, or take its work back with --force",
			manifestPath, got, manifest.Protocol)
	}
	return nil
}
