package dispatch

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/lorimer-dev/lorimer/internal/harness"
)

type echoVector struct {
	Name, Reason, Prompt string
	Echo                 bool
}

// echoVectors are the shared table: what Go takes for our own continuation, JavaScript does.
func echoVectors(t *testing.T) (all []echoVector) {
	t.Helper()
	src, err := os.ReadFile("../../runtime-js/testdata/echoes.json")
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(src, &all); err != nil || len(all) < 35 {
		t.Fatalf("%d vectors: %v", len(all), err)
	}
	return all
}

func TestEchoVectors(t *testing.T) {
	for _, v := range echoVectors(t) {
		if got := carries(v.Prompt, v.Reason); got != v.Echo {
			t.Errorf("%s: %v", v.Name, got)
		}
	}
}

// FuzzCarries: a prompt in which a reason does not stand is no echo of it, and a reason by itself always is.
func FuzzCarries(f *testing.F) {
	f.Add("<a>b</a>", "b")
	f.Fuzz(func(t *testing.T, prompt, reason string) {
		if carries(prompt, reason) && !strings.Contains(flat(prompt), flat(reason)) {
			t.Errorf("%q is no part of %q", reason, prompt)
		}
		if flat(reason) != "" && !carries("\n"+reason+" ", reason) {
			t.Errorf("%q is not known by itself", reason)
		}
	})
}

// Our own continuation is no prompt of the user's: it is not dispatched and resets nothing. A user's is, and does.
func TestEcho(t *testing.T) {
	for _, e := range echoVectors(t) {
		if flat(e.Reason) == "" {
			continue // a stop always has one
		}
		t.Run(e.Name, func(t *testing.T) {
			c := newClone(t).handler(harness.UserPromptSubmit, `echo x >> prompted`)
			c.write("reason", e.Reason)
			c.handler(harness.Stop, `cat reason >&2; exit 2`)
			quoted, _ := json.Marshal(e.Prompt)
			prompt := `{"session_id":"s","prompt":` + string(quoted) + `}`
			c.stop("native", `{"session_id":"s"}`)
			c.silent(c.run(prompt, "native", "UserPromptSubmit"))
			counts := strings.Contains(c.read("state/sessions/s/stop.json"), `"count":1`)
			if counts != e.Echo || (c.read("prompted") == "") != e.Echo {
				t.Errorf("counts %v, prompted %q", counts, c.read("prompted"))
			}
		})
	}
}

// The contract: until the next stop it is ours, as often as it comes, and also behind a prompt of the user's.
func TestEchoUntilTheNextStop(t *testing.T) {
	c := newClone(t).handler(harness.UserPromptSubmit, `cat >> prompted; echo >> prompted`).handler(harness.Stop, `test -e pass && exit 0; `+never)
	prompts := func(texts ...string) {
		for _, text := range texts {
			c.run(`{"session_id":"s","prompt":"`+text+`"}`, "native", "UserPromptSubmit")
		}
	}
	prompts("run the tests")
	c.stop("native", `{"session_id":"s"}`)
	prompts("run the tests", "run the tests", "and hurry", "run the tests")
	c.stop("native", `{"session_id":"s"}`)
	if bit := strings.TrimSpace(c.read("bit")); bit != "false" {
		t.Errorf("after a prompt of the user's the bit is %q", bit)
	}
	c.write("pass", "")
	c.stop("native", `{"session_id":"s"}`)
	prompts("run the tests")
	if got := strings.Count(c.read("prompted"), "run the tests"); got != 2 || strings.Count(c.read("prompted"), "hurry") != 1 {
		t.Errorf("the user said it twice, %d times it was dispatched:\n%s", got, c.read("prompted"))
	}
}

// A reason that is not kept whole is known all the same.
func TestEchoOfALongReason(t *testing.T) {
	s := stops{file: t.TempDir() + "/stop.json"}
	reason := strings.Repeat("é", 40_000)
	if err := s.count(reason); err != nil {
		t.Fatal(err)
	}
	if !s.isEcho(reason) || s.isEcho("x"+reason) {
		t.Error("it is not told from another")
	}
}
