package main

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/lorimer-dev/lorimer/internal/goldentest"
	"github.com/lorimer-dev/lorimer/internal/gremlin/engine"
	"github.com/lorimer-dev/lorimer/internal/gremlin/record"
)

func view() engine.View {
	t := time.Date(2026, 11, 30, 12, 0, 0, 0, time.Local)
	text := func(s string) *string { return &s }
	v := engine.View{Now: t, Running: []engine.RunningJob{
		{Job: "j3", Kind: record.Spawn, Base: "B1", Block: text("parser"), Phase: 1, Messages: 12, WallS: 75.4},
		{Job: "j4", Kind: record.Rebase, Base: "B1", Phase: 2, WallS: 4000, Stalled: true},
	}}
	v.Bases = []engine.BaseRow{
		{Base: "B1", Status: record.Active, Model: "model-1", Phase: 1, BaseState: "warm", WarmUntil: record.At(t.Add(42 * time.Minute)), Gremlins: []string{"j2"}},
		{Base: "B0", Status: record.Retired, Model: "model-1", Phase: 1, BaseState: "cold", WarmUntil: record.At(t.Add(-time.Hour))},
	}
	v.Jobs = []engine.JobRow{{Job: "j1", Kind: record.Train, Base: "B1", Phase: 1, Status: record.OK, Ended: record.At(t.Add(-90 * time.Second))}}
	for range 12 {
		v.Jobs = append(v.Jobs, engine.JobRow{Job: "j2", Kind: record.Spawn, Base: "B1", Block: text("lexer"), Phase: 1, Status: record.Killed, Reason: text("orphaned"),
			Flags: []string{record.Stalled, record.ColdStart}, Ended: record.At(t.Add(-5 * time.Second))})
	}
	v.Jobs = append(v.Jobs, engine.JobRow{Job: "j3", Status: record.Running})
	return v
}

func TestTheFrameOfTop(t *testing.T) {
	text := frame(view(), "/somewhere/run.md")
	goldentest.Compare(t, "testdata/top.golden", text)
	lines := strings.Split(cut(text, 20, 6), "\n")
	if len(lines) != 6 || lines[5] != "" {
		t.Errorf("%q", lines)
	}
	for _, l := range lines {
		if len(l) > 20 {
			t.Errorf("%q has more than 20 columns", l)
		}
	}
}

// Whatever ends it, the window is given back as it was.
func TestTopGivesTheWindowBack(t *testing.T) {
	for name, end := range map[string]error{"told to end": nil, "no frame": errors.New("gone")} {
		ctx, cancel := context.WithCancel(t.Context())
		var out bytes.Buffer
		frames := 0
		err := watch(ctx, &out, time.Millisecond, func() (string, error) {
			if frames++; frames < 3 {
				return "one\ntwo\n", nil
			}
			cancel()
			return "", end
		})
		if err != end || !strings.HasPrefix(out.String(), enter+home+"one"+wipe+"\ntwo"+wipe+"\n"+below+home) || !strings.HasSuffix(out.String(), leave) {
			t.Errorf("%s: %v, %q", name, err, out.String())
		}
		cancel()
	}
}

func TestWhoMayWatch(t *testing.T) {
	e, dir := testEngine(t, engine.ChildMarker+"=1")
	if exit, text := said(t, e, "top", "--run", dir+"/run.md"); exit != exitRefused || !strings.Contains(text, "inside a gremlin") {
		t.Errorf("exit %d: %s", exit, text)
	}
	e, dir = testEngine(t)
	if exit, text := said(t, e, "top", "--run", dir+"/run.md", "--every", "1ms"); exit != exitRefused || !strings.Contains(text, "--every") {
		t.Errorf("exit %d: %s", exit, text)
	}
}
