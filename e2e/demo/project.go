//go:build linux

package main

import (
	"embed"
	"io/fs"
)

// project is the scratch project as a user would have written it.
//
//go:embed project
var project embed.FS

func yaml() string { return mustRead("project/lorimer.yaml") }

// files are the project's other files, by slash path.
func files() map[string]string {
	out := map[string]string{"build/precious.txt": "took an hour to build\n"}
	fs.WalkDir(project, "project", func(p string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() && p != "project/lorimer.yaml" {
			out[p[len("project/"):]] = mustRead(p)
		}
		return err
	})
	return out
}

func mustRead(p string) string {
	b, err := project.ReadFile(p)
	if err != nil {
		panic(err) // it is embedded
	}
	return string(b)
}
