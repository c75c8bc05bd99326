package proc

import (
	"context"
	"maps"
	"slices"
	"testing"
	"time"

	"github.com/lorimer-dev/lorimer/internal/platform"
)

// table is a platform whose processes are made up. A negative birth cannot be read, as with a process of another user.
type table struct {
	*platform.Posix
	procs  map[int]row
	killed []int
	tree   []int
	immune map[int]bool
}

type row struct {
	parent int
	born   platform.Ctime
	name   string
}

func (f *table) Ctime(pid int) (platform.Ctime, bool) {
	p, ok := f.procs[pid]
	return max(p.born, 0), ok && p.born > 0
}

func (f *table) Alive(pid int, ctime platform.Ctime) bool {
	p, ok := f.procs[pid]
	return ok && (ctime == 0 || p.born <= 0 || p.born == ctime)
}

func (f *table) Processes() (all []platform.Process) {
	for _, pid := range slices.Sorted(maps.Keys(f.procs)) {
		all = append(all, platform.Process{PID: pid, Parent: f.procs[pid].parent, Name: f.procs[pid].name})
	}
	return all
}

func (f *table) Ask(int) {}

func (f *table) Terminate(pid int) bool {
	f.killed = append(f.killed, pid)
	if !f.immune[pid] {
		delete(f.procs, pid)
	}
	return !f.immune[pid]
}

func (f *table) TreeKill(pid int) *int {
	f.tree = append(f.tree, pid)
	rc := 128
	return &rc
}

func fake(procs map[int]row) *table { return &table{Posix: platform.NewPosix(), procs: procs} }

func pidsOf(records []Record) (pids []int) {
	for _, r := range records {
		pids = append(pids, r.PID)
	}
	slices.Sort(pids)
	return pids
}

func TestWhoBelongsToTheTree(t *testing.T) {
	procs := map[int]row{
		10: {1, 100, "root"}, 11: {10, 110, "child"}, 12: {11, 120, "grandchild"}, 13: {10, 90, "older: of the one that had pid 10 before"},
		14: {10, -1, "birth unknown"}, 15: {1, 130, "stranger"}, 16: {13, 140, "child of the older"}, 17: {17, 150, "its own parent"},
	}
	j := &Job{Platform: fake(procs), Root: Record{10, 100, "root"}}
	if got := pidsOf(j.Alive()); !slices.Equal(got, []int{10, 11, 12, 14}) {
		t.Errorf("%v", got)
	}
	for name, c := range map[string]struct {
		until platform.Ctime
		want  []int
	}{
		"time of death unknown":                 {0, nil},
		"born before it":                        {115, []int{11, 12}},
		"born after it: somebody else's by now": {105, nil},
	} {
		dead := maps.Clone(procs)
		delete(dead, 10)
		j := &Job{Platform: fake(dead), Root: Record{10, 100, "root"}, Until: c.until}
		if got := pidsOf(j.Alive()); !slices.Equal(got, c.want) {
			t.Errorf("%s: %v", name, got)
		}
	}
}

func TestAPidThatIsUsedAgainIsNotEnded(t *testing.T) {
	f := fake(map[int]row{10: {1, 500, "somebody"}, 11: {10, 600, "a child of that"}})
	j := &Job{Platform: f, Root: Record{10, 100, "root"}, Until: 200}
	if k := j.Kill(context.Background(), 0, time.Second); k.Any || len(f.killed)+len(f.tree) > 0 {
		t.Errorf("%+v; killed %v, %v", k, f.killed, f.tree)
	}
}

// Where a process may not be asked for its birth, its name in the table decides.
func TestTheNameDecidesOnlyWhereTheBirthIsUnknown(t *testing.T) {
	for name, c := range map[string]struct {
		now  row
		want int
	}{
		"same name":          {row{1, -1, "tool"}, 1},
		"another name":       {row{1, -1, "somebody"}, 0},
		"known, renamed":     {row{1, 110, "renamed by exec"}, 1},
		"known, another one": {row{1, 111, "tool"}, 0},
	} {
		f := fake(map[int]row{11: c.now})
		f.immune = map[int]bool{11: true}
		j := &Job{Platform: f, Root: Record{10, 100, "root"}}
		j.Remember([]Record{{11, 110, "tool"}})
		k := j.Kill(context.Background(), 0, 20*time.Millisecond)
		if len(k.Survivors) != c.want || k.Any != (c.want > 0) {
			t.Errorf("%s: %+v", name, k)
		}
	}
}

func TestSurvivorsAreNamed(t *testing.T) {
	f := fake(map[int]row{10: {1, 100, "root"}, 11: {10, 110, "stuck"}})
	f.immune = map[int]bool{11: true}
	k := (&Job{Platform: f, Root: Record{10, 100, "root"}}).Kill(context.Background(), 0, 30*time.Millisecond)
	if !slices.Equal(k.Survivors, []Record{{11, 110, "stuck"}}) || *k.TreeRC != 128 || !slices.Equal(f.tree, []int{10}) {
		t.Errorf("%+v", k)
	}
}

func TestWeNeverEndOurselves(t *testing.T) {
	f := fake(map[int]row{10: {1, 100, "root"}, self: {10, 110, "us"}})
	(&Job{Platform: f, Root: Record{10, 100, "root"}}).Kill(context.Background(), 0, time.Second)
	if slices.Contains(f.killed, self) {
		t.Error("we did")
	}
}
