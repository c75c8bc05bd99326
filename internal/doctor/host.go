package doctor

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/lorimer-dev/lorimer/internal/claudehooks"
	"github.com/lorimer-dev/lorimer/internal/config"
	"github.com/lorimer-dev/lorimer/internal/harness"
	"github.com/lorimer-dev/lorimer/internal/hosttrust"
	"github.com/lorimer-dev/lorimer/internal/materialize"
	"github.com/lorimer-dev/lorimer/internal/plainfile"
	"github.com/lorimer-dev/lorimer/internal/status"
)

// hostTrust looks at whether the agent itself runs hooks of this project. What nobody can see from here is only said, unless a
// receipt shows that it did.
func (p *patient) hostTrust(h *harness.Harness, m materialize.Harness, here bool, receipts []status.Handler) {
	if m.Trust == "" || m.Itself {
		return
	}
	if _, why, known := (hosttrust.Asker{Harness: h, Root: p.Root}).Distrusts(context.Background(), m.Commands); known {
		if why != "" {
			p.add(h.ID, Trust, Problem, why, m.Trust)
			return
		}
		p.add(h.ID, Trust, OK, h.Name+" says that it trusts these hooks", "")
		return
	}
	ran := slices.ContainsFunc(receipts, func(r status.Handler) bool { return r.Harness == h.ID && r.Sessions > 0 })
	switch {
	case ran:
		p.add(h.ID, Trust, OK, "it ran hooks of this clone since they were compiled", "")
	case h.TrustSeen == nil:
		p.add(h.ID, Trust, Note, "whether it trusts this project cannot be seen from here", h.Trust)
	case hosttrust.Seen(h.TrustSeen, p.Root, p.place):
		p.add(h.ID, Trust, OK, h.TrustSeen.File+" says that it trusts this project", "")
	default:
		level := Problem
		if !here {
			level = Note // nobody runs it on this machine
		}
		p.add(h.ID, Trust, level, h.TrustSeen.File+" does not say that it trusts this project, so its hooks are not run", h.Trust)
	}
}

func (p *patient) place(file string) string {
	if rest, own := strings.CutPrefix(file, "~/"); own {
		home := p.UserHome
		if home == "" {
			home, _ = os.UserHomeDir() // unknown: then nothing is found in it
		}
		return filepath.Join(home, filepath.FromSlash(rest))
	}
	return filepath.Join(p.Root, filepath.FromSlash(file))
}

// shadowed looks at what keeps the agent from running hooks that stand in its files: a switch of its own, or an entry of somebody's
// that makes it drop a whole file without a word.
func (p *patient) shadowed(h *harness.Harness) {
	if h.Hooks == nil {
		return
	}
	p.switchedOff(h)
	if !h.Hooks.Native {
		return
	}
	off := ""
	for _, file := range slices.Backward(h.Hooks.Paths()) { // the one that is overruled first
		src, err := plainfile.Settings(p.place(file))
		if err != nil {
			continue // there is none
		}
		read := claudehooks.Reader{File: file}.Settings(src)
		if read.Disabled != nil {
			off = ""
			if *read.Disabled {
				off = file
			}
		}
		if ours(src) > 0 && started(read) < ours(src) {
			p.add(h.ID, Shadowed, Problem, dropped(file, read), "mend that entry in "+file)
		}
	}
	if file, key := managedSwitch(h); file != "" {
		p.add(h.ID, Shadowed, Problem, key+" is set in "+file+", so "+h.Name+" runs none of your hooks", "ask whoever manages this machine")
		return
	}
	if off != "" {
		p.add(h.ID, Shadowed, Problem, "disableAllHooks is true in "+off+", so "+h.Name+" runs no hook at all", "take it out of "+off)
	}
}

// managedSwitch is what an organization set on this machine that keeps the agent from running anybody else's hooks; "" = nothing.
func managedSwitch(h *harness.Harness) (file, key string) {
	var set [2]string
	for _, place := range config.ManagedPlaces([]*harness.Harness{h}) {
		src, err := plainfile.Settings(filepath.FromSlash(place.Path))
		if err != nil {
			continue
		}
		read := claudehooks.Reader{File: place.Name, Managed: true}.Settings(src)
		for i, is := range []*bool{read.Disabled, read.Only} {
			if is != nil { // the last file that speaks of it holds
				set[i] = ""
			}
			if is != nil && *is {
				set[i] = place.Name
			}
		}
	}
	if set[0] != "" {
		return set[0], "disableAllHooks"
	}
	return set[1], claudehooks.OnlyKey
}

// ours counts the entries of lorimer's that stand in a file.
func ours(src []byte) int {
	return bytes.Count(src, []byte(materialize.DispatcherName))
}

// started counts those that the host makes of them.
func started(s claudehooks.Source) (n int) {
	for _, e := range s.Entries {
		n += strings.Count(strings.Join(append([]string{e.Command}, e.Args...), " "), materialize.DispatcherName)
	}
	return n
}

func dropped(file string, s claudehooks.Source) string {
	for _, w := range append(s.Warnings, s.Faults...) {
		return w.String()
	}
	return "hooks of lorimer's stand in " + file + ", and the agent reads none of them"
}
