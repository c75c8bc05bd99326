//go:build linux

package rig

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"
)

// Call is one start of the handler.
type Call struct {
	Label   string // the event that lorimer.yaml started it for
	Payload string // what came on stdin, byte for byte
	Env     map[string]string
	Dir     string // its working directory
}

// Get returns the value at a key of the payload: a string as it reads, anything else as JSON, "" when the key is not there.
// Keys lead into objects.
func (c Call) Get(keys ...string) string {
	raw := json.RawMessage(c.Payload)
	for _, k := range keys {
		var o map[string]json.RawMessage
		if json.Unmarshal(raw, &o) != nil {
			return ""
		}
		raw = o[k]
	}
	var s string
	if json.Unmarshal(raw, &s) == nil {
		return s
	}
	return string(raw)
}

// Keys returns the payload's own keys in the order in which they stand.
func (c Call) Keys() []string {
	d := json.NewDecoder(strings.NewReader(c.Payload))
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return nil
	}
	var keys []string
	for d.More() {
		k, err := d.Token()
		if err != nil {
			return nil
		}
		keys = append(keys, k.(string))
		var skip json.RawMessage
		if d.Decode(&skip) != nil {
			return nil
		}
	}
	return keys
}

// Calls returns the handler calls of one label, or all of them for "", in the order in which they were started.
func (r *Rig) Calls(label string) []Call {
	var out []Call
	for n := 1; ; n++ {
		dir := r.path("e2e", "calls", strconv.Itoa(n))
		if _, err := os.Stat(dir); err != nil {
			return out
		}
		l := read(dir, "label")
		if l != "" && (label == "" || l == label) {
			out = append(out, Call{Label: l, Payload: read(dir, "stdin"), Env: environ(read(dir, "env")), Dir: strings.TrimSpace(read(dir, "pwd"))})
		}
	}
}

// WaitCalls returns when the handler was called n times with the label.
func (r *Rig) WaitCalls(ctx context.Context, label string, n int) error {
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	for {
		got := len(r.Calls(label))
		if got >= n {
			return nil
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return fmt.Errorf("the handler was called for %s %d times, waited for %d: %w", label, got, n, ctx.Err())
		}
	}
}

func read(dir, name string) string {
	b, _ := os.ReadFile(dir + "/" + name)
	return string(b)
}

func environ(s string) map[string]string {
	out := map[string]string{}
	for line := range strings.Lines(s) {
		if k, v, ok := strings.Cut(strings.TrimSuffix(line, "\n"), "="); ok {
			out[k] = v
		}
	}
	return out
}
