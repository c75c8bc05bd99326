//go:build unix

package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/lorimer-dev/lorimer/internal/gremlin/fakeagent"
	"github.com/lorimer-dev/lorimer/internal/gremlin/record"
	"github.com/lorimer-dev/lorimer/internal/platform"
)

// settle ends what still runs and waits for the end of it.
func (s *soak) settle() error {
	for end := time.Now().Add(2 * time.Minute); time.Now().Before(end); time.Sleep(100 * time.Millisecond) {
		_, _ = s.call("expire", "--base", "B1")
		_, _ = s.call("wait", "--all", "--timeout-s", "20")
		reg, err := s.registry()
		if err != nil {
			return err
		}
		if running(reg) == 0 && len(platform.Environ(mark+"="+s.dir)) == 0 {
			return nil
		}
	}
	return fmt.Errorf("two minutes after the end there still run %v", platform.Environ(mark+"="+s.dir))
}

func running(reg record.Registry) (n int) {
	for _, j := range reg.Jobs {
		if j.Status == record.Running {
			n++
		}
	}
	return n
}

// check holds registry, ledger and the agents' own bills against each other.
func (s *soak) check() error {
	reg, err := s.registry()
	if err != nil {
		return err
	}
	ledger, err := lines[record.Result](s.file("run-gremlins/ledger.jsonl"))
	if err != nil {
		return err
	}
	bills, err := lines[fakeagent.Bill](s.file("bill"))
	if err != nil {
		return err
	}
	billed := map[string]fakeagent.Bill{}
	for _, b := range bills {
		id, _, _ := strings.Cut(b.Job, ".")
		billed[id] = b
	}
	var faults []error
	fault := func(format string, args ...any) { faults = append(faults, fmt.Errorf(format, args...)) }
	ends := map[string]record.Result{}
	for _, l := range ledger {
		if before, twice := ends[l.Job]; twice {
			fault("%s has ended twice: %s and %s", l.Job, before.Status, l.Status)
		}
		ends[l.Job] = l
	}
	for id, j := range reg.Jobs {
		s.report.Statuses[j.Status]++
		l, ended := ends[id]
		switch {
		case !ended:
			fault("%s is %s in the registry and not in the ledger", id, j.Status)
		case l.Status != j.Status:
			fault("%s is %s in the registry and %s in the ledger", id, j.Status, l.Status)
		}
	}
	for id, l := range ends {
		b, told := billed[id]
		switch {
		case reg.Jobs[id] == nil:
			fault("%s is in the ledger and not in the registry", id)
		case l.Status == record.OK && (!told || l.Tokens == nil):
			fault("%s is ok, and told what it used: %v; known: %v", id, told, l.Tokens)
		case l.Tokens != nil && (!told || l.Tokens.Input != b.Input || l.Tokens.Output != b.Output || l.Tokens.CacheRead != b.CacheRead || l.Tokens.CacheCreation != b.CacheMade):
			fault("%s used %+v as the agent says, %+v as the ledger has it", id, b, *l.Tokens)
		}
	}
	return errors.Join(faults...)
}

// lines reads a file of JSON lines, all of which must be whole.
func lines[T any](path string) (all []T, err error) {
	b, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	for line := range bytes.Lines(b) {
		var v T
		if err := json.Unmarshal(line, &v); err != nil {
			return nil, fmt.Errorf("%s: %w: %s", path, err, line)
		}
		all = append(all, v)
	}
	return all, nil
}
