//go:build linux

package engine_test

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/lorimer-dev/lorimer/internal/gremlin/engine"
	"github.com/lorimer-dev/lorimer/internal/gremlin/record"
)

func TestTrainSpawnContinueRebase(t *testing.T) {
	w := newWorld(t).init()
	b := w.train("B1", script{})
	if b.Job != "j1" || b.Base != "B1" || b.SessionID == nil || len(*b.SessionID) != 36 {
		t.Fatalf("%+v", b)
	}
	r := w.one()
	if r.Status != record.OK || r.Kind != record.Train || r.Method != nil || *r.Session != *b.SessionID || r.Cache != nil || r.BaseState != nil ||
		*r.CostDeltaUSD != 0.25 || *r.Tokens != (record.Tokens{Input: 3, Output: 7, CacheCreation: 1000, CacheCreation1h: 1000}) ||
		!slices.Equal(r.ModelsUsed, []string{"claude-test-1"}) || *r.Turns != 1 || *r.Denials != 0 || len(r.Flags) != 0 || r.Reason != nil {
		t.Errorf("%+v", r)
	}
	s := w.spawn("B1", "P1", script{})
	if s.Method != "fork" || s.BaseState != "warm" || s.WarmUntil.IsZero() || s.RebaseDue || s.RetrainDue || len(s.Reasons) != 0 {
		t.Errorf("%+v", s)
	}
	r = w.one()
	if r.Status != record.OK || *r.Method != "fork" || *r.Cache != "hit" || *r.ParentSession != *b.SessionID || *r.Session == *b.SessionID || *r.Block != "P1" {
		t.Errorf("%+v", r)
	}
	spawned := *r.Session
	c, err := w.Continue(engine.ContinueFlags{Run: w.log, Job: s.Job, Brief: w.brief(script{})})
	if err != nil {
		t.Fatal(err)
	}
	if r = w.one(); r.Job != c.Job || r.Kind != record.Continue || r.Method != nil || *r.Session != spawned || *r.Block != "P1" {
		t.Errorf("%+v", r)
	}
	n, err := w.Rebase(engine.RebaseFlags{Run: w.log, Base: "B1", As: "B2", Phase: 2})
	if err != nil || n.Base != "B2" || n.Parent != "B1" {
		t.Fatalf("%+v, %v", n, err)
	}
	if r = w.one(); r.Kind != record.Rebase || r.Status != record.OK {
		t.Errorf("%+v", r)
	}
	reg := w.registry()
	b1, b2 := reg.Bases["B1"], reg.Bases["B2"]
	if b1.Status != record.Superseded || b1.SupersededBy != "B2" || b2.Status != record.Active || b2.Parent != "B1" || b2.SessionID != *n.SessionID ||
		b2.Phase != 2 || b2.Rebases != 1 || b2.Window != 200000 || b1.Context != 1003 {
		t.Errorf("%+v\n%+v", b1, b2)
	}
	if l := w.ledger(); len(l) != 4 || l[3].Kind != record.Rebase {
		t.Errorf("%d lines in the ledger", len(l))
	}
	list, err := w.List(w.log)
	if err != nil || len(list.Bases) != 2 || len(list.Jobs) != 4 || list.Jobs[1].Method == nil || list.Jobs[0].Method != nil || !slices.Equal(list.Bases[0].Gremlins, []string{s.Job}) {
		t.Errorf("%+v, %v", list, err)
	}
	state := filepath.Join(engine.StateDir(w.log), "registry.json")
	before, _ := os.ReadFile(state)
	v, err := w.Peek(w.log)
	if after, _ := os.ReadFile(state); err != nil || len(v.Bases) != 2 || len(v.Jobs) != 4 || len(v.Running) != 0 || !bytes.Equal(before, after) {
		t.Errorf("%+v, %v; the registry has changed: %v", v, err, !bytes.Equal(before, after))
	}
}
