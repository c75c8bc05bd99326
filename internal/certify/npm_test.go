//go:build unix

package certify

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha512"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/lorimer-dev/lorimer/internal/harness"
)

func listen(t *testing.T, path string) string {
	t.Helper()
	l, err := net.Listen("unix", path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	return path
}

// registry serves packages to the real npm: an agent, and what it needs.
type registry struct {
	*httptest.Server
	packages map[string][]byte // tarballs by name, all of version 1.0.0
	slow     atomic.Bool       // tarballs never end
	asked    chan struct{}     // a tarball was asked for
}

const theVersion = "1.0.0"

func newRegistry(t *testing.T) *registry {
	t.Helper()
	if _, err := exec.LookPath("npm"); err != nil {
		t.Skip("npm is not here")
	}
	r := &registry{asked: make(chan struct{}, 100), packages: map[string][]byte{
		"agent":  tarball(t, "agent", map[string]string{"cli.sh": "#!/bin/sh\necho \"agent $0\"\n", "package.json": `{"name":"agent","version":"1.0.0","scripts":{"postinstall":"touch RAN"},"dependencies":{"needed":"1.0.0"}}`}),
		"needed": tarball(t, "needed", map[string]string{"package.json": `{"name":"needed","version":"1.0.0"}`}),
		"shell":  tarball(t, "shell", map[string]string{"package.json": `{"name":"shell","version":"1.0.0"}`, "sh": "#!/bin/sh\necho 'agent/1.0.0'\n"}),
	}}
	r.Server = httptest.NewServer(http.HandlerFunc(r.serve))
	t.Cleanup(r.Close)
	t.Setenv("npm_config_registry", r.URL)
	t.Setenv("npm_config_cache", t.TempDir())
	t.Setenv("npm_config_userconfig", os.DevNull)
	t.Setenv("npm_config_fetch_retries", "0")
	return r
}

func (r *registry) serve(w http.ResponseWriter, req *http.Request) {
	name := strings.Trim(req.URL.Path, "/")
	if rest, ok := strings.CutSuffix(name, ".tgz"); ok {
		select {
		case r.asked <- struct{}{}:
		default:
		}
		if r.packages[rest] == nil {
			http.NotFound(w, req)
			return
		}
		w.Header().Set("Content-Length", fmt.Sprint(len(r.packages[rest])))
		if r.slow.Load() {
			w.Write(r.packages[rest][:10])
			w.(http.Flusher).Flush()
			<-req.Context().Done()
			return
		}
		w.Write(r.packages[rest])
		return
	}
	data, ok := r.packages[name]
	if !ok {
		http.NotFound(w, req)
		return
	}
	version := map[string]any{"name": name, "version": theVersion, "dist": map[string]string{"tarball": r.URL + "/" + name + ".tgz", "integrity": hash(data)}}
	if name == "agent" {
		version["dependencies"] = map[string]string{"needed": theVersion}
		version["hasInstallScript"] = true
	}
	json.NewEncoder(w).Encode(map[string]any{"name": name, "dist-tags": map[string]string{"latest": theVersion}, "versions": map[string]any{theVersion: version}})
}

func hash(data []byte) string {
	sum := sha512.Sum512(data)
	return "sha512-" + base64.StdEncoding.EncodeToString(sum[:])
}

func tarball(t *testing.T, name string, files map[string]string) []byte {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	w := tar.NewWriter(z)
	for path, text := range files {
		if err := w.WriteHeader(&tar.Header{Name: "package/" + path, Mode: 0o755, Size: int64(len(text))}); err != nil {
			t.Fatal(err)
		}
		w.Write([]byte(text))
	}
	w.Close()
	z.Close()
	return b.Bytes()
}

// agent is a harness of the registry's, which an interpreter runs.
func agent() *harness.Certified {
	return &harness.Certified{
		ID: "agent", Name: "Agent", Binary: "agent", Package: "agent", Version: theVersion,
		NPM: map[string]string{"agent": theVersion}, System: map[string]string{"shell": theVersion},
		Path:        map[string]string{"": "node_modules/agent/cli.sh"},
		With:        map[string]string{"": "node_modules/shell/sh"},
		VersionArgv: []string{"--version"}, Pattern: `^agent/(\d+\.\d+\.\d+)$`, Isolate: map[string]string{"HOME": "{home}"},
	}
}

func (r *registry) lock(t *testing.T) []byte {
	t.Helper()
	entry := func(name string, more string) string {
		return fmt.Sprintf(`"node_modules/%s": {"version": "1.0.0", "integrity": %q%s}`, name, hash(r.packages[name]), more)
	}
	return []byte(`{"name": "lorimer-agent", "lockfileVersion": 3, "requires": true, "packages": {
		"": {"name": "lorimer-agent", "dependencies": {"agent": "1.0.0"}, "optionalDependencies": {"shell": "1.0.0"}},
		` + entry("agent", `, "hasInstallScript": true, "dependencies": {"needed": "1.0.0"}`) + `,
		` + entry("needed", "") + `,
		` + entry("shell", `, "optional": true`) + `}}`)
}

func agentPaths(t *testing.T) Paths {
	t.Helper()
	p, err := PathsOf(filepath.Join(t.TempDir(), "root"), agent(), theVersion, "linux")
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestFromNPM(t *testing.T) {
	if testing.Short() {
		t.Skip("starts npm, which takes seconds")
	}
	r := newRegistry(t)
	for name, lock := range map[string][]byte{"by the lock": r.lock(t), "without a lock": nil} {
		t.Run(name, func(t *testing.T) {
			p := agentPaths(t)
			for i, installs := range []bool{true, false} {
				info, err := Ensure(t.Context(), World(Installer{Row: agent(), Version: theVersion, Lock: lock}), agent(), theVersion, p, false)
				if err != nil || info.Installed != installs || info.Handshake.Status != OK || len(info.Program) != 2 {
					t.Fatalf("%d: %+v, %v", i, info, err)
				}
			}
			if _, err := os.Stat(filepath.Join(p.Runtime, "node_modules/agent/RAN")); err == nil {
				t.Error("a package's own script was run")
			}
			// What is in bin starts the same.
			out, err := exec.Command(p.Binary).CombinedOutput()
			if err != nil || string(out) != "agent/1.0.0\n" {
				t.Errorf("%s, %v", out, err)
			}
			onlyTheRuntime(t, p)
		})
	}
}

// Whatever keeps npm from its work leaves nothing.
func TestFromNPMInVain(t *testing.T) {
	if testing.Short() {
		t.Skip("starts npm, which takes seconds")
	}
	for _, x := range []struct {
		name  string
		spoil func(t *testing.T, r *registry, i *Installer)
		want  string
	}{
		{"other bytes than the lock's", func(t *testing.T, r *registry, i *Installer) {
			r.packages["needed"] = tarball(t, "needed", map[string]string{"package.json": `{"name":"needed","version":"1.0.0","evil":true}`})
		}, "EINTEGRITY"},
		{"offline", func(_ *testing.T, r *registry, _ *Installer) { r.Close() }, "ECONNREFUSED"},
		{"no such version", func(_ *testing.T, _ *registry, i *Installer) { i.Version, i.Lock = "9.9.9", nil }, "9.9.9"},
		{"an interpreter that is passed over", func(_ *testing.T, r *registry, _ *Installer) {
			delete(r.packages, "shell")
		}, "have no node_modules/shell/sh"},
		{"a lock without a hash", func(_ *testing.T, _ *registry, i *Installer) {
			i.Lock = []byte(strings.Replace(string(i.Lock), `"integrity"`, `"x"`, 1))
		}, "nobody knows what would be installed"},
		{"no npm", func(t *testing.T, _ *registry, _ *Installer) { t.Setenv("PATH", t.TempDir()) }, "npm is not on PATH"},
	} {
		t.Run(x.name, func(t *testing.T) {
			r := newRegistry(t)
			i := Installer{Row: agent(), Version: theVersion, Lock: r.lock(t)}
			x.spoil(t, r, &i)
			p := agentPaths(t)
			_, err := Ensure(t.Context(), World(i), agent(), theVersion, p, false)
			if err == nil || !strings.Contains(err.Error(), x.want) {
				t.Errorf("%v", err)
			}
			if _, err := os.Stat(p.Runtime); err == nil {
				t.Error("there is a runtime")
			}
			onlyTheRuntime(t, p)
		})
	}
}

// Who is interrupted in the middle of a download leaves nothing, and what was there before still runs.
func TestInterrupted(t *testing.T) {
	if testing.Short() {
		t.Skip("starts npm, which takes seconds")
	}
	r := newRegistry(t)
	p, lock := agentPaths(t), r.lock(t)
	i := Installer{Row: agent(), Version: theVersion, Lock: lock}
	if _, err := Ensure(t.Context(), World(i), agent(), theVersion, p, false); err != nil {
		t.Fatal(err)
	}
	t.Setenv("npm_config_cache", t.TempDir())
	for len(r.asked) > 0 {
		<-r.asked
	}
	r.slow.Store(true)
	ctx, cancel := context.WithCancel(t.Context())
	go func() { <-r.asked; cancel() }()
	began := time.Now()
	_, err := Ensure(ctx, World(i), agent(), theVersion, p, true)
	if err == nil || !strings.Contains(err.Error(), "interrupted") || time.Since(began) > 20*time.Second {
		t.Errorf("%v after %v", err, time.Since(began))
	}
	if info, err := Verify(t.Context(), World(i), agent(), theVersion, p); err != nil || info.Handshake.Status != OK {
		t.Errorf("%+v, %v", info, err)
	}
	onlyTheRuntime(t, p)
}

// What npm installed elsewhere is copied package by package, and only with the bytes that are certified.
func TestCopiedPackages(t *testing.T) {
	r := newRegistry(t)
	p, lock := agentPaths(t), r.lock(t)
	i := Installer{Row: agent(), Version: theVersion, Lock: lock}
	if _, err := Ensure(t.Context(), World(i), agent(), theVersion, p, false); err != nil {
		t.Fatal(err)
	}
	more := filepath.Join(p.Runtime, "node_modules", "stranger")
	if err := os.Mkdir(more, 0o700); err != nil {
		t.Fatal(err)
	}
	i.From = p.Runtime
	there := agentPaths(t)
	info, err := Ensure(t.Context(), World(i), agent(), theVersion, there, false)
	if err != nil || info.Handshake.Status != OK {
		t.Fatalf("%+v, %v", info, err)
	}
	if _, err := os.Stat(filepath.Join(there.Runtime, "node_modules/needed/package.json")); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(filepath.Join(there.Runtime, "node_modules/stranger")); err == nil {
		t.Error("a package came along that nothing needs")
	}
	i.Lock = []byte(strings.Replace(string(lock), hash(r.packages["needed"]), "sha512-other", 1))
	if _, err := Ensure(t.Context(), World(i), agent(), theVersion, agentPaths(t), false); err == nil || !strings.Contains(err.Error(), "other bytes") {
		t.Error(err)
	}
}
