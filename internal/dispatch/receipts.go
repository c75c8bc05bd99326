package dispatch

import (
	"encoding/json"
	"errors"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/lorimer-dev/lorimer/internal/fastfile"
	"github.com/lorimer-dev/lorimer/internal/harness"
	"github.com/lorimer-dev/lorimer/internal/receipt"
	"github.com/lorimer-dev/lorimer/internal/state"
	"github.com/lorimer-dev/lorimer/internal/verdict"
)

// maxHead is how many bytes of a payload are kept in the list of the last dispatches.
const maxHead = 200

// sweepLook is how many old sessions are looked at when one begins or ends, once a day.
const sweepLook = 200

// ran is what is remembered of one handler until the answer is known.
type ran struct {
	name, verdict string
	blocked       bool // and that counted
	outcome       verdict.Outcome
	took          time.Duration
}

// timed runs a handler and remembers how long that took.
func (c *call) timed(host *interruption, j job, env []string, meanwhile func()) said {
	began := time.Now()
	s := c.runOne(host, j, env, meanwhile)
	s.took = time.Since(began)
	return s
}

// noteRan is called in the order of the handlers, by one goroutine.
func (c *call) noteRan(j job, s said, o verdict.Outcome) {
	r := ran{name: j.Name, verdict: verdictWord(o.Blocked, o.Asked), blocked: o.Blocked && j.Block, outcome: o, took: s.took}
	if s.fault != nil {
		r.verdict = "failed"
	}
	c.ran = append(c.ran, r)
}

func verdictWord(blocked, asked bool) string {
	switch {
	case blocked:
		return "blocked"
	case asked:
		return "asked"
	}
	return "allowed"
}

// leaveReceipts writes down what was done. The answer is known by now, and nothing here can change it; what cannot be
// written is not written.
func (c *call) leaveReceipts(err error, reply harness.Reply) {
	defer func() { _ = recover() }()
	unheard := err == nil && len(c.handlers) == 0 // nobody wanted to hear of it
	home := c.receiptHome()
	if home == "" || unheard {
		return
	}
	c.noteSeen()
	c.openReceipts()
	d := c.dispatched
	d.Verdict, d.Why = c.outcome(err)
	for _, r := range c.ran {
		d.Handlers = append(d.Handlers, receipt.Handler{Name: r.name, Verdict: r.verdict, Millis: millis(r.took)})
		_ = c.count(home, receipt.Run{
			Handler: r.name, Took: r.took, Blocked: r.blocked, Fault: r.verdict == "failed", Version: c.version,
		})
	}
	d.Millis = millis(time.Since(c.began))
	if c.last != nil {
		_ = c.last.Note(d)
	}
	if c.event == harness.SessionStart || c.event == harness.SessionEnd {
		state.Sweep(home, time.Now(), sweepLook)
	}
	if path := os.Getenv("LORIMER_DEBUG"); path != "" {
		c.debug(path, d, reply)
	}
}

// openReceipts opens what is written when the handlers have ended, once, and finds out what is known before that.
func (c *call) openReceipts() {
	home := c.receiptHome()
	if c.receipts != nil || home == "" {
		return
	}
	c.version = c.hostVersion()
	c.dispatched = receipt.Dispatch{
		Time: c.began.UTC().Round(time.Millisecond), Harness: c.harness.ID, Event: string(c.event), Root: c.root, Session: c.text("session_id"),
		Tool: c.text("tool_name"), Handlers: make([]receipt.Handler, 0, len(c.wanted)), Head: head(c.payload),
	}
	c.receipts = make(map[string]*receipt.File, len(c.wanted))
	for _, j := range c.wanted {
		if f, err := receipt.Open(home, c.root, c.harness.ID, j.Name); err == nil {
			c.receipts[j.Name] = f
		}
	}
	c.last, _ = receipt.OpenList(home)
}

