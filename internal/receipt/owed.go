package receipt

import (
	"io"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/tidwall/gjson"

	"github.com/lorimer-dev/lorimer/internal/fastfile"
	"github.com/lorimer-dev/lorimer/internal/harness"
	"github.com/lorimer-dev/lorimer/internal/rawjson"
)

// owed is the end of the name of a file with runs that a receipt has still to count, a line each. Lines are appended by whoever
// could not have the receipt's lock, and never taken away: the receipt knows how far it has counted.
const owed = ".owed"

// maxOwed is the size in bytes from which on the file is taken away once all of it is counted.
const maxOwed = 64 << 10

// owe leaves a run for the next one to count, in one write: lines of processes that run at the same time do not mix.
func owe(path, id string, now time.Time, run Run) error {
	f, err := fastfile.Open(path+owed, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	defer f.Close()
	var p harness.Payload
	p.String("harness", id)
	p.String("handler", run.Handler)
	p.String("last", now.Format(time.RFC3339Nano))
	p.Raw("us", strconv.FormatInt(run.Took.Microseconds(), 10))
	p.Raw("blocked", strconv.FormatBool(run.Blocked))
	p.Raw("fault", strconv.FormatBool(run.Fault))
	p.Text("version", run.Version)
	_, err = f.Write(append(p.Bytes(), '\n'))
	return err
}

// book counts what is owed to the receipt at path.
func (r *Receipt) book(path string) {
	f, err := fastfile.Open(path+owed, os.O_RDONLY, 0)
	if err != nil {
		return // nothing is owed
	}
	defer f.Close()
	if size, err := f.Seek(0, io.SeekEnd); err != nil || size == r.booked {
		return
	} else if size < r.booked {
		r.booked = 0 // a new one
	}
	if _, err := f.Seek(r.booked, io.SeekStart); err != nil {
		return
	}
	src, _ := io.ReadAll(f) // what cannot be read is owed for longer
	for line := range strings.Lines(string(src)) {
		if !strings.HasSuffix(line, "\n") {
			return
		}
		r.booked += int64(len(line))
		r.count(line)
	}
}

// forgive takes away what has grown big and is counted. Only who holds the receipt's lock may do it.
func (r *Receipt) forgive(path string) {
	if r.booked > maxOwed && os.Remove(path+owed) == nil {
		r.booked = 0
	}
}

// count counts one line.
func (r *Receipt) count(line string) {
	o, ok := rawjson.ParseObject(line)
	last, err := time.Parse(time.RFC3339Nano, rawjson.String(o["last"]))
	if !ok || err != nil {
		return
	}
	if r.Count == 0 {
		r.Harness, r.Handler = rawjson.String(o["harness"]), rawjson.String(o["handler"])
	}
	r.add(last, Run{
		Took: time.Duration(gjson.Parse(o["us"]).Int()) * time.Microsecond, Blocked: o["blocked"] == "true", Fault: o["fault"] == "true",
		Version: rawjson.String(o["version"]),
	})
}
