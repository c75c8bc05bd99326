package manifest

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"slices"

	"github.com/lorimer-dev/lorimer/internal/rawjson"
)

// Source is a file that the manifest was compiled from, or a part of it, as it was then.
type Source struct {
	Path string `json:"path"`           // slash path relative to the clone, or absolute
	Size int64  `json:"size,omitempty"` // bytes; of a whole file alone

	// Keys are the top-level keys that count, when the file is a host's settings and the rest of it is none of our business:
	// the host itself writes to it, whenever its user allows a command for good.
	Keys   []string `json:"keys,omitempty"`
	SHA256 string   `json:"sha256"` // of the file's bytes, or of what the keys hold
}

// WholeSource is a source of which every byte counts.
func WholeSource(path string, data []byte) Source {
	return Source{Path: path, Size: int64(len(data)), SHA256: sum(data)}
}

// KeysSource is a JSON file of which some top-level keys count. A file that does not exist (nil) holds none of them.
func KeysSource(path string, keys []string, data []byte) Source {
	return Source{Path: path, Keys: keys, SHA256: sum(part(keys, data))}
}

// Same says whether the file still says what it said. data is nil when there is no such file.
func (s Source) Same(data []byte) bool {
	if len(s.Keys) > 0 {
		return sum(part(s.Keys, data)) == s.SHA256
	}
	return data != nil && int64(len(data)) == s.Size && sum(data) == s.SHA256
}

// part is what the keys hold, in a form that does not depend on how the file is laid out. What is no JSON object is itself
// all that counts.
func part(keys []string, data []byte) []byte {
	if data == nil {
		data = []byte("{}")
	}
	top, ok := rawjson.ParseObject(string(bytes.TrimPrefix(data, []byte("\ufeff"))))
	if !ok {
		return data
	}
	var b bytes.Buffer
	for _, k := range slices.Sorted(slices.Values(keys)) {
		if raw, ok := top[k]; ok {
			b.WriteString(k + ":" + rawjson.Canonical(raw) + "\n")
		}
	}
	return b.Bytes()
}

func sum(b []byte) string {
	s := sha256.Sum256(b)
	return hex.EncodeToString(s[:])
}

// As returns the source as it is with other bytes.
func (s Source) As(data []byte) Source {
	if len(s.Keys) > 0 {
		return KeysSource(s.Path, s.Keys, data)
	}
	return WholeSource(s.Path, data)
}
