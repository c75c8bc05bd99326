package pulse

import (
	"encoding/json"
	"errors"
	"fmt"
	"time"
	"unicode/utf8"

	"github.com/lorimer-dev/lorimer/internal/plainfile"
)

// maxFile is far more than such a file needs, in bytes.
const maxFile = 1 << 20

// object is a file's content by key. Two spellings of the keys are about: camelCase in code, snake_case in documents.
type object map[string]json.RawMessage

// readObject reads a file that holds one JSON object.
func readObject(path string) (object, error) {
	src, err := plainfile.Read(path, maxFile)
	if err != nil {
		return nil, err
	}
	if !utf8.Valid(src) {
		return nil, errors.New("it is no text")
	}
	var o object
	err = json.Unmarshal(src, &o)
	var other *json.UnmarshalTypeError
	switch {
	case errors.As(err, &other), err == nil && o == nil:
		return nil, errors.New("it holds JSON, but no object")
	case err != nil:
		return nil, fmt.Errorf("it is no JSON: %w", err)
	}
	return o, nil
}

// get returns the value of the first of the keys that is there; null is not.
func (o object) get(keys ...string) json.RawMessage {
	for _, k := range keys {
		if v, ok := o[k]; ok && string(v) != "null" {
			return v
		}
	}
	return nil
}

// text returns the first of the keys that holds a string.
func (o object) text(keys ...string) string {
	for _, k := range keys {
		var s string
		if json.Unmarshal(o[k], &s) == nil && s != "" {
			return s
		}
	}
	return ""
}

// moment returns the time at the first of the keys that is there: RFC 3339, or milliseconds since 1970. Zero when there is none.
func (o object) moment(keys ...string) (time.Time, error) {
	raw := o.get(keys...)
	if raw == nil {
		return time.Time{}, nil
	}
	var s string
	if json.Unmarshal(raw, &s) == nil {
		t, err := time.Parse(time.RFC3339, s)
		if err != nil {
			return time.Time{}, fmt.Errorf("%s is %q; expected a time such as 2026-11-30T12:00:00Z", keys[0], s)
		}
		return t, nil
	}
	var ms float64
	if err := json.Unmarshal(raw, &ms); err != nil || ms <= 0 || ms > 1e14 {
		return time.Time{}, fmt.Errorf("%s is %s; expected a time such as 2026-11-30T12:00:00Z", keys[0], clip(string(raw)))
	}
	return time.UnixMilli(int64(ms)), nil
}

func clip(text string) string {
	if len(text) > 40 {
		return text[:40] + "..."
	}
	return text
}
