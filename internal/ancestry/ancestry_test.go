package ancestry

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// fake is a process table: number to parent; a negative parent cannot be read.
type fake map[int]int

func (f fake) look(pid int) (Process, int, error) {
	parent, ok := f[pid]
	if !ok || parent < 0 {
		return Process{}, 0, errors.New("closed")
	}
	return Process{PID: pid}, parent, nil
}

func TestRead(t *testing.T) {
	long := fake{}
	for i := 1; i < 1000; i++ {
		long[i] = i + 1
	}
	for _, c := range []struct {
		about string
		table fake
		want  int
		fails bool
	}{
		{"up to the first", fake{5: 3, 3: 1, 1: 0}, 3, false},
		{"in a circle", fake{5: 3, 3: 5}, 2, false},
		{"its own parent", fake{5: 5}, 1, false},
		{"closed from somewhere on", fake{5: 3, 3: 2, 2: -1}, 2, true},
		{"closed", fake{}, 0, true},
		{"without an end", long, deepest, false},
	} {
		start := 5
		list, err := read(start, c.table.look)
		if len(list) != c.want || (err != nil) != c.fails {
			t.Errorf("%s: %d processes, %v; want %d", c.about, len(list), err, c.want)
		}
		if err != nil && !strings.Contains(err.Error(), "closed") {
			t.Errorf("%s: %v does not say why", c.about, err)
		}
	}
}

// The system's table has at least our parent in it, which is `go test`, and shows us what runs there.
func TestReadOfTheSystem(t *testing.T) {
	list, err := Read()
	if err != nil && len(list) == 0 {
		t.Fatal(err)
	}
	p := list[0]
	if p.PID != os.Getppid() || len(p.Names()) == 0 || len(p.Args) == 0 {
		t.Errorf("the parent is %+v", p)
	}
}

// People let monitors in containers look at the host by HOST_PROC. Our ancestors are not there.
func TestReadTakesNoOtherTable(t *testing.T) {
	t.Setenv("HOST_PROC", t.TempDir())
	if list, err := Read(); len(list) == 0 {
		t.Error(err)
	}
}

// Packages put a link to their script on PATH.
func TestScriptsFollowLinks(t *testing.T) {
	dir := t.TempDir()
	script := filepath.Join(dir, "package", "cli.js")
	if err := os.MkdirAll(filepath.Dir(script), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(script, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(script, filepath.Join(dir, "agent")); err != nil {
		t.Skip("no links here: ", err)
	}
	for _, p := range []Process{
		{Exe: "/usr/bin/node", Args: []string{"node", filepath.Join(dir, "agent")}},
		{Exe: "/usr/bin/node", Args: []string{"node", "agent"}, Dir: dir},
	} {
		scripts := p.Scripts()
		if len(scripts) != 2 || !strings.HasSuffix(scripts[1], "/package/cli.js") {
			t.Errorf("%v: %v", p.Args, scripts)
		}
		if names := p.Names(); names[len(names)-1] != "agent" {
			t.Errorf("%v goes by %v", p.Args, names)
		}
	}
}
