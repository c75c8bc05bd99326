package harness

import (
	"bytes"
	"encoding/json"
	"errors"
)

// DefaultMaxContinuations is the cap on continuations of one run that stop gates may force, unless a user says otherwise.
const DefaultMaxContinuations = 8

// ShimConfig is the part of a generative shim that differs between clones.
type ShimConfig struct {
	Protocol         int      `json:"protocol"`
	Harness          string   `json:"harness"`
	Dispatcher       []string `json:"dispatcher"` // argv; the harness and the event are appended
	Events           []string `json:"events"`     // neutral events that some handler wants
	FailClosed       []string `json:"fail_closed"`
	MaxContinuations int      `json:"max_continuations"` // 0 = no cap
}

const configPrefix = "const CONFIG = "

// Line returns the shim's CONFIG line, without a newline.
func (c ShimConfig) Line() string {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(c); err != nil {
		panic(err) // strings and numbers always encode
	}
	return configPrefix + string(bytes.TrimRight(b.Bytes(), "\n")) + "; // the one line that materialize rewrites"
}

// WithConfig returns the shim with its CONFIG line replaced. It fails when shim has no such line, or more than one.
func WithConfig(shim []byte, c ShimConfig) ([]byte, error) {
	start := []byte("\n" + configPrefix)
	at := bytes.Index(shim, start)
	if at < 0 || bytes.Index(shim[at+1:], start) >= 0 {
		return nil, errors.New("the generated shim has no CONFIG line, or more than one")
	}
	at++
	end := at + bytes.IndexByte(shim[at:], '\n')
	return bytes.Join([][]byte{shim[:at], []byte(c.Line()), shim[end:]}, nil), nil
}
