package engine

import (
	"path/filepath"

	"github.com/lorimer-dev/lorimer/internal/gremlin/record"
)

// create makes the state directory; the registry, by which a run counts as initialised, comes last.
func (r *run) create(launch record.Launch) error {
	for _, dir := range []string{"jobs", "briefs", "notes", "results", "logs", "raw"} {
		if err := r.dir.Mkdir(dir); err != nil {
			return err
		}
	}
	for name, text := range map[string]string{".gitignore": "raw/\n*.lock*\n.*.new\n", "mcp-empty.json": "{\"mcpServers\": {}}\n"} {
		if err := r.dir.Write(r.file(name), []byte(text)); err != nil {
			return err
		}
	}
	if err := r.beginLog(launch); err != nil {
		return err
	}
	return r.dir.WriteJSON(r.file("registry.json"), record.New(r.log, r.e.now(), launch))
}

// beginLog makes the run log, where there is none yet, with the line by which a successor finds the state.
func (r *run) beginLog(launch record.Launch) error {
	if exists(r.log) {
		return nil
	}
	text, err := prompt("run-log", map[string]string{
		"run": filepath.Base(r.log), "state": filepath.Base(r.dir.Path), "model": launch.Model, "date": r.e.now().Format("2006-01-02"),
	})
	if err != nil {
		return err
	}
	return r.dir.Write(r.log, []byte(text))
}
