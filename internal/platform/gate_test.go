package platform

import (
	"strings"
	"testing"
)

func posix(host, distro, release string) *Posix {
	return &Posix{Host: host, Getenv: func(name string) string {
		if name == "WSL_DISTRO_NAME" {
			return distro
		}
		return ""
	}, OSRelease: func() string { return release }}
}

func TestTheGateIsOpenWhereTheSuiteRuns(t *testing.T) {
	for _, c := range []struct {
		name   string
		p      Platform
		reason string
	}{
		{"linux", posix("linux", "", "6.1.0-13-amd64"), ""},
		{"windows", NewWindows(), ""},
		{"darwin", posix("darwin", "", ""), "this is darwin. Use fresh"},
		{"wsl by variable", posix("linux", "Ubuntu", ""), "this is linux, WSL. Use fresh"},
		{"wsl by kernel", posix("linux", "", "5.15.90.1-Microsoft-standard-WSL2"), "this is linux, WSL. Use fresh"},
		{"freebsd", posix("freebsd", "", ""), "this is freebsd. Use fresh"},
	} {
		t.Run(c.name, func(t *testing.T) {
			g := Check(c.p, "1.2.3", func(string) string { return "" })
			if (g.Reason == "") != (c.reason == "") || !strings.Contains(g.Reason, c.reason) || g.Overridden || g.Warning() != "" {
				t.Errorf("%+v", g)
			}
			if g.Reason != "" && !strings.HasPrefix(g.Reason, "gremlins 1.2.3 runs on Linux and Windows; ") {
				t.Error(g.Reason)
			}
			if (g.Reason == "") != c.p.Supported() {
				t.Error("the gate does not follow Supported")
			}
		})
	}
}

func TestTheGateCanBeOpenedForACall(t *testing.T) {
	for value, opens := range map[string]bool{"1": true, "": false, "0": false, "yes": false} {
		g := Check(posix("darwin", "", ""), "1", func(name string) string {
			if name == Override {
				return value
			}
			return ""
		})
		if g.Overridden != opens || (g.Reason == "") != opens || (g.Warning() != "") != opens {
			t.Errorf("%q: %+v", value, g)
		}
	}
	if g := Check(NewWindows(), "1", func(string) string { return "1" }); g.Overridden {
		t.Error("an open gate was overridden")
	}
}

func TestDescriptions(t *testing.T) {
	if d := posix("darwin", "", "").Describe(); d != (Description{Name: "posix", SysPlatform: "darwin", Detach: "setsid"}) {
		t.Errorf("%+v", d)
	}
	d := NewWindows().Describe()
	if d.Name != "windows" || d.WSL || !d.Supported || d.Detach != "cim-hidden" {
		t.Errorf("%+v", d)
	}
	if Current.Name() != Select().Name() {
		t.Error("two platforms on one host")
	}
}

func TestFILETIME(t *testing.T) {
	if got, ok := NewWindows().CtimeOf(0.5); !ok || got != 116_444_736_005_000_000 {
		t.Errorf("%d, %v", got, ok)
	}
}
