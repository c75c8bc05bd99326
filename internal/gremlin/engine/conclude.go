package engine

import (
	"bytes"
	"fmt"
	"os"
	"slices"
	"strconv"
	"time"

	"github.com/lorimer-dev/lorimer/internal/gremlin/driver"
	"github.com/lorimer-dev/lorimer/internal/gremlin/record"
	"github.com/lorimer-dev/lorimer/internal/gremlin/store"
	"github.com/lorimer-dev/lorimer/internal/gremlin/warm"
	"github.com/lorimer-dev/lorimer/internal/harness"
)

// ending is how a job ended.
type ending struct {
	status, reason string
	flags          []string
	stream         *driver.Stream
	known          []record.Process
	survivors      []record.Process
	treeRC         *int
	wall           time.Duration
	stalled        bool
}

// conclude writes a job's result, tells the ledger, and lets the registry follow, in that order: whoever finds a job running whose
// supervisor is gone finds its result there, if there was one.
func (r *run) conclude(id string, end ending) error {
	return r.changeJob(id, func(reg *record.Registry, j *record.Job) error {
		if j.Status != record.Running {
			return nil
		}
		d, err := r.e.driver(reg.Launch.Harness)
		if err != nil {
			return err
		}
		b := reg.Bases[j.Base]
		j.Status, j.Reason, j.Ended = end.status, end.reason, r.e.now()
		j.HeadAtEnd = r.head(reg.Launch.CWD)
		j.Known, j.Survivors, j.TreeKillRC = []record.Process{}, orEmpty(end.survivors), end.treeRC
		j.Raise(end.flags...)
		if !end.stalled {
			j.Lower(record.Stalled)
		}
		res := r.result(reg, d, b, j, end)
		r.settle(reg, d, b, j, &res, end)
		res.Flags = slices.Clone(j.Flags)
		if err := r.dir.WriteJSON(r.file("results", id+".json"), res); err != nil {
			return err
		}
		return r.tellLedger(res)
	})
}

func orEmpty(list []record.Process) []record.Process {
	if list == nil {
		return []record.Process{}
	}
	return list
}

// result is what a job says of itself.
func (r *run) result(reg *record.Registry, d *harness.Driver, b *record.Base, j *record.Job, end ending) record.Result {
	res := record.Result{
		Job: j.Job, Kind: j.Kind, Method: j.Method, Base: j.Base, Block: record.Or(j.Block), Phase: j.Phase, Status: j.Status,
		Fingerprint: warm.Fingerprint(d.Prefix, j.Facts), ParentSession: record.Or(j.ParentSession), ModelsUsed: []string{},
		BaseState: record.Or(j.BaseState), WallS: float64(end.wall.Milliseconds()) / 1000, Raw: "raw/" + j.Job + ".jsonl",
		Paths: j.Paths, Reason: record.Or(j.Reason), ModelRequested: j.Facts["model"],
	}
	if note := noteOf(j.Block); j.Block != "" && exists(r.file(note)) {
		res.Note = &note
	}
	if end.stream == nil {
		res.Session = record.Or(j.Session)
		return res
	}
	if id, ok := end.stream.Fact("session"); ok {
		j.Session = id
	}
	res.Session = record.Or(j.Session)
	res.ModelsUsed = append(res.ModelsUsed, end.stream.Set("model")...)
	res.Turns, res.Denials = integer(end.stream, "turns"), integer(end.stream, "denials")
	r.bill(reg, d, b, j, &res, end)
	return res
}

func integer(s *driver.Stream, fact string) *int {
	text, _ := s.Fact(fact)
	n, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return nil
	}
	i := int(n)
	return &i
}

// bill fills in what the job used, and what that says of the cache.
func (r *run) bill(reg *record.Registry, d *harness.Driver, b *record.Base, j *record.Job, res *record.Result, end ending) {
	u := end.stream.Usage()
	if d.Usage != nil && d.Usage.PerSession {
		u = r.beyond(reg, j, u)
	}
	if !u.Told {
		return
	}
	if end.stream.Disagrees() {
		j.Raise(record.UsageMismatch)
	}
	t := tokens(u)
	res.Tokens = &t
	res.CostDeltaUSD = u.Cost(d.Prices, plainModel(j.Facts["model"]))
	j.Context = contextOf(end.stream, u)
	if b == nil || j.Kind == record.Train {
		return
	}
	share := 0.0
	if d.Cache != nil {
		share = d.Cache.MinRead
	}
	bill := warm.Bill{Input: u.Input, Read: u.Read, Write: u.Write, Write1h: u.Write1h}
	res.Cache = record.Or(string(warm.Judge(bill, b.Context, share)))
	if slices.Contains(record.HitKinds, j.Kind) && (b.TTLS > 0 && j.BaseState == string(warm.Cold) || res.Cache != nil && *res.Cache == string(warm.Miss)) {
		j.Raise(record.ColdStart)
	}
	if warm.Downgraded(bill, seconds(b.TTLS)) {
		j.Raise(record.TTLDowngrade)
	}
	if warm.Jumped(b.Touch.Warm(), r.e.Now()) {
		j.Raise(record.ClockJump)
	}
}

// beyond is what a job used where its harness tells what its whole session has used, with what that began with. A fork that told
// nothing before its end still began with its parent's.
func (r *run) beyond(reg *record.Registry, j *record.Job, total driver.Usage) driver.Usage {
	before, known := reg.Totals[j.Session]
	if !known {
		before = reg.Totals[j.ParentSession]
	}
	if reg.Totals == nil {
		reg.Totals = map[string]record.Tokens{}
	}
	switch {
	case j.Session == "": // ended before it was told
		return total
	case !total.Told:
		reg.Totals[j.Session] = before
		return total
	}
	reg.Totals[j.Session] = tokens(total)
	return total.Since(before.Usage())
}

