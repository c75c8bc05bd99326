package materialize

import (
	"strings"

	"github.com/lorimer-dev/lorimer/internal/materialize/clonefs"
	"github.com/lorimer-dev/lorimer/internal/owned"
)

// findStale looks for what only a run that was cut short leaves behind: temporary files beside the files that it wrote, and
// our own directory with nothing in it.
func (p *planner) findStale() {
	p.ifExists(clonefs.TempName(owned.Path))
	if p.cut {
		for _, path := range p.record.Paths() {
			if real, err := p.clone.Resolve(path); err == nil {
				p.ifExists(clonefs.TempName(real))
			}
		}
		for _, name := range p.clone.Names(backupDir) {
			if strings.HasSuffix(name, clonefs.TempSuffix) {
				p.ifExists(backupDir + "/" + name)
			}
		}
	}
	if len(p.next.Files) == 0 && p.clone.Empty(dir) {
		p.stale = append(p.stale, dir)
	}
}

func (p *planner) ifExists(path string) {
	if p.clone.Exists(path) {
		p.stale = append(p.stale, path)
	}
}
