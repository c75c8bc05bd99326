package fakemodel

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"strings"
	"sync"
)

// Cache imitates a provider's prompt cache and bills for it: what a request begins with is read from the cache as far as an
// earlier request began the same, the rest is written to it. Tokens are a quarter of the bytes. It says what a client sends, not
// what a real provider would charge. The zero value is empty; several servers may share one.
type Cache struct {
	mu     sync.Mutex
	seen   map[[sha256.Size]byte]bool
	bodies [][]byte
	billed []Bill
	short  bool
}

// Bill is what one request used, in tokens. Write1h is the part of Write that is to live an hour.
type Bill struct {
	Model                               string // that was asked for
	Input, Output, Read, Write, Write1h int
}

// Billed lists what was billed, in order.
func (c *Cache) Billed() []Bill {
	c.mu.Lock()
	defer c.mu.Unlock()
	return append([]Bill{}, c.billed...)
}

// Forget is the end of the cache's life.
func (c *Cache) Forget() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.seen, c.bodies = nil, nil
}

// Shorten has the cache write for five minutes what is asked to live an hour, as a provider may.
func (c *Cache) Shorten() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.short = true
}

// bill counts a request of the Messages API, and remembers it.
func (c *Cache) bill(model string, body []byte, out int) Bill {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.seen == nil {
		c.seen = map[[sha256.Size]byte]bool{}
	}
	b := Bill{Model: model, Input: 3, Output: out}
	var sum [sha256.Size]byte
	known := true
	for _, part := range prefix(body) {
		sum = sha256.Sum256(append(sum[:], part...))
		if known = known && c.seen[sum]; known {
			b.Read += len(part) / 4
		} else {
			b.Write += len(part) / 4
		}
		c.seen[sum] = true
	}
	if !c.short && bytes.Contains(body, []byte(`"ttl":"1h"`)) { // a client asks the same for all of a request
		b.Write1h = b.Write
	}
	c.billed = append(c.billed, b)
	return b
}

// billWhole counts a request of an API whose clients mark nothing for caching: what it has in common with the beginning of an
// earlier one comes from the cache, and writing to it costs nothing. in is all that went in.
func (c *Cache) billWhole(model string, body []byte, in, out int) Bill {
	c.mu.Lock()
	defer c.mu.Unlock()
	most := 0
	for _, earlier := range c.bodies {
		n := 0
		for n < min(len(body), len(earlier)) && body[n] == earlier[n] {
			n++
		}
		most = max(most, n)
	}
	c.bodies = append(c.bodies, body)
	b := Bill{Model: model, Input: in - most/4, Output: out, Read: most / 4}
	c.billed = append(c.billed, b)
	return b
}

// prefix is a request as a cache sees it, piece by piece: tools, system, messages, without the marks that ask for caching and
// without the client's own first line, which names its first prompt.
func prefix(body []byte) (parts []string) {
	var in struct {
		Model    string
		Tools    []any
		System   anyList
		Messages []struct {
			Role    string
			Content anyList
		}
	}
	if json.Unmarshal(body, &in) != nil {
		return nil
	}
	add := func(v any) {
		if b, ok := v.(map[string]any); ok {
			delete(b, "cache_control")
		}
		text, _ := json.Marshal(v)
		parts = append(parts, string(text))
	}
	add(in.Model)
	add(in.Tools)
	for _, v := range in.System {
		if b, ok := v.(map[string]any); ok {
			if text, _ := b["text"].(string); strings.HasPrefix(text, "x-anthropic-billing-header") {
				continue
			}
		}
		add(v)
	}
	for _, m := range in.Messages {
		for _, v := range m.Content {
			add([]any{m.Role})
			add(v)
		}
	}
	return parts
}

// anyList is a list of blocks, or a text that stands for one.
type anyList []any

func (l *anyList) UnmarshalJSON(b []byte) error {
	if len(b) > 0 && b[0] == '"' {
		var text string
		if err := json.Unmarshal(b, &text); err != nil {
			return err
		}
		*l = anyList{map[string]any{"type": "text", "text": text}}
		return nil
	}
	return json.Unmarshal(b, (*[]any)(l))
}