func tokens(u driver.Usage) record.Tokens {
	return record.Tokens{
		Input: u.Input, Output: u.Output, CacheCreation: u.Write, CacheCreation1h: u.Write1h, CacheCreation5m: u.Write - u.Write1h,
		CacheRead: u.Read,
	}
}

// contextOf is the size of the last request, in tokens: as the stream tells it, else what a run used that called no tool, which was
// one request. 0 = not known.
func contextOf(s *driver.Stream, u driver.Usage) (n int64) {
	told := false
	for _, fact := range []string{"context_input", "context_read", "context_write"} {
		if text, ok := s.Fact(fact); ok {
			v, _ := strconv.ParseFloat(text, 64)
			n += int64(v)
			told = true
		}
	}
	if told || len(s.Set("tool_starts")) > 0 {
		return n
	}
	return u.Input + u.Read + u.Write
}

// settle is what a job's end means for its base, and for a base that it makes.
func (r *run) settle(reg *record.Registry, d *harness.Driver, b *record.Base, j *record.Job, res *record.Result, end ending) {
	if b != nil && res.Tokens != nil && res.Tokens.CacheRead+res.Tokens.CacheCreation > 0 && j.Kind != record.Train {
		b.Touch, b.LastState = r.e.touch(), string(warm.Warm)
	}
	switch {
	case j.Kind == record.Train && b != nil && j.Status == record.OK:
		r.trained(b, j, end)
		if old := reg.Bases[j.Supersedes]; old != nil && j.Supersedes != b.Base {
			supersede(old, b.Base, j.Ended)
		}
	case j.Kind == record.Train && b != nil:
		delete(reg.Bases, b.Base) // a base that nobody trained is none: its name is free again
	case j.Kind == record.Rebase && j.Status == record.OK && b != nil:
		r.rebased(reg, b, j, end)
	}
	switch j.Reason {
	case record.ReasonOrphaned:
		j.Raise(record.Orphaned)
	case record.ReasonExpire:
		j.Raise(record.Expired)
	}
}

func (r *run) trained(b *record.Base, j *record.Job, end ending) {
	b.Status, b.SessionID, b.TrainedAt, b.Touch, b.Context = record.Active, j.Session, j.Ended, r.e.touch(), j.Context
	b.LastState = string(warm.Warm)
	if end.stream != nil {
		if w := integer(end.stream, "window"); w != nil {
			b.Window = int64(*w)
		}
	}
}

func supersede(old *record.Base, by string, at record.Stamp) {
	if old.Status != record.Active {
		return // what happened to it first stands
	}
	old.Status, old.SupersededBy, old.SupersededAt = record.Superseded, by, at
}

// rebased makes the new base. When the old one has stopped being active meanwhile, the new one is no more active than that.
func (r *run) rebased(reg *record.Registry, old *record.Base, j *record.Job, end ending) {
	b := &record.Base{
		Base: j.As, Phase: j.Phase, Created: j.Ended, Parent: old.Base, Rebases: old.Rebases + 1, Launch: old.Launch,
		TTLS: old.TTLS, Window: old.Window, Gremlins: []string{}, Facts: j.Facts,
	}
	r.trained(b, j, end)
	reg.Bases[j.As] = b
	if old.Status == record.Active {
		supersede(old, j.As, j.Ended)
		return
	}
	j.Inactive = old.Base + " was " + old.Status + " when the rebase ended"
	j.Raise(record.ParentInactive)
	switch b.Status = old.Status; old.Status {
	case record.Superseded:
		b.SupersededBy, b.SupersededAt = old.SupersededBy, j.Ended
	case record.Retired:
		b.RetiredAt = j.Ended
	}
}

// adopt finishes a job whose supervisor is gone: as the result says that it left, or as given. What it used is read once more
// from what the harness printed.
func (r *run) adopt(d *harness.Driver, id string, end ending) error {
	end.stream = r.reread(d, id)
	var res record.Result
	if store.ReadJSON(r.file("results", id+".json"), &res) == nil {
		end.status, end.flags, end.wall = res.Status, res.Flags, time.Duration(res.WallS*float64(time.Second))
		if end.reason = ""; res.Reason != nil {
			end.reason = *res.Reason
		}
	}
	return r.conclude(id, end)
}

// reread is the stream of a job as raw/<job>.jsonl has it.
func (r *run) reread(d *harness.Driver, id string) *driver.Stream {
	s := driver.NewStream(d)
	torn, _ := store.Lines(r.file("raw", id+".jsonl"), func(line []byte) error { s.Line(line); return nil })
	s.Line(torn)
	return s
}

// tellLedger appends a result, unless a crash came just after that was done.
func (r *run) tellLedger(res record.Result) error {
	found := false
	store.Lines(r.file("ledger.jsonl"), func(line []byte) error {
		found = found || bytes.HasPrefix(line, []byte(`{"job":"`+res.Job+`"`))
		return nil
	})
	if found {
		return nil
	}
	torn, err := r.dir.Append(r.file("ledger.jsonl"), res)
	if torn != nil {
		fmt.Fprintf(os.Stderr, "ledger.jsonl ended in the middle of a line, which was taken off: %q\n", torn)
	}
	return err
}
