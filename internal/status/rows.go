package status

import (
	"fmt"
	"os"
	"slices"
	"time"

	"github.com/lorimer-dev/lorimer/internal/harness"
	"github.com/lorimer-dev/lorimer/internal/manifest"
	"github.com/lorimer-dev/lorimer/internal/off"
	"github.com/lorimer-dev/lorimer/internal/receipt"
)

// harness adds a row for each handler that runs in it.
func (l *looking) harness(h *harness.Harness) {
	seen := receipt.ReadSeen(l.Home, l.Root, h.ID)
	if seen.Manifest != l.hooks {
		seen = receipt.Seen{} // of other hooks
	}
	for _, b := range h.Events {
		list, err := l.view.Handlers(b.Event, h.ID)
		if err != nil {
			l.Problems = append(l.Problems, err.Error())
			continue
		}
		if l.guards(h, b) {
			list = slices.Insert(list, 0, manifest.Handler{Name: manifest.SelfProtect, Block: true})
		}
		for _, x := range list {
			row := Handler{
				Harness: h.ID, File: l.files[h.ID], Event: b.Event, Handler: x.Name, FailsOpen: failsOpen(h, x),
				Sessions: seen.Sessions, Arrives: seen.Came(b.Event),
			}
			row.prove(l.receipts)
			if row.Why = l.why(h, b.Event, x); row.Why == "" && row.NeverFires() {
				row.Why = fmt.Sprintf("%s never came in %d sessions of %s", row.Event, row.Sessions, h.Name)
			}
			row.InForce = row.Why == ""
			l.Handlers = append(l.Handlers, row)
		}
	}
}

// guards says whether the built-in handler that protects the hooks themselves stands before the event. Where a host runs the
// hooks by itself it does not.
func (l *looking) guards(h *harness.Harness, b harness.Binding) bool {
	return b.Event == harness.PreToolUse && b.Has(harness.Block) && l.view.SelfProtects() && !l.itself[h.ID]
}

// NeverFires says whether the hook should have fired by now. A handler that ran, or whose event came and did not concern it, is
// none of that kind; nor is one of an event that may stay away.
func (h *Handler) NeverFires() bool {
	return h.Count == 0 && !h.Arrives && h.Sessions >= fewSessions && h.Event.Usual()
}

// why says why a handler is not in force, or "".
func (l *looking) why(h *harness.Harness, e harness.Event, x manifest.Handler) string {
	if entry, isOff := off.Find(l.off, x.Name); isOff {
		return entry.String()
	}
	file := l.files[h.ID]
	switch {
	case l.distrust != nil:
		return "not trusted"
	case l.passes[h.ID+" "+string(e)]:
		return h.Name + " does not trust it"
	case file != "" && slices.Contains(l.changes, file):
		return file + " is not what materialize would write"
	}
	if _, err := os.Stat(l.Dispatcher()); err != nil {
		return "lorimer-dispatch is missing"
	}
	return ""
}

// prove takes over what the receipt says.
func (h *Handler) prove(receipts []receipt.Receipt) {
	for _, r := range receipts {
		if r.Harness == h.Harness && r.Handler == h.Handler {
			h.Last, h.Count, h.Blocked, h.Faults = r.Last, r.Count, r.Blocked, r.Faults
			h.Version = r.Version
			h.P50, h.P95 = millis(r.Quantile(.5)), millis(r.Quantile(.95))
		}
	}
}

// failsOpen says whether a handler that is to block when it cannot be asked is passed over once the dispatcher is gone. A shim
// knows by itself which events are to block; an external host does it always, or must be told by its hook config, where it can
// be.
func failsOpen(h *harness.Harness, x manifest.Handler) bool {
	strict := x.Block && x.OnError == manifest.BlockOnFault
	return strict && h.Hooks != nil && !h.Hooks.HostFailsClosed && (h.Polarity == nil || !h.Polarity.Missing)
}

func millis(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }
