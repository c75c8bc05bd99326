package dispatch

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strconv"
	"time"
	"unicode/utf8"

	"github.com/tidwall/gjson"

	"github.com/lorimer-dev/lorimer/internal/harness"
	"github.com/lorimer-dev/lorimer/internal/rawjson"
)

// MaxPayload is the size in bytes of the biggest payload that is read.
const MaxPayload = 64 << 20

// readPayload reads what the host sent and turns it into Claude's shape. Where the host speaks it already, the bytes that
// handlers get are the bytes that came.
func (c *call) readPayload() error {
	if err := c.readHost(); err != nil {
		return err
	}
	in := hostPayload{c.host}
	if c.harness.Means != nil && c.slot == c.event && c.harness.Means(c.event, in) != c.event {
		return errNothingToDo // the host uses this event of its own for something else, too
	}
	c.payload, c.fields = c.stdin, c.host
	if c.harness.Normalize == nil {
		return nil
	}
	var out harness.Payload
	c.harness.Normalize(c.event, in, &out)
	src := out.Bytes()
	fields, err := c.checked(src)
	if err == nil {
		c.payload, c.fields = src, fields
	}
	return err
}

// tellEvent finds out which event it is, where the host uses one of its own for several: that hangs on the payload. One that
// cannot be read is judged later, by readPayload.
func (c *call) tellEvent() error {
	c.slot = c.event
	if len(c.binding.Turns) == 0 || c.readHost() != nil {
		return nil
	}
	if c.event = c.harness.Means(c.event, hostPayload{c.host}); c.event == "" {
		c.event = c.slot
		return errNothingToDo
	}
	c.binding, _ = c.harness.Binding(c.event)
	return nil
}

// readHost reads what the host sent, once; the second time the answer is that of the first.
func (c *call) readHost() error {
	if c.heard {
		return c.unheard
	}
	c.heard = true
	if c.stdin, c.unheard = c.readStdin(); c.unheard == nil {
		c.host, c.unheard = c.checked(c.stdin)
	}
	return c.unheard
}

// hostPayload is how generated code reads a host's payload: raw text at a dotted path.
type hostPayload struct{ fields rawjson.Object }

func (p hostPayload) Raw(path string) string { return p.fields.At(path) }

// checked takes a payload apart, or says what is wrong with it; nothing is guessed.
func (c *call) checked(src []byte) (rawjson.Object, error) {
	text := string(src)
	switch {
	case len(src) > MaxPayload:
		return nil, c.badPayload("bigger than %d MiB", MaxPayload>>20)
	case len(bytes.TrimSpace(src)) == 0:
		return nil, c.badPayload("empty")
	case !utf8.Valid(src):
		return nil, c.badPayload("not valid UTF-8")
	case rawjson.Deep(text):
		return nil, c.badPayload("nested deeper than %d levels", rawjson.MaxDepth)
	case !gjson.Valid(text):
		return nil, c.badPayload("not JSON")
	}
	fields, ok := rawjson.Members(text)
	if !ok {
		return nil, c.badPayload("JSON, but not an object")
	}
	return fields, nil
}

func (c *call) badPayload(format string, args ...any) error {
	return fmt.Errorf("the payload of %s on stdin is %s; expected one JSON object from %s", c.event, fmt.Sprintf(format, args...), c.hostName())
}

// maxSilence is how long a host may take to write its payload and close stdin. All known ones do it at once.
const maxSilence = 10 * time.Second

// errOpen is what reading ends with when the host did not close stdin in time.
var errOpen = errors.New("stdin was not closed")

// readStdin reads to the end, at most one byte more than the cap. What is beyond the cap is drained: a host that gets an
// error while it still writes may not listen to the answer. A host that never closes stdin has until maxSilence, or half of the
// time that is left for the event; then a payload that is whole is served, and one that is not is a fault.
func (c *call) readStdin() ([]byte, error) {
	limit := min(maxSilence, harness.Inner(c.binding.Limit)/2)
	in := patient(c.Stdin, limit)
	src, err := io.ReadAll(io.LimitReader(in, MaxPayload+1))
	switch {
	case errors.Is(err, errOpen) && gjson.ValidBytes(src):
		c.say(fmt.Sprintf("%s did not close stdin behind the payload of %s, which cost %v", c.hostName(), c.event, limit))
	case errors.Is(err, errOpen):
		return nil, c.badPayload("not whole after %v", limit)
	case err != nil:
		return nil, c.badPayload("cut short (%v)", err)
	}
	if len(src) > MaxPayload {
		_, _ = io.CopyN(io.Discard, in, 16*MaxPayload)
	}
	return src, nil
}

// withStopBit adds stop_hook_active where the host has none, in the place that it has in Claude's payload.
func withStopBit(fields []byte, active bool) []byte {
	const bit, behind = "stop_hook_active", "last_assistant_message"
	var out harness.Payload
	value, added := strconv.FormatBool(active), false
	gjson.ParseBytes(fields).ForEach(func(key, raw gjson.Result) bool {
		if key.String() == behind && !added {
			out.Raw(bit, value)
			added = true
		}
		out.Raw(key.String(), raw.Raw)
		return true
	})
	if !added {
		out.Raw(bit, value)
	}
	return out.Bytes()
}
