//go:build linux

package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/lorimer-dev/lorimer/e2e/rig"
	"github.com/lorimer-dev/lorimer/internal/fakemodel"
)

const (
	prompt  = "Tidy up, then you are done."
	rm      = "rm -rf build"
	tests   = "./run-tests"
	early   = "I am done."
	late    = "The tests pass. Now I am done."
	noRm    = "rm -rf is not allowed in this project. Leave build/ alone."
	notYet  = "Not yet: run ./run-tests before you stop."
	passed  = "all 3 tests passed"
	hookLog = "hooks.log"
)

// story is what happens with one host, and what was seen of it.
type story struct {
	host  *rig.Host
	rig   *rig.Rig
	exit  rig.Exit
	log   fakemodel.Log
	build bool // build/ was there when the model had read the block
}

func newStory(h *rig.Host) *story { return &story{host: h} }

// script is the model's part: it tries to remove build, stops too early, runs the tests when it is told to, and stops.
// Looked at between the first two turns is whether the directory is still there.
func (s *story) script() fakemodel.Script {
	shell := func(line string) fakemodel.Step {
		return fakemodel.Use(s.host.Shell, map[string]any{"command": line})
	}
	steps := fakemodel.Steps(shell(rm), fakemodel.Say(early), shell(tests), fakemodel.Say(late))
	return func(r fakemodel.Request) fakemodel.Step {
		if r.Turn == 2 {
			s.build = s.has("build/precious.txt")
		}
		return steps(r)
	}
}

func (s *story) has(path string) bool {
	_, err := os.Stat(filepath.Join(s.rig.Clone, path))
	return err == nil
}

// tell runs the host, shows what was seen, and returns what did not happen as it should have.
func (s *story) tell(ctx context.Context, p *printer, r *rig.Rig, version string) error {
	s.rig = r
	p.title(fmt.Sprintf("%s %s", s.host.Name, version))
	p.step("the user asks", prompt)
	for _, f := range []string{hookLog, "tests.ok"} {
		if err := os.RemoveAll(filepath.Join(r.Clone, f)); err != nil {
			return err
		}
	}
	host, err := r.Start(rig.Options{Prompt: prompt})
	if err != nil {
		return err
	}
	if s.exit, err = host.Wait(ctx); err != nil {
		return err
	}
	s.log = r.Model.Requests()
	return s.scenes(p)
}

// scenes goes through the conversation as the model saw it.
func (s *story) scenes(p *printer) error {
	var errs []error
	expect := func(ok bool, what string, seen any) {
		if !ok {
			errs = append(errs, fmt.Errorf("%s: expected %s, saw: %v", s.host.Name, what, seen))
		}
	}
	for _, m := range s.after(prompt) {
		for _, part := range m.Parts {
			s.scene(p, m.Role, part)
		}
	}
	if strings.Contains(s.exit.Stdout, late) { // the last answer is in no request
		p.step("the model says", late)
	}
	p.step("it ends", fmt.Sprintf("exit status %d after %.1f s", s.exit.Code, s.exit.Took.Seconds()))

	hooks, _ := os.ReadFile(filepath.Join(s.rig.Clone, hookLog))
	results := s.log.Results()
	expect(len(s.log) == 4, "four requests to the model", len(s.log))
	expect(len(results) == 2, "two tool calls", results)
	expect(s.build && s.has("build/precious.txt"), "build/ still there", "it is gone")
	expect(s.has("tests.ok"), "tests.ok written by the tests", "it is not there")
	expect(string(hooks) == s.host.ID+": no-rm blocked a call\n"+s.host.ID+": tests-first held the stop\n", "each hook to act once", string(hooks))
	expect(s.exit.Code == 0, "exit status 0", s.exit)
	expect(strings.Contains(s.exit.Stdout, late), "the answer on standard output", s.exit.Stdout)
	if len(results) == 2 {
		expect(strings.HasSuffix(results[0].Text, noRm), "the hook's reason as the answer to "+rm, results[0].Text)
		expect(strings.Contains(results[1].Text, passed), "the tests' output", results[1].Text)
	}
	_, goesOn := s.log.First(notYet)
	expect(goesOn, "the reason of the held stop to reach the model", "it did not")
	return errors.Join(errs...)
}

// after returns the last conversation from behind the message with that text.
func (s *story) after(text string) []fakemodel.Message {
	if len(s.log) == 0 {
		return nil
	}
	all := s.log[len(s.log)-1].Messages
	for i, m := range all {
		if m.Role == "user" && strings.Contains(m.Text(), text) {
			return all[i+1:]
		}
	}
	return nil
}

// scene shows one part of a message, and beside it what hooks and disk say about it.
func (s *story) scene(p *printer, role string, part fakemodel.Part) {
	switch {
	case part.Kind == fakemodel.Called:
		p.step("the model calls", part.Name+"  "+commandOf(part.Input))
	case part.Kind == fakemodel.Result && strings.Contains(part.Text, noRm):
		p.blocked("no-rm blocks", s.onDisk())
		p.step("the model reads", excerpt(part.Text, noRm))
	case part.Kind == fakemodel.Result:
		p.step("the tool ran", strings.TrimSpace(part.Text))
	case role == "assistant":
		p.step("the model says", part.Text)
	case strings.Contains(part.Text, notYet) && role == "user":
		p.blocked("tests-first holds the stop", "")
		p.step("the model reads", excerpt(part.Text, notYet))
	}
}

func (s *story) onDisk() string {
	if s.build {
		return "build/ is still there"
	}
	return "but build/ is gone"
}

func commandOf(input json.RawMessage) string {
	var in struct{ Command string }
	if json.Unmarshal(input, &in) != nil {
		return string(input)
	}
	return in.Command
}

// excerpt is the line of the text that has the reason in it: hosts put some of their own around it.
func excerpt(text, reason string) string {
	for line := range strings.Lines(text) {
		if strings.Contains(line, reason) {
			return strings.TrimSpace(line)
		}
	}
	return text
}
