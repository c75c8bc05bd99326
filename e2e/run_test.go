//go:build linux

package e2e

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/lorimer-dev/lorimer/e2e/rig"
	"github.com/lorimer-dev/lorimer/internal/fakemodel"
)

// limit is how long one case may take, all its starts of the host together. Most take one second.
const limit = 90 * time.Second

// patience is the limit of a host: one that takes seconds to start takes many where the machine is busy.
func patience(h *rig.Host) time.Duration {
	if h.Slow {
		return 4 * limit
	}
	return limit
}

// prompt is what the user says unless a case says otherwise: what shells, JSON and terminals like to spoil.
const prompt = "go — “ß” 🐎 \"double\" 'single' \\ back $HOME `tick` <tag> & %s\nsecond line"

// world makes a rig for a case. Failed tests keep theirs when LORIMER_E2E_KEEP is set.
func world(t *testing.T, h *rig.Host, script fakemodel.Script, yaml string) *rig.Rig {
	t.Helper()
	r, err := rig.New(rig.Config{Install: install, Bin: bin, Host: h, Script: script, YAML: yaml})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		stop := r.Close
		if t.Failed() && os.Getenv("LORIMER_E2E_KEEP") != "" {
			t.Logf("kept: %s", r.Dir)
			stop = r.Stop
		}
		if err := stop(); err != nil {
			t.Error(err)
		}
	})
	return r
}

// victim makes the directory that the model tries to remove.
func victim(t *testing.T, r *rig.Rig) {
	t.Helper()
	if err := os.Mkdir(filepath.Join(r.Clone, "hooks", "victim"), 0o755); err != nil {
		t.Fatal(err)
	}
}

// materialize and clean are all that a user does to a project.
var (
	materialize = lorimer("materialize")
	clean       = lorimer("clean")
)

func lorimer(command string) func(context.Context, *rig.Rig) error {
	return func(ctx context.Context, r *rig.Rig) error {
		args := []string{command, r.Clone}
		if r.Host.Trusts && command == "materialize" {
			args = append(args, "--trust")
		}
		_, err := r.Lorimer(ctx, args...)
		return err
	}
}

// once runs the host to its end: one prompt, and where the host is talked to, standard input closed when it has settled.
func once(ctx context.Context, o *outcome, opt rig.Options) error {
	opt.Mode = o.mode
	if opt.Prompt == "" {
		opt.Prompt = prompt
	}
	if o.mode == o.Host.Serve {
		return serve(ctx, o, func(s *rig.Server) error { _, err := converse(ctx, s, "", opt.Prompt); return err })
	}
	p, err := o.Start(opt)
	if err != nil {
		return err
	}
	if o.mode == o.Host.Talk {
		if err := say(ctx, p, opt.Prompt); err != nil {
			return err
		}
	}
	o.exit, err = p.Wait(ctx)
	return err
}

// serve runs the host as a server for as long as f takes.
func serve(ctx context.Context, o *outcome, f func(*rig.Server) error) error {
	s, err := o.Serve(ctx)
	if err != nil {
		return err
	}
	if err := f(s); err != nil {
		return err
	}
	o.exit, err = s.End(ctx)
	return err
}

// converse gives a prompt to a new session, or one that is forked from another, and returns the session when all is done.
func converse(ctx context.Context, s *rig.Server, parent, text string) (string, error) {
	id, err := s.Session(ctx, parent)
	if err == nil {
		err = s.Prompt(ctx, id, text, nil)
	}
	if err == nil {
		err = s.Settled(ctx)
	}
	return id, err
}

// say gives a prompt to a host that is talked to, and returns when it has done with it.
func say(ctx context.Context, p *rig.Process, text string) error {
	before := len(p.Lines())
	if err := p.Send(map[string]string{"id": "p", "type": "prompt", "message": text}); err != nil {
		return err
	}
	return p.Output(ctx, func(lines []string) bool { return settled(lines[min(before, len(lines)):]) })
}

// settled says whether a prompt has come to its end: the run is over, or none was started.
func settled(lines []string) bool {
	for _, l := range lines {
		var m struct {
			Type, Command string
			Success       *bool
			IsTerminal    bool
			NotifyType    string
			Data          struct{ Disposition string }
		}
		if json.Unmarshal([]byte(l), &m) != nil {
			continue
		}
		refused := m.Command == "prompt" && (m.Data.Disposition == "handled" || m.Success != nil && !*m.Success)
		over := m.Type == "agent_settled" || m.Type == "agent_end" && m.IsTerminal
		warned := m.Type == "extension_ui_request" && m.NotifyType == "warning" // all that oh-my-pi says of a refused prompt
		if over || warned || m.Type == "response" && refused {
			return true
		}
	}
	return false
}

// modes calls f for each host and mode, in parallel.
func modes(t *testing.T, hosts []*rig.Host, f func(t *testing.T, h *rig.Host, mode string)) {
	some(t, hosts, func(h *rig.Host) []string { return h.Modes }, f)
}

// some is modes with some of each host's modes.
func some(t *testing.T, hosts []*rig.Host, of func(*rig.Host) []string, f func(t *testing.T, h *rig.Host, mode string)) {
	need(t)
	for _, h := range hosts {
		for _, mode := range of(h) {
			t.Run(h.ID+"/"+mode, func(t *testing.T) {
				t.Parallel()
				f(t, h, mode)
			})
		}
	}
}

// quoted is s as one word of sh.
func quoted(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }
