// Package npmlock reads and cuts package-lock.json files, lockfile version 3. What is installed by such a lock alone is the
// same, byte for byte, each time: it has the hash of every package.
package npmlock

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Lock is what is used of a package-lock.json.
type Lock struct {
	Version  int                        `json:"lockfileVersion"`
	Packages map[string]json.RawMessage `json:"packages"` // by path: "" is the root, else node_modules/...
}

// Package is what is used of one of its packages.
type Package struct {
	Version      string            `json:"version"`
	Resolved     string            `json:"resolved"`
	Integrity    string            `json:"integrity"`
	Link         bool              `json:"link"`
	Dependencies map[string]string `json:"dependencies"`
	Optional     map[string]string `json:"optionalDependencies"`
	Peers        map[string]string `json:"peerDependencies"`
	InBundle     bool              `json:"inBundle"`
	IsOptional   bool              `json:"optional"`
	OS           json.RawMessage   `json:"os"` // a text or a list
	CPU          json.RawMessage   `json:"cpu"`
}

// Parse reads a lock.
func Parse(data []byte) (Lock, error) {
	var l Lock
	if err := json.Unmarshal(data, &l); err != nil {
		return l, fmt.Errorf("package-lock.json: %w", err)
	}
	if l.Version != 3 || l.Packages[""] == nil {
		return l, fmt.Errorf("package-lock.json has lockfileVersion %d; expected 3", l.Version)
	}
	return l, nil
}

func (l Lock) at(path string) (p Package, err error) {
	err = json.Unmarshal(l.Packages[path], &p)
	return p, err
}

// Manifest is the package.json of an installation: packages to exact versions, and those that npm installs on their own system
// alone.
func Manifest(id string, npm, system map[string]string) map[string]any {
	m := map[string]any{"name": "lorimer-" + id, "private": true, "dependencies": npm}
	if len(system) > 0 {
		m["optionalDependencies"] = system
	}
	return m
}

// Sealed returns an error when the lock lets anything be installed whose bytes it does not know. Packages for one system alone
// may be without a hash: where one is installed all the same, Held says so.
func Sealed(data []byte) error {
	l, err := Parse(data)
	if err != nil {
		return err
	}
	for _, path := range slices.Sorted(maps.Keys(l.Packages)) {
		p, err := l.at(path)
		if err != nil {
			return fmt.Errorf("package-lock.json: %s: %w", path, err)
		}
		switch {
		case path == "" || p.InBundle: // the root itself; what lies in another package's bytes
		case p.Integrity == "" && p.IsOptional && p.OS != nil && p.CPU != nil:
		case p.Link || !strings.HasPrefix(p.Integrity, "sha512-"):
			return fmt.Errorf("package-lock.json: %s has no sha512 hash, so nobody knows what would be installed", path)
		case strings.HasPrefix(p.Resolved, "git") || strings.HasPrefix(p.Resolved, "file:"):
			return fmt.Errorf("package-lock.json: %s comes from %s, and not from a registry", path, p.Resolved)
		}
	}
	return nil
}

// Cut returns the part of a lock that some packages of its root need, as the lock of a root of their own. It keeps every package
// at its path, so both locks install the same.
func Cut(data []byte, id string, npm, system map[string]string) ([]byte, error) {
	l, err := Parse(data)
	if err != nil {
		return nil, err
	}
	kept := map[string]json.RawMessage{}
	for _, names := range []map[string]string{npm, system} {
		for name, version := range names {
			path := "node_modules/" + name
			p, err := l.at(path)
			if err != nil && l.Packages[path] != nil {
				return nil, fmt.Errorf("package-lock.json: %s: %w", path, err)
			}
			if p.Version != version {
				return nil, fmt.Errorf("package-lock.json has %s %q, not %s", path, p.Version, version)
			}
			if err := l.keep(path, kept); err != nil {
				return nil, err
			}
		}
	}
	root := Manifest(id, npm, system)
	delete(root, "private")
	if kept[""], err = json.Marshal(root); err != nil {
		return nil, err
	}
	return write(map[string]any{"name": "lorimer-" + id, "lockfileVersion": 3, "requires": true, "packages": kept})
}

// keep adds a package with all that it needs.
func (l Lock) keep(path string, kept map[string]json.RawMessage) error {
	if kept[path] != nil {
		return nil
	}
	kept[path] = l.Packages[path]
	p, err := l.at(path)
	if err != nil {
		return err
	}
	for _, names := range []map[string]string{p.Dependencies, p.Optional, p.Peers} {
		for name := range names {
			if found := l.find(path, name); found != "" {
				if err := l.keep(found, kept); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// find looks for a package as node does: in the node_modules of the one that needs it, then of those around it.
func (l Lock) find(from, name string) string {
	for {
		if path := strings.TrimPrefix(from+"/node_modules/"+name, "/"); l.Packages[path] != nil {
			return path
		}
		if from == "" {
			return ""
		}
		i := strings.LastIndex(from, "node_modules/")
		from = strings.TrimSuffix(from[:max(i, 0)], "/")
	}
}

func write(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(v); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

// parseHidden reads a lock without a root: the one that npm keeps in node_modules.
func parseHidden(data []byte) (map[string]Package, error) {
	var l struct {
		Packages map[string]Package `json:"packages"`
	}
	err := json.Unmarshal(data, &l)
	return l.Packages, err
}
