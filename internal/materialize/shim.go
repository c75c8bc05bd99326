package materialize

import (
	"bytes"
	"encoding/json"
	"fmt"

	"github.com/lorimer-dev/lorimer/internal/harness"
)

// configLine begins the one line of a golden shim that differs between clones.
const configLine = "const CONFIG = "

// shimConfig is the value on that line. The order of the fields is that of the keys.
type shimConfig struct {
	Protocol         int             `json:"protocol"`
	Harness          string          `json:"harness"`
	Dispatcher       []string        `json:"dispatcher"`
	Events           []harness.Event `json:"events"`
	FailClosed       []harness.Event `json:"fail_closed"`
	MaxContinuations int             `json:"max_continuations"`
}

// renderShim returns the golden shim with the clone's own values on its CONFIG line.
func renderShim(golden []byte, fill func(*shimConfig)) ([]byte, error) {
	from, to, err := findConfig(golden)
	if err != nil {
		return nil, err
	}
	var c shimConfig
	dec := json.NewDecoder(bytes.NewReader(golden[from:to]))
	dec.DisallowUnknownFields() // a key that we do not know would be lost
	if err := dec.Decode(&c); err != nil {
		return nil, fmt.Errorf("its CONFIG line is of another version: %w", err)
	}
	if c.Protocol != harness.Protocol {
		return nil, fmt.Errorf("its CONFIG line has protocol %d, this lorimer speaks %d", c.Protocol, harness.Protocol)
	}
	fill(&c)
	var b bytes.Buffer
	b.Write(golden[:from])
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(c); err != nil {
		return nil, err
	}
	b.Truncate(b.Len() - 1) // the encoder's newline
	b.Write(golden[to:])
	return b.Bytes(), nil
}

// findConfig returns where the value on the CONFIG line begins and ends.
func findConfig(shim []byte) (from, to int, err error) {
	i := bytes.Index(shim, []byte("\n"+configLine))
	if i < 0 {
		return 0, 0, fmt.Errorf("it has no line that begins with %q", configLine)
	}
	from = i + 1 + len(configLine)
	dec := json.NewDecoder(bytes.NewReader(shim[from:]))
	var value json.RawMessage
	if err := dec.Decode(&value); err != nil {
		return 0, 0, fmt.Errorf("its CONFIG line holds no JSON: %w", err)
	}
	to = from + int(dec.InputOffset())
	if bytes.IndexByte(value, '\n') >= 0 || !bytes.HasPrefix(shim[to:], []byte(";")) {
		return 0, 0, fmt.Errorf("its CONFIG is not one line that ends in a semicolon")
	}
	return from, to, nil
}

// sameShim says whether the two differ in the value on the CONFIG line alone.
func sameShim(a, b []byte) bool {
	fromA, toA, errA := findConfig(a)
	fromB, toB, errB := findConfig(b)
	return errA == nil && errB == nil && bytes.Equal(a[:fromA], b[:fromB]) && bytes.Equal(a[toA:], b[toB:])
}
