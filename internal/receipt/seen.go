package receipt

import (
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path/filepath"
	"slices"
	"strconv"

	"github.com/tidwall/gjson"

	"github.com/lorimer-dev/lorimer/internal/fastfile"
	"github.com/lorimer-dev/lorimer/internal/harness"
	"github.com/lorimer-dev/lorimer/internal/rawjson"
	"github.com/lorimer-dev/lorimer/internal/state"
)

// keptSessions is how many of the newest sessions are told from each other; one that comes back after so many others counts anew.
const keptSessions = 16

// Seen is what is known of a harness in a clone since its hooks were compiled anew: which of its sessions reached us, and
// with which events. An event that never came in several sessions is a hook that is not in force, whatever the config says.
type Seen struct {
	Manifest string   // names the hooks, for who asks to compare; "" = nothing is known
	Sessions int      // how many there were
	Recent   []string // the newest, as file names
	Events   []string // that came
}

// Hooks names a manifest, for Seen.
func Hooks(manifest []byte) string {
	sum := sha256.Sum256(manifest)
	return hex.EncodeToString(sum[:8])
}

// Came says whether the event reached us.
func (s Seen) Came(e harness.Event) bool { return slices.Contains(s.Events, string(e)) }

// See notes that an event of a session came. Nothing is written when nothing about it is new. session "" is a session that
// cannot be told from others and is not counted. An error means that it was not noted.
func See(home, root, id, manifest, session string, event harness.Event) error {
	path := seenFile(home, root, id)
	if session != "" {
		session = state.FileName(session)
	}
	src, _ := fastfile.Read(path) // none: then all is new
	if _, isNew := parseSeen(src).with(manifest, session, event); !isNew {
		return nil
	}
	return state.Edit(path, wait, func(old []byte) []byte {
		s, _ := parseSeen(old).with(manifest, session, event)
		return s.bytes()
	})
}

// with adds an event, and says whether anything of it is new.
func (s Seen) with(manifest, session string, event harness.Event) (_ Seen, isNew bool) {
	if s.Manifest != manifest {
		s, isNew = Seen{Manifest: manifest}, true
	}
	if !s.Came(event) {
		s.Events, isNew = append(s.Events, string(event)), true
	}
	if session != "" && !slices.Contains(s.Recent, session) {
		s.Recent = append(s.Recent[max(0, len(s.Recent)-keptSessions+1):], session)
		s.Sessions, isNew = s.Sessions+1, true
	}
	return s, isNew
}

// ReadSeen returns what is known of a harness in a clone.
func ReadSeen(home, root, id string) Seen {
	src, _ := os.ReadFile(seenFile(home, root, id)) // none, or out of reach: nothing is known
	return parseSeen(src)
}

func parseSeen(src []byte) (s Seen) {
	o, ok := rawjson.ParseObject(string(src))
	if !ok {
		return s
	}
	texts := func(key string) (all []string) {
		gjson.Parse(o[key]).ForEach(func(_, x gjson.Result) bool {
			all = append(all, x.String())
			return true
		})
		return all
	}
	return Seen{
		Manifest: rawjson.String(o["manifest"]), Sessions: int(gjson.Parse(o["sessions"]).Int()), Recent: texts("recent"),
		Events: texts("events"),
	}
}

func (s Seen) bytes() []byte {
	list := func(texts []string) string {
		out := []byte{'['}
		for i, t := range texts {
			if i > 0 {
				out = append(out, ',')
			}
			out = append(out, harness.Quoted(t)...)
		}
		return string(append(out, ']'))
	}
	var p harness.Payload
	p.String("manifest", s.Manifest)
	p.Raw("sessions", strconv.Itoa(s.Sessions))
	p.Raw("recent", list(s.Recent))
	p.Raw("events", list(s.Events))
	return append(p.Bytes(), '\n')
}

// seenFile has no "--" in its name, so it is no receipt.
func seenFile(home, root, id string) string {
	return filepath.Join(dir(home, root), id+".sessions.json")
}
