package certify

import (
	"context"
	"errors"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/lorimer-dev/lorimer/internal/harness"
)

// The first certified runtime that there was, with its vectors: oh-my-pi 16.2.13, which no registry serves any more.
const oldest = "16.2.13"

func old() *harness.Certified {
	return &harness.Certified{
		ID: "omp", Name: "oh-my-pi", Binary: "omp", Package: "@oh-my-pi/pi-coding-agent", Version: oldest,
		VersionArgv: []string{"--version"}, Pattern: `^omp[/ ]v?(\d+\.\d+\.\d+)$`,
		Isolate: map[string]string{
			"HOME": "{home}", "PI_CODING_AGENT_DIR": "{agent}", "OMP_AUTH_BROKER_SNAPSHOT_CACHE": "{auth}/omp-auth-broker-snapshot.enc",
		},
		Unset:  []string{"OMP_PROFILE", "PI_*"},
		Strict: &harness.Strict{Flag: "--trusted-extension", Note: "the user's own are left out"},
	}
}

// machine is a world of which everything is written down.
type machine struct {
	files   map[string]string // what exists
	links   map[string]string // where paths really lie, when elsewhere
	did     []string
	runs    []Run
	answers []Output // of Exec, the last repeated
	fails   error    // of Exec
	install func() error
}

func (m *machine) effects() Effects {
	return Effects{
		Exists: func(path string) bool { _, ok := m.files[path]; return ok },
		Mkdir:  func(path string) error { m.did = append(m.did, "mkdir "+path); return nil },
		Read: func(path string) ([]byte, error) {
			if text, ok := m.files[path]; ok {
				return []byte(text), nil
			}
			return nil, errors.New("no such file")
		},
		Resolve: func(path string) (string, error) {
			if real, ok := m.links[path]; ok {
				return real, nil
			}
			return path, nil
		},
		Hold: func(context.Context, Paths) (func(), error) {
			m.did = append(m.did, "hold")
			return func() { m.did = append(m.did, "release") }, nil
		},
		Install: func(_ context.Context, to Paths) error {
			m.did = append(m.did, "install")
			if m.install != nil {
				return m.install()
			}
			m.files[to.Binary] = ""
			return nil
		},
		Exec: func(_ context.Context, r Run) (Output, error) {
			m.did, m.runs = append(m.did, "exec"), append(m.runs, r)
			out := m.answers[min(len(m.runs), len(m.answers))-1]
			return out, m.fails
		},
	}
}

