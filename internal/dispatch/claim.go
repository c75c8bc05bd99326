package dispatch

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/lorimer-dev/lorimer/internal/fastfile"
	"github.com/lorimer-dev/lorimer/internal/harness"
	"github.com/lorimer-dev/lorimer/internal/once"
	"github.com/lorimer-dev/lorimer/internal/state"
)

// A host may run several hook configs: its user's and its project's, its own and another harness's. Then one event starts us
// several times, and two questions come up that no command line can answer: whose payload is it (speaker), and which of the
// processes serves it (claim). Only harnesses of which the table says so are asked them, and the second only where two configs
// that the host runs name us.

// hearSpeaker finds out whose payload it is where the harness that our command line names has a config that others read too.
// A payload that cannot be read is judged later, by readPayload.
func (c *call) hearSpeaker() error {
	readers := c.readers()
	if len(readers) == 0 || c.readHost() != nil {
		return nil
	}
	in := hostPayload{c.host}
	if c.harness.Speaks != nil && c.harness.Speaks(in) {
		return nil
	}
	c.stranger = true
	for _, h := range readers {
		if h.Speaks == nil || !h.Speaks(in) {
			continue
		}
		binding, ok := h.Binding(c.event)
		if !ok {
			return fmt.Errorf("the payload of %s comes from %s, which is not known to have that event", c.event, h.Name)
		}
		c.harness, c.binding, c.stranger = h, binding, false
		return nil
	}
	return nil
}

// readers are the other harnesses that run the hook configs of this one.
func (c *call) readers() (all []*harness.Harness) {
	if c.harness.Hooks == nil {
		return nil
	}
	configs := c.harness.Hooks.Paths()
	for _, h := range c.Table {
		if h != c.harness && slices.ContainsFunc(h.Reads, func(p string) bool { return slices.Contains(configs, p) }) {
			all = append(all, h)
		}
	}
	return all
}

// startedOften says whether one event of the host may start us more than once. A host that runs several configs does so only
// where more than one of them names us; to look costs a tenth of a claim. Where none does, one that the table does not know has
// started us, and there may be another. In a session whose home is not the user's own its files lie elsewhere, too.
func (c *call) startedOften() bool {
	configs := c.harness.Reads
	if c.harness.Hooks != nil {
		configs = slices.Concat(c.harness.Hooks.Paths(), configs)
	}
	if c.stranger || len(configs) < 2 {
		return c.stranger
	}
	if os.Getenv(state.UserHome) != "" {
		return true
	}
	naming := 0
	for _, path := range configs {
		if c.namesUs(path) {
			naming++
		}
	}
	return naming != 1
}

// namesUs says whether a hook config, written as Hooks.Paths has it, starts the dispatcher. What cannot be read starts nothing.
func (c *call) namesUs(config string) bool {
	path := filepath.Join(c.root, filepath.FromSlash(config))
	if rest, ok := strings.CutPrefix(config, "~/"); ok {
		home, err := os.UserHomeDir()
		if err != nil {
			return false
		}
		path = filepath.Join(home, filepath.FromSlash(rest))
	}
	src, err := fastfile.Read(path)
	return err == nil && (bytes.Contains(src, []byte("lorimer-dispatch")) || bytes.Contains(src, []byte(filepath.Base(os.Args[0]))))
}

// claimEvent ends the call when another process serves the event: for the same clone, with the same payload. Processes for
// two clones, one inside the other, have two policies, and both hold. If it cannot be told, the event is served.
func (c *call) claimEvent() error {
	if !c.startedOften() {
		return nil
	}
	key := once.NewKey([]byte(c.event), []byte(c.root), c.same())
	first, err := once.First(c.stateHome(), c.origin(), key)
	if err != nil {
		c.say(fmt.Sprintf("it cannot be told whether another hook serves the same %s, so its handlers may run twice: %v", c.event, err))
		return nil
	}
	c.claimed = &key
	if !first {
		return errNothingToDo
	}
	return nil
}

// same is what all payloads of the event have in common.
func (c *call) same() []byte {
	var all []byte
	for _, path := range c.harness.Same {
		all = append(append(all, c.host.At(path)...), 0)
	}
	if len(bytes.Trim(all, "\x00")) == 0 {
		return c.stdin
	}
	return all
}

// keepClaim is for handlers that took long: a host that runs its hooks one after the other starts the next one now.
func (c *call) keepClaim() {
	if c.claimed != nil && time.Since(c.began) > once.Expiry/2 {
		_ = once.Renew(c.stateHome(), c.origin(), *c.claimed) // or the handlers run once more
	}
}

// origin tells one hook config from another: by the command line that stands in it.
func (c *call) origin() string { return os.Args[0] + "\x00" + strings.Join(c.Args, "\x00") }
