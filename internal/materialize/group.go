package materialize

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"path"
	"strings"

	"github.com/lorimer-dev/lorimer/internal/harness"
	"github.com/lorimer-dev/lorimer/internal/splice"
)

// Tokens in golden hook configs, for what differs between clones.
const (
	dispatcherToken = "{dispatcher}"
	rootToken       = "{root}"
	hostEventToken  = "{host_event}" // in harness.Hooks.At
)

// hookPath is where the host reads the groups of an event.
func hookPath(h *harness.Hooks, hostEvent string) []string {
	keys := make([]string, len(h.At))
	for i, k := range h.At {
		keys[i] = strings.ReplaceAll(k, hostEventToken, hostEvent)
	}
	return keys
}

// HookPath is where a host reads the hooks of one of its events: keys from the top of its config.
func HookPath(h *harness.Hooks, hostEvent string) []string { return hookPath(h, hostEvent) }

// CommandKeys are the keys under which entries of a host's config say what is started, as in the entry that is ours.
func CommandKeys(golden fs.FS, h *harness.Hooks, hostEvent string) ([]string, error) {
	group, err := template(golden, h, hostEvent, false)
	if err != nil {
		return nil, err
	}
	v, err := splice.Decode(group)
	return keysOfDispatcher(v), err
}

func keysOfDispatcher(v any) (keys []string) {
	switch v := v.(type) {
	case []any:
		for _, x := range v {
			keys = append(keys, keysOfDispatcher(x)...)
		}
	case map[string]any:
		for k, x := range v {
			if text, ok := x.(string); ok && strings.Contains(text, dispatcherToken) {
				keys = append(keys, k)
			}
			keys = append(keys, keysOfDispatcher(x)...)
		}
	}
	return keys
}

// hookKeys is the pattern that all those paths fit.
func hookKeys(h *harness.Hooks) []string {
	keys := make([]string, len(h.At))
	for i, k := range h.At {
		if keys[i] = k; strings.Contains(k, hostEventToken) {
			keys[i] = splice.Any
		}
	}
	return keys
}

// hookFile is the file in the clone that holds our entries; "" when the host has none there.
func hookFile(h *harness.Hooks) string {
	if h.Local != "" {
		return h.Local
	}
	return h.Shared
}

// template returns the group of an event as the generator emitted it, with its tokens.
func template(golden fs.FS, h *harness.Hooks, hostEvent string, failClosed bool) (json.RawMessage, error) {
	artifact := h.Artifact
	if failClosed && h.FailClosed != "" {
		artifact = h.FailClosed
	}
	src, err := fs.ReadFile(golden, artifact)
	if err != nil {
		return nil, err
	}
	at := hookPath(h, hostEvent)
	var value json.RawMessage = src
	for _, key := range at {
		var object map[string]json.RawMessage
		if err := json.Unmarshal(value, &object); err != nil {
			return nil, fmt.Errorf("%s: %s: %w", artifact, path.Join(at...), err)
		}
		value = object[key]
	}
	var groups []json.RawMessage
	if err := json.Unmarshal(value, &groups); err != nil || len(groups) == 0 {
		return nil, fmt.Errorf("%s has no group at %s", artifact, path.Join(at...))
	}
	return groups[0], nil
}

// fillTokens puts the clone's values into a group. A token can only stand inside a JSON string, so the values are escaped
// for that, after they were quoted for the shell where a shell reads them.
func fillTokens(group []byte, q harness.Quote, dispatcher, root string) []byte {
	value := func(s string) string {
		if q == harness.QuoteShell {
			s = harness.ShellQuote(s)
		}
		s = harness.Quoted(s)
		return s[1 : len(s)-1]
	}
	return []byte(strings.NewReplacer(dispatcherToken, value(dispatcher), rootToken, value(root)).Replace(string(group)))
}