func placed(t *testing.T, goos string) Paths {
	t.Helper()
	p, err := PathsOf("/root", old(), oldest, goos)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestPaths(t *testing.T) {
	want := Paths{
		Root: "/root", Runtime: "/root/runtimes/omp/omp-16.2.13", Binary: "/root/runtimes/omp/omp-16.2.13/bin/omp",
		Agent: "/root/agent/omp", Home: "/root/home/omp", Auth: "/root/auth/omp",
	}
	if got := placed(t, "linux"); got != want {
		t.Errorf("%+v", got)
	}
	if got := placed(t, "windows").Binary; got != want.Binary+".exe" {
		t.Error(got)
	}
	if got := placed(t, "linux").variables(old())["OMP_AUTH_BROKER_SNAPSHOT_CACHE"]; got != "/root/auth/omp/omp-auth-broker-snapshot.enc" {
		t.Error(got)
	}
}

func TestNoPathEscapesTheRoot(t *testing.T) {
	good := placed(t, "linux")
	for name, change := range map[string]func(*Paths){
		"above":       func(p *Paths) { p.Agent = "/root/../etc" },
		"beside":      func(p *Paths) { p.Home = "/rootling/home" },
		"root itself": func(p *Paths) { p.Home = "/root" },
		"relative":    func(p *Paths) { p.Auth = "auth" },
		"binary":      func(p *Paths) { p.Binary = "/usr/bin/omp" },
		"runtime":     func(p *Paths) { p.Runtime = "/" },
	} {
		p := good
		change(&p)
		m := &machine{files: map[string]string{}, answers: []Output{{Stdout: "omp/16.2.13"}}}
		_, err := Ensure(t.Context(), m.effects(), old(), oldest, p, false)
		if err == nil || !strings.HasPrefix(err.Error(), "Runtime path escapes Lorimer root: ") || len(m.did) > 0 {
			t.Errorf("%s: %v, did %v", name, err, m.did)
		}
	}
	for _, version := range []string{"", "..", "1.2", "1.2.3/../../..", "latest", "^1.2.3", "1.2.3 ", "v1.2.3"} {
		if _, err := PathsOf("/root", old(), version, "linux"); err == nil {
			t.Errorf("%q was taken for a version", version)
		}
	}
}

func TestALinkOutOfTheRootIsRefused(t *testing.T) {
	m := &machine{files: map[string]string{}, links: map[string]string{"/root/home/omp": "/home/me"}, answers: []Output{{}}}
	_, err := Ensure(t.Context(), m.effects(), old(), oldest, placed(t, "linux"), false)
	if err == nil || !strings.Contains(err.Error(), "/root/home/omp is /home/me") || slices.Contains(m.did, "install") {
		t.Errorf("%v, did %v", err, m.did)
	}
}

var reports = []struct{ output, want string }{
	{"omp/16.2.13", oldest},
	{"omp/16.2.13\n", oldest},
	{"omp v16.2.13", oldest},
	{"welcome\nomp/16.2.13\r\nbye", oldest},
	{"16.2.13", oldest},
	{"  16.2.14 \n", "16.2.14"},
	{"omp/16.2.13-beta", "omp/16.2.13-beta"},
	{"error: requires omp v16.2.13", "error: requires omp v16.2.13"},
	{"Node: v24.3.0", "Node: v24.3.0"},
	{"", Unknown},
	{" \n\t\x00", Unknown},
	{"two\nlines", "two lines"},
	// What a program prints that means no good, or a terminal.
	{"\x1b[1m\x1b[32momp/16.2.13\x1b[0m\n", oldest},
	{"\x1b]0;title\x07omp/16.2.13", oldest},
	{"omp/16.2.13\nomp/16.2.13", oldest},
	{"omp/16.2.13\nomp/18.2.3", "omp/16.2.13 omp/18.2.3"},
	{"16.2.13\n1.4.5", "16.2.13 1.4.5"},
	{"omp/16.2.13\n1.4.5 (bun)", oldest},
	{"\xff\xfe\x1b", Unknown},
	{strings.Repeat("x", 1000), strings.Repeat("x", 200) + "..."},
}

func TestReported(t *testing.T) {
	pattern := regexp.MustCompile(old().Pattern)
	for _, r := range reports {
		if got := Reported(pattern, r.output); got != r.want {
			t.Errorf("%q: %q, want %q", r.output, got, r.want)
		}
	}
}

func TestHandshake(t *testing.T) {
	if h := Shake(old(), oldest, oldest); h.Status != OK || h.Doctor != nil || h.Reported != oldest {
		t.Errorf("%+v", h)
	}
	h := Shake(old(), oldest, "17.0.0")
	want := []string{
		"Lorimer launches are paused because oh-my-pi reported 17.0.0, but this Lorimer release is certified for 16.2.13.",
		"Re-run `lorimer runtime ensure omp` or `lorimer runtime doctor omp --fix` to reinstall the certified oh-my-pi runtime before continuing.",
		"Launch oh-my-pi through Lorimer so it uses the certified binary by absolute path instead of an `omp` found on PATH.",
	}
	if h.Status != Paused || h.Certified != oldest || !slices.Equal(h.Doctor, want) {
		t.Errorf("%+v", h)
	}
}

func TestEnsure(t *testing.T) {
	p := placed(t, "linux")
	made := []string{"mkdir /root", "mkdir /root/runtimes/omp", "mkdir /root/agent/omp", "mkdir /root/home/omp", "mkdir /root/auth/omp", "hold"}
	there := map[string]string{p.Binary: ""}
	for _, x := range []struct {
		name      string
		files     map[string]string
		answers   []Output
		fails     error
		force     bool
		did       []string // behind what is made
		installed bool
		status    Status
		err       string
	}{
		{"is there", there, []Output{{Stdout: "omp/16.2.13"}}, nil, false, []string{"exec", "release"}, false, OK, ""},
		{"is not there", nil, []Output{{Stdout: "omp/16.2.13"}}, nil, false, []string{"install", "exec", "release"}, true, OK, ""},
		{"is forced", there, []Output{{Stdout: "omp/16.2.13"}}, nil, true, []string{"install", "exec", "release"}, true, OK, ""},
		{"is another version", there, []Output{{Stdout: "omp/9.9.9"}, {Stdout: "omp/16.2.13"}}, nil, false, []string{"exec", "install", "exec", "release"}, true, OK, ""},
		{"does not run, before", there, []Output{{Exit: 1}, {Stdout: "omp/16.2.13"}}, nil, false, []string{"exec", "install", "exec", "release"}, true, OK, ""},
		{"is another version all the same", nil, []Output{{Stdout: "omp/9.9.9"}}, nil, false, []string{"install", "exec", "release"}, true, Paused, ""},
		{"says nothing", nil, []Output{{}}, nil, false, []string{"install", "exec", "release"}, true, Paused, ""},
		{"says it elsewhere", nil, []Output{{Stderr: "omp/16.2.13"}}, nil, false, []string{"install", "exec", "release"}, true, Paused, ""},
		{"does not run", nil, []Output{{Exit: 3, Stderr: "no\nluck"}}, nil, false, []string{"install", "exec", "release"}, true, "",
			"Certified oh-my-pi runtime version check failed with exit code 3: no luck"},
		{"hangs", nil, []Output{{}}, errors.New("did not end within 30s"), false, []string{"install", "exec", "release"}, true, "",
			"Certified oh-my-pi runtime version check failed: did not end within 30s"},
	} {
		t.Run(x.name, func(t *testing.T) {
			m := &machine{files: map[string]string{}, answers: x.answers, fails: x.fails}
			for k, v := range x.files {
				m.files[k] = v
			}
			info, err := Ensure(t.Context(), m.effects(), old(), oldest, p, x.force)
			text := ""
			if err != nil {
				text = err.Error()
			}
			if text != x.err || info.Installed != x.installed || info.Handshake.Status != x.status || !slices.Equal(m.did, append(slices.Clone(made), x.did...)) {
				t.Errorf("%+v, %v, did %v", info, err, m.did)
			}
		})
	}
}

// The version is asked by absolute path, in the harness's own home.
func TestTheVersionIsAskedInIsolation(t *testing.T) {
	p := placed(t, "linux")
	m := &machine{files: map[string]string{p.Binary: ""}, answers: []Output{{Stdout: "omp/16.2.13"}}}
	if _, err := Verify(t.Context(), m.effects(), old(), oldest, p); err != nil {
		t.Fatal(err)
	}
	env := []string{"HOME=/root/home/omp", "OMP_AUTH_BROKER_SNAPSHOT_CACHE=/root/auth/omp/omp-auth-broker-snapshot.enc", "PI_CODING_AGENT_DIR=/root/agent/omp"}
	if r := m.runs[0]; !slices.Equal(r.Argv, []string{p.Binary, "--version"}) || r.Dir != p.Home || !slices.Equal(r.Env, env) {
		t.Errorf("%+v", r)
	}
}

func TestOnStandardError(t *testing.T) {
	p, c := placed(t, "linux"), old()
	c.Stderr = true
	m := &machine{files: map[string]string{p.Binary: ""}, answers: []Output{{Stderr: "omp/16.2.13\n", Stdout: "Welcome"}}}
	if info, err := Verify(t.Context(), m.effects(), c, oldest, p); err != nil || info.Handshake.Status != OK {
		t.Errorf("%+v, %v", info, err)
	}
}

// What was installed with an interpreter is started by it, and only from inside of its own directory.
func TestProgram(t *testing.T) {
	p := placed(t, "linux")
	m := &machine{files: map[string]string{p.Binary: "", filepath.Join(p.Runtime, markName): `{"program":["a/bun","b/cli.js"]}`}, answers: []Output{{Stdout: "omp/16.2.13"}}}
	info, err := Verify(t.Context(), m.effects(), old(), oldest, p)
	if want := []string{p.Runtime + "/a/bun", p.Runtime + "/b/cli.js"}; err != nil || !slices.Equal(info.Program, want) {
		t.Errorf("%v, %v", info.Program, err)
	}
	for _, bad := range []string{`{"program":["../../../../bin/sh"]}`, `{"program":[]}`, `{`} {
		m.files[filepath.Join(p.Runtime, markName)] = bad
		if _, err := Verify(t.Context(), m.effects(), old(), oldest, p); err == nil || len(m.runs) != 1 {
			t.Errorf("%s: %v, %d runs", bad, err, len(m.runs))
		}
	}
}