// count counts a run on its handler's receipt.
func (c *call) count(home string, run receipt.Run) error {
	if f := c.receipts[run.Handler]; f != nil {
		delete(c.receipts, run.Handler) // it is closed; another run of that name opens it anew
		return f.Add(time.Now(), run)
	}
	return receipt.Add(home, c.root, c.harness.ID, time.Now(), run)
}

// receiptHome is where receipts are left, "" where none are.
func (c *call) receiptHome() string {
	if c.harness == nil || c.trial != nil || probing() {
		return ""
	}
	return c.stateHome()
}

// noteSeen notes, once, that the host fires the event in this session.
func (c *call) noteSeen() {
	home := c.receiptHome()
	if c.seen || home == "" || len(c.handlers) == 0 { // without handlers the manifest may be anybody's
		return
	}
	c.seen = true
	_ = receipt.See(home, c.root, c.harness.ID, receipt.Hooks(c.manifest), c.text("session_id"), c.event)
}

// hostVersion is what the host says of itself, "" where it says nothing.
func (c *call) hostVersion() string {
	if c.harness.Hooks == nil {
		return ""
	}
	return c.harness.Hooks.Version.Of(hostPayload{c.host}, os.Getenv)
}

// outcome names what the host was told, and why.
func (c *call) outcome(err error) (word, why string) {
	switch {
	case errors.Is(err, errOff), errors.Is(err, errDisabled):
		return "off", err.Error()
	case err != nil && !c.final.Blocked:
		return "failed", oneLine(err.Error())
	}
	return verdictWord(c.final.Blocked, c.final.Ask), head([]byte(oneLine(c.final.Reason)))
}

// debug appends everything about the call to the file that LORIMER_DEBUG names: one JSON object a line.
func (c *call) debug(path string, d receipt.Dispatch, reply harness.Reply) {
	line, err := json.Marshal(struct {
		receipt.Dispatch
		Args    []string      `json:"args"`
		Payload string        `json:"payload"` // whole, as handlers got it
		Ends    []handlerEnd  `json:"ends"`    // of the handlers' processes
		Loud    []string      `json:"loud"`
		Reply   harness.Reply `json:"reply"` // to the host
	}{d, c.Args, string(c.payload), c.ends.all, c.loud, reply})
	if err != nil {
		return
	}
	f, err := openDebug(path)
	if err != nil {
		return // checkDebug said so
	}
	defer f.Close()
	_, _ = f.Write(append(line, '\n'))
}

// openDebug does not wait for somebody who reads a pipe.
func openDebug(path string) (*os.File, error) {
	return fastfile.Open(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY|nonblock, 0o600)
}

// checkDebug says, once in a session, that nothing will be found where somebody looks for it.
func (c *call) checkDebug() {
	path := os.Getenv("LORIMER_DEBUG")
	if path == "" || c.receiptHome() == "" {
		return
	}
	f, err := openDebug(path)
	if err == nil {
		_ = f.Close()
		return
	}
	if c.firstInSession("debug") {
		c.say("LORIMER_DEBUG names a file that cannot be written to: " + err.Error() + "; name another one")
	}
}

// head returns the beginning of a payload, cut between characters.
func head(payload []byte) string {
	return strings.TrimSpace(strings.ToValidUTF8(string(payload[:min(len(payload), maxHead)]), ""))
}

// handlerEnds keeps what handlers printed, when LORIMER_DEBUG wants it. Several may end at a time.
type handlerEnds struct {
	mu  sync.Mutex
	all []handlerEnd
}

type handlerEnd struct {
	Name   string `json:"name"`
	Exit   int    `json:"exit"`
	Stdout string `json:"stdout"`
	Stderr string `json:"stderr"`
}

func (h *handlerEnds) keep(name string, end *ended) {
	if os.Getenv("LORIMER_DEBUG") == "" {
		return
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.all = append(h.all, handlerEnd{name, end.exit, end.stdout.String(), end.stderr.String()})
}

func millis(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }
