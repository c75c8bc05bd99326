package gen

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func runCommand(t *testing.T, c Command) (status int, stdout string, err error) {
	t.Helper()
	var out bytes.Buffer
	c.Stdout = &out
	status, err = c.Run()
	return status, out.String(), err
}

func TestCheckSaysSameDifferOrFailed(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "out")
	if status, out, err := runCommand(t, Command{Out: dir}); status != Same || out != "" || err != nil {
		t.Fatalf("write: %d %q %v", status, out, err)
	}
	if status, out, err := runCommand(t, Command{Out: dir, Check: true}); status != Same || out != "" || err != nil {
		t.Errorf("check after write: %d %q %v", status, out, err)
	}
	write(t, filepath.Join(dir, "orphan.txt"), "x\n")
	status, out, err := runCommand(t, Command{Out: dir, Check: true})
	if status != Differ || err != nil || !strings.Contains(out, "--- a/orphan.txt") {
		t.Errorf("check with an orphan: %d %q %v", status, out, err)
	}
	if status, _, err := runCommand(t, Command{Out: dir, HarnessDir: t.TempDir() + "/none", Check: true}); status != Failed || err == nil {
		t.Errorf("no descriptors: %d %v", status, err)
	}
}

func TestABrokenDescriptorWritesNothing(t *testing.T) {
	src, out := t.TempDir(), filepath.Join(t.TempDir(), "out")
	write(t, filepath.Join(src, "x.yaml"), "id: x\nname: X\nevnts: []\n")
	write(t, filepath.Join(src, "y.yaml"), "id: z\nname: Y\n")
	status, _, err := runCommand(t, Command{Out: out, HarnessDir: src})
	if status != Failed || err == nil {
		t.Fatalf("%d %v", status, err)
	}
	for _, want := range []string{src + "/x.yaml:3:1: ", `did you mean "events"`, src + "/y.yaml:1:5: "} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("the error lacks %q:\n%v", want, err)
		}
	}
	if _, err := os.Stat(out); !os.IsNotExist(err) {
		t.Error("something was written")
	}
}

func TestPrint(t *testing.T) {
	_, out, err := runCommand(t, Command{Out: "-"})
	if err != nil || !strings.Contains(out, "==> go/table/all.go <==\n// Code generated") {
		t.Errorf("%v\n%.300s", err, out)
	}
}

func TestValidate(t *testing.T) {
	if faults, n, err := Validate(nil); faults != nil || n < 3 || err != nil {
		t.Errorf("built-in descriptors: %v %d %v", faults, n, err)
	}
	dir := t.TempDir()
	good, bad := filepath.Join(dir, "good.yaml"), filepath.Join(dir, "bad.yaml")
	write(t, good, "id: good\nname: Good\n")
	write(t, bad, "id: bad\nname: [Bad]\nspeed: 1\n")
	faults, n, err := Validate([]string{good, bad})
	if n != 2 || err != nil || faults == nil || !strings.Contains(faults.Error(), bad+":2:7: ") || !strings.Contains(faults.Error(), bad+":3:1: ") {
		t.Errorf("%v %d %v", faults, n, err)
	}
	if _, _, err := Validate([]string{filepath.Join(dir, "none.yaml")}); err == nil {
		t.Error("a file that is not there was no error")
	}
}
