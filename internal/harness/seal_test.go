package harness

import (
	"strings"
	"testing"
)

func TestSeal(t *testing.T) {
	const shim = "// head\n\nconst CONFIG = {\"protocol\":1,\"harness\":\"x\",\"dispatcher\":[],\"events\":[],\"fail_closed\":[],\"max_continuations\":8}; // the line\ncode();\n"
	sealed := string(Sealed([]byte(shim)))
	other, err := WithConfig([]byte(sealed), func(c *ShimConfig) { c.Portable = "../.." })
	if err != nil || !Intact([]byte(sealed)) || !Intact(other) {
		t.Fatalf("%v\n%s", err, other)
	}
	newer := strings.Replace(sealed, `"protocol":1`, `"protocol":7,"unheard":[1]`, 1)
	if !Intact([]byte(newer)) {
		t.Error("the CONFIG of another version breaks the seal")
	}
	for what, broken := range map[string]string{
		"no seal": shim, "code": strings.Replace(sealed, "code()", "kode()", 1), "head": strings.Replace(sealed, "// head", "// heed", 1),
		"behind it": sealed + "// x\n", "the seal": strings.Replace(sealed, "sha256 ", "sha256 0", 1), "nothing": "",
	} {
		if Intact([]byte(broken)) {
			t.Errorf("%s: intact", what)
		}
	}
}
