package harness

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
)

// DefaultMaxContinuations is the cap on continuations of one run that stop gates may force, unless a user says otherwise.
const DefaultMaxContinuations = 8

// ShimConfig is the part of a generative shim that differs between clones: the value on its CONFIG line.
type ShimConfig struct {
	Protocol         int      `json:"protocol"`
	Harness          string   `json:"harness"`
	Dispatcher       []string `json:"dispatcher"` // argv; the harness and the event are appended
	Events           []Event  `json:"events"`     // that some handler wants
	FailClosed       []Event  `json:"fail_closed"`
	MaxContinuations int      `json:"max_continuations"` // 0 = no cap
	// User: the shim is the user's own and serves every clone. It finds the clone above the place where a session works, and
	// takes FailClosed and MaxContinuations from the clone's manifest.
	User bool `json:"user,omitempty"`
	// Portable: the shim is committed, so it names nothing of this machine. It is the way from the shim's folder to the clone's
	// root, and the dispatcher is looked for.
	Portable string `json:"portable,omitempty"`
}

// ConfigOf returns the value on a shim's CONFIG line, and false when there is none that this build reads.
func ConfigOf(shim []byte) (c ShimConfig, ok bool) {
	s, err := ParseShim(shim)
	return s.config, err == nil
}

const configPrefix = "const CONFIG = "

// Line returns the shim's CONFIG line, without a newline.
func (c ShimConfig) Line() string {
	return configPrefix + string(c.json()) + "; // the one line that materialize rewrites"
}

func (c ShimConfig) json() []byte {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(c); err != nil {
		panic(err) // strings and numbers always encode
	}
	return bytes.TrimRight(b.Bytes(), "\n")
}

// WithConfig returns the shim with another value on its CONFIG line, which fill makes from the present one. The error says
// what is wrong with the shim's line: none, more than one, no JSON, or of another version.
func WithConfig(shim []byte, fill func(*ShimConfig)) ([]byte, error) {
	s, err := ParseShim(shim)
	if err != nil {
		return nil, err
	}
	return s.With(fill), nil
}

// ShimFile is a shim around the value on its CONFIG line. It is taken apart once to be filled for many clones.
type ShimFile struct {
	src      []byte
	from, to int // of the value
	config   ShimConfig
}

// ParseShim takes a shim apart. The error is WithConfig's.
func ParseShim(shim []byte) (s ShimFile, err error) {
	from, to, err := findConfig(shim)
	if err != nil {
		return s, err
	}
	var c ShimConfig
	dec := json.NewDecoder(bytes.NewReader(shim[from:to]))
	dec.DisallowUnknownFields() // a key that we do not know would be lost
	if err := dec.Decode(&c); err != nil {
		return s, fmt.Errorf("its CONFIG line is of another version: %w", err)
	}
	if c.Protocol != Protocol {
		return s, fmt.Errorf("its CONFIG line has protocol %d, this lorimer speaks %d", c.Protocol, Protocol)
	}
	return ShimFile{shim, from, to, c}, nil
}

// With returns the shim's bytes with another value, which fill makes from the present one. fill must set slices, not change them.
func (s ShimFile) With(fill func(*ShimConfig)) []byte {
	c := s.config
	fill(&c)
	return bytes.Join([][]byte{s.src[:s.from], c.json(), s.src[s.to:]}, nil)
}

// Same says whether another shim differs in the value on the CONFIG line alone.
func (s ShimFile) Same(other []byte) bool {
	from, to, err := findConfig(other)
	return err == nil && bytes.Equal(other[:from], s.src[:s.from]) && bytes.Equal(other[to:], s.src[s.to:])
}

// SameShim says whether the two differ in the value on the CONFIG line alone.
func SameShim(a, b []byte) bool {
	from, to, err := findConfig(b)
	return err == nil && ShimFile{src: b, from: from, to: to}.Same(a)
}

// findConfig returns where the value on the CONFIG line begins and ends.
func findConfig(shim []byte) (from, to int, err error) {
	start := []byte("\n" + configPrefix)
	i := bytes.Index(shim, start)
	if i < 0 {
		return 0, 0, fmt.Errorf("it has no line that begins with %q", configPrefix)
	}
	from = i + len(start)
	if bytes.Contains(shim[from:], start) {
		return 0, 0, fmt.Errorf("it has more than one line that begins with %q", configPrefix)
	}
	dec := json.NewDecoder(bytes.NewReader(shim[from:]))
	var value json.RawMessage
	if err := dec.Decode(&value); err != nil {
		return 0, 0, fmt.Errorf("its CONFIG line holds no JSON: %w", err)
	}
	to = from + int(dec.InputOffset())
	if bytes.IndexByte(value, '\n') >= 0 || !bytes.HasPrefix(shim[to:], []byte(";")) {
		return 0, 0, errors.New("its CONFIG is not one line that ends in a semicolon")
	}
	return from, to, nil
}
