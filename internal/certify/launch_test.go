package certify

import (
	"slices"
	"strings"
	"testing"
)

func verified(t *testing.T, said string, files ...string) (*machine, Info) {
	t.Helper()
	p := placed(t, "linux")
	m := &machine{files: map[string]string{p.Binary: ""}, answers: []Output{{Stdout: said}}}
	for _, f := range files {
		m.files[f] = ""
	}
	info, err := Verify(t.Context(), m.effects(), old(), oldest, p)
	if err != nil {
		t.Fatal(err)
	}
	return m, info
}

func TestLaunch(t *testing.T) {
	m, info := verified(t, "omp/16.2.13", "/w/clone/.omp/x.js", "/w/clone/.lorimer/manifest.json")
	caller := []string{"HOME=/home/me", "PATH=/bin", "OMP_PROFILE=work", "PI_CONFIG_FILES=/x", "PI_CODING_AGENT_DIR=/y", "TERM=xterm", "PIE=1"}
	s, err := Specify(m.effects(), old(), info, Launch{
		Args: []string{"-p", "hi"}, Dir: "/w/clone/deep", Environ: caller, Shim: ".omp/x.js", Rendezvous: "/run/s",
		Gate: Overlay{Args: []string{"--config", "/g"}, Env: map[string]string{"PI_CONFIG_FILES": "/g"}, Notes: []string{"gated"}},
	})
	if err != nil {
		t.Fatal(err)
	}
	argv := []string{info.Paths.Binary, "--config", "/g", "--trusted-extension", "/w/clone/.omp/x.js", "-p", "hi"}
	if !slices.Equal(s.Argv, argv) {
		t.Errorf("%q", s.Argv)
	}
	// A variable that is set anew is not unset, whatever the patterns say.
	if !slices.Equal(s.Unset, []string{"OMP_PROFILE"}) {
		t.Errorf("%q", s.Unset)
	}
	env := []string{
		"PATH=/bin", "TERM=xterm", "PIE=1",
		"HOME=/root/home/omp", "LORIMER_HOME=/root", "LORIMER_RENDEZVOUS=/run/s", "LORIMER_USER_HOME=/home/me",
		"OMP_AUTH_BROKER_SNAPSHOT_CACHE=/root/auth/omp/omp-auth-broker-snapshot.enc", "PI_CODING_AGENT_DIR=/root/agent/omp", "PI_CONFIG_FILES=/g",
	}
	if got := s.Environ(caller); !slices.Equal(got, env) {
		t.Errorf("%q", got)
	}
	if notes := strings.Join(s.Notes, "\n"); !strings.Contains(notes, "the user's own are left out") || !strings.Contains(notes, "gated") {
		t.Error(notes)
	}
}

// Without hooks in the clone, or a strict form, nothing is added, and the first is said.
func TestLaunchWithoutAShim(t *testing.T) {
	m, info := verified(t, "omp/16.2.13", "/w/.omp/x.js")
	s, err := Specify(m.effects(), old(), info, Launch{Dir: "/w", Shim: ".omp/x.js"})
	if err != nil || len(s.Argv) != 1 || !strings.Contains(strings.Join(s.Notes, "\n"), "no hooks of Lorimer's") {
		t.Errorf("%q %q, %v", s.Argv, s.Notes, err)
	}
	c := old()
	c.Strict = nil
	if s, err := Specify(m.effects(), c, info, Launch{Dir: "/w", Shim: ".omp/x.js"}); err != nil || len(s.Argv) != 1 || len(s.Notes) != 1 {
		t.Errorf("%q %q, %v", s.Argv, s.Notes, err)
	}
}

func TestAPausedRuntimeIsNotLaunched(t *testing.T) {
	m, info := verified(t, "omp/18.2.3")
	_, err := Specify(m.effects(), old(), info, Launch{Dir: "/w"})
	if err == nil || !strings.HasPrefix(err.Error(), "Lorimer launches are paused because oh-my-pi reported 18.2.3") {
		t.Error(err)
	}
}

func TestWhereAPathOfHomeLies(t *testing.T) {
	p, c := placed(t, "linux"), old()
	c.Agent = ".omp/agent"
	for path, want := range map[string]string{
		"": p.Agent, "~/.omp/agent": p.Agent, "~/.omp/agent/mcp.json": p.Agent + "/mcp.json", "~/.omp/agents": p.Home + "/.omp/agents", "~/.omp/logs": p.Home + "/.omp/logs",
	} {
		if got := p.Place(c, path); got != want {
			t.Errorf("%q: %s", path, got)
		}
	}
}

func TestSocketsHaveShortPaths(t *testing.T) {
	if got := Socket("/root", "/tmp", "omp", 7); got != "/root/run/omp-7.sock" {
		t.Error(got)
	}
	if got := Socket("/"+strings.Repeat("r", 100), "/tmp", "omp", 7); got != "/tmp/lorimer-omp-7.sock" {
		t.Error(got)
	}
}

func TestDoctor(t *testing.T) {
	p := placed(t, "linux")
	for _, x := range []struct {
		name, said string
		there      bool
		want       []string
	}{
		{"well", "omp/16.2.13", true, []string{"Lorimer doctor", "Certified runtime installed: yes", "Version handshake: ok (16.2.13)", "Isolated omp config: present", "All checks passed."}},
		{"another", "omp/18.2.3", true, append([]string{"Lorimer doctor", "Certified runtime installed: yes", "Version handshake: MISMATCH (reported 18.2.3, certified 16.2.13)", "Isolated omp config: present"},
			arrows(Shake(old(), oldest, "18.2.3").Doctor)...)},
		{"absent", "", false, []string{"Lorimer doctor", "Certified runtime installed: NO", "Version handshake: MISSING", "Isolated omp config: present", "  → Run `lorimer runtime ensure omp`."}},
	} {
		m := &machine{files: map[string]string{}, answers: []Output{{Stdout: x.said}}}
		if x.there {
			m.files[p.Binary] = ""
		}
		k := Examine(t.Context(), m.effects(), old(), oldest, p)
		if got := k.Lines(); !slices.Equal(got, x.want) || k.Healthy != (x.name == "well") {
			t.Errorf("%s: %q", x.name, got)
		}
		if slices.Contains(m.did, "install") || slices.ContainsFunc(m.did, func(s string) bool { return strings.HasPrefix(s, "mkdir") }) {
			t.Errorf("%s: the doctor changed something: %v", x.name, m.did)
		}
	}
	m := &machine{files: map[string]string{p.Binary: ""}, links: map[string]string{p.Agent: "/home/me/.omp"}, answers: []Output{{Stdout: "omp/16.2.13"}}}
	if k := Examine(t.Context(), m.effects(), old(), oldest, p); k.Healthy || k.Isolated {
		t.Errorf("%+v", k)
	}
}

func arrows(lines []string) (all []string) {
	for _, l := range lines {
		all = append(all, "  → "+l)
	}
	return all
}
