package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"strings"

	"github.com/lorimer-dev/lorimer/golden"
	"github.com/lorimer-dev/lorimer/internal/certify"
	"github.com/lorimer-dev/lorimer/internal/gate"
	"github.com/lorimer-dev/lorimer/internal/gate/prove"
	"github.com/lorimer-dev/lorimer/internal/harness"
)

// gated renders the gate of a session and, unless only shown, writes it into the agent's own directory of the runtime, where
// nothing of the user's is. Without --unlock there is none.
func (r runtimeOf) gated(c gate.Command, given, onlyShown bool) (certify.Overlay, error) {
	if !given {
		return certify.Overlay{}, nil
	}
	c.Golden, c.ID = golden.FS, r.row.ID
	g, err := c.Gate()
	if err != nil {
		return certify.Overlay{}, err
	}
	unlocked, err := g.Unlocked(c.Unlock)
	if err != nil {
		return certify.Overlay{}, err
	}
	o, err := g.Overlay(unlocked, r.paths.Place(r.row, g.Dir))
	if err != nil {
		return certify.Overlay{}, err
	}
	if !onlyShown {
		if _, err := o.Write(gate.OS); err != nil {
			return certify.Overlay{}, err
		}
	}
	out := certify.Overlay{Args: o.Argv, Env: map[string]string{}, Notes: []string{gateNote(unlocked)}}
	for _, v := range o.Env {
		name, value, _ := strings.Cut(v, "=")
		out.Env[name] = value
	}
	return out, nil
}

func gateNote(unlocked []string) string {
	if len(unlocked) == 0 {
		return "every feature of its gate is locked"
	}
	return "unlocked by its gate: " + strings.Join(unlocked, ", ")
}

// gates is the proof that the gate holds on the program.
func (r runtimeOf) gates(ctx context.Context, info certify.Info) (p certify.Proof, err error) {
	if _, err := fs.Stat(golden.FS, harness.GateData(r.row.ID)); err != nil {
		return certify.Proof{Count: "the descriptor has none"}, nil
	}
	g, err := gate.Command{Golden: golden.FS, ID: r.row.ID}.Gate()
	if err != nil {
		return p, err
	}
	if g.Prove == nil {
		return certify.Proof{Count: "nothing shows whether they hold"}, nil
	}
	var fake harness.Fake
	data, err := golden.FS.ReadFile(harness.FakeData(r.row.ID))
	if err != nil {
		return p, err
	}
	if err := json.Unmarshal(data, &fake); err != nil || fake.Real == nil {
		return p, fmt.Errorf("%s cannot be run with a model of ours: its descriptor has no fake.real", r.row.Name)
	}
	exe, err := os.Executable()
	if err != nil {
		return p, err
	}
	report, err := prove.Run(ctx, prove.Config{Gate: g, Real: *fake.Real, Program: info.Program, Server: []string{exe, demoServerWord}})
	if err != nil {
		return p, err
	}
	for _, x := range report.Rows {
		if !x.OK {
			p.Broken = append(p.Broken, fmt.Sprintf("%s is %s when locked and %s when not; expected: %s when locked", x.Capability, x.Locked, x.Unlocked, x.Says))
		}
	}
	p.Count = fmt.Sprintf("%d capabilities hold", len(report.Rows)-len(p.Broken))
	p.Broken = append(p.Broken, report.Faults...)
	return p, nil
}
