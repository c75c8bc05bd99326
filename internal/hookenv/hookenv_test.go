package hookenv

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestValues(t *testing.T) {
	got := Pairs(Of(`{"T":"a=b c","N":5,"F":1.50,"NEG":-0.25,"BIG":1e21,"UNDER":123456789012345680000,"TINY":1e-7,"SMALL":0.000001,"Z":-0,
		"YES":true,"NO":false,"NULL":null,"O":{"a":1},"L":[1,null,[2,3],{},"x"],"E":"","RAW":"$HOME ~","NUL":"a\u0000b"}`, true))
	want := []string{"BIG=1e+21", "E=", "F=1.5", "L=1,,2,3,[object Object],x", "N=5", "NEG=-0.25", "NO=false", "NULL=null", "O=[object Object]", "RAW=$HOME ~",
		"SMALL=0.000001", "T=a=b c", "TINY=1e-7", "UNDER=123456789012345680000", "YES=true", "Z=0"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	for _, raw := range []string{"", "null", `["A=1"]`, `"A"`, "5"} {
		if got := Of(raw, true); len(got) > 0 {
			t.Errorf("%s gives %v", raw, got)
		}
	}
}

func TestAllowed(t *testing.T) {
	for name, want := range map[string][2]bool{ // of a project, of a user
		"X": {true, true}, "PATH": {true, true}, "LD_PRELOAD": {true, true}, "A-B": {true, true}, "a b": {true, true}, "USER": {true, true}, "TMPDIRS": {true, true},
		"HOME": {false, true}, "home": {false, true}, "TMPDIR": {false, true}, "XDG_CACHE_HOME": {false, true}, "PROGRAMFILES(X86)": {false, true},
		"": {}, "A=B": {}, "A\x00": {}, "LORIMER_TRUST": {}, "lorimer_home": {}, "CLAUDECODE": {}, "CLAUDE_CODE_X": {}, "OTEL_X": {}, "HOME TMP": {true, true},
	} {
		if got := [2]bool{Allowed(name, true), Allowed(name, false)}; got != want {
			t.Errorf("%q: %v, want %v", name, got, want)
		}
	}
}
