package conform_test

import (
	"context"
	"io/fs"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/lorimer-dev/lorimer/golden"
	"github.com/lorimer-dev/lorimer/internal/conform"
)

// mutant is a shim with one fault in it, and the case that has to see it.
type mutant struct {
	fault    string
	old, new string // each occurrence in the generated shim
	caught   string // name of the case
}

// mutants are by harness, since their edits are of its shim.
var mutants = map[string][]mutant{"pi": {
	{"the stop is taken from another event", `pi.on("agent_before_settle"`, `pi.on("agent_end"`, "Stop: a block reaches the host, with its reason"},
	{"a verdict is not waited for", `= await rt.event("PreToolUse"`, `= rt.event("PreToolUse"`, "PreToolUse: a block reaches the host, with its reason"},
	{"the reason gets lost", "return { block: true, reason };", "return { block: true };", "block: standard error alone"},
	{"there is no cap", "if (limit && count >= limit)", "if (false)", "Stop: a loop that never passes ends at the cap"},
	{"the same reason is never enough", "if (same >= SAME_REASON", "if (false", "Stop: the same reason again and again is enough"},
	{"a tool call is no progress", "stateOf(session).same = 0;", "", "Stop: a tool call in between is progress"},
	{"our own continuation counts as a prompt", `if (carries(String(prompt ?? ""), state.echo)) return true;`, "", "Stop: our own continuation is no prompt"},
	{"the loop bit is never set", "state.active = !why;", "", "Stop: the loop bit"},
	{"a prompt resets nothing", "  endLoop(state);\n  return false;", "  return false;", "Stop: a prompt of the user's begins anew"},
	{"two stops run at once", "isStop(name) ? inTurn(session, ask) : ask()", "ask()", "Stop: two stops at once"},
	{"a failed run is gated", `e.outcome === "completed"`, "true", "Stop: a provider's failure is none"},
	{"a message of ours is a prompt", `e.source !== "extension"`, "true", "message: one that was taken up is no prompt of the user's"},
	{"a refused message counts as delivered", "if (marked) mids.delete(mid);", "", "message: one that the host refuses is owed"},
	{"a message is injected twice", "if (marked && !remember(mids, mid, MIDS)) return;", "", "message: the same one again"},
	{"the newest session is meant, whichever is named", "member.root(message.session_id)", "member.root()", "message: one for a session by its id"},
	{"the server keeps the host alive", "server.unref();", "", "message: the socket keeps nobody alive"},
	{"a peer keeps the host alive", "connection.unref();", "", "message: the socket keeps nobody alive"},
	{"the socket stays behind", "rt.close(session);", "", "message: the end takes the socket with it"},
	{"the socket is open to others", `fs.chmodSync(scratch, "600");`, "", "message: the socket is the user's alone"},
	{"children inherit the socket", "for (const name of VARIABLES) delete process.env[name];", "", "message: the socket is the user's alone"},
	{"somebody else's socket is taken", `if (answer === "connected") throw`, `if (answer === "connected") return; if (false) throw`, "message: a socket that is somebody else's"},
	{"a tool keeps its own name", `bash: "Bash"`, `bash: "bash"`, "tool: bash arrives as Bash"},
	{"a path stays where it was", `write: { path: "file_path" }`, "write: {}", "tool: write arrives as Write"},
	{"the host stands still", "await run(...call.args)",
		`(childProcess.spawnSync(call.args[0][0], call.args[0].slice(1), { input: call.args[1] }), { code: 0, out: "", err: "" })`,
		"host: it goes on while a hook runs"},
	{"keys are in another order", "{ ...head, ...bit, ...rest, ...head, ...tool && toolFields(tools, servers, tool) }",
		"{ ...tool && toolFields(tools, servers, tool), ...head, ...bit, ...rest }", "PreToolUse: it is dispatched, and holds nothing up"},
	{"fails open where it must not", "if (!blocked) return PASS;", "return PASS;",
		"fault: the dispatcher is missing and a handler is on_error: block"},
	{"fails closed where it must not", "function failed(event, fault, blocked, reportOnce) {", "function failed(event, fault, blocked, reportOnce) {\n  blocked = true;", "fault: the dispatcher is missing"},
	{"nobody is told", "reportOnce(`${event} ${blocked", "void (`${event} ${blocked", "fault: the dispatcher is missing"},
	{"held context is never handed out", `rt.take("prompt", session)`, `""`, "UserPromptSubmit: context reaches the model"},
	{"context goes to whichever call ends first", ", e.toolCallId);", ");", "tool: context stays with its call when two run at once"},
	{"a rewritten input is dropped", "Object.assign(e.input, input);", "Object.assign(e.input, structuredClone(e.input));", "rewrite: another command is what runs"},
	{"a rewritten input keeps Claude's keys", "[back.get(key) ?? key, value]", "[key, value]", "rewrite: another path is said in the host's words"},
	{"a result is not replaced", "put(e, contentOf(output));", "", "rewrite: another result is what the model reads"},
	{"a log line lands in the host's output", "function failed(event, fault, blocked, reportOnce) {", "function failed(event, fault, blocked, reportOnce) {\n  console.log(event);", "fault: the dispatcher is missing"},
	{"a strange event throws into the host", "return { place, fault: `the host's event could not be read", "throw thrown; return { place, fault: `the host's event could not be read", "host: strange events harm nobody"},
}, "opencode": {
	{"the start waits for the host, which waits for the start", "  const toast =", "  await client.app.log({});\n  const toast =", "PreToolUse: it is dispatched, and holds nothing up"},
}}

// TestMutants: a fault in a shim is seen. Each mutant is a textual edit of the generated shim, and must differ from it.
func TestMutants(t *testing.T) {
	if testing.Short() {
		t.Skip("starts some seventy hosts")
	}
	for id, mutants := range mutants {
		t.Run(id, func(t *testing.T) { t.Parallel(); testMutants(t, id, mutants) })
	}
}

func testMutants(t *testing.T, id string, mutants []mutant) {
	c, shim, sound := sound(t, id)
	t.Run("sound", func(t *testing.T) {
		c := c
		c.Only = func(name string) bool {
			return slices.ContainsFunc(mutants, func(m mutant) bool { return m.caught == name })
		}
		for _, r := range played(t, c) {
			if r.Result != conform.OK {
				t.Errorf("the shim as it is fails %q: %s %s", r.Case, r.Seen, r.Why)
			}
		}
	})
	for _, m := range mutants {
		t.Run(m.fault, func(t *testing.T) {
			c := c
			mutated := strings.ReplaceAll(sound, m.old, m.new)
			if mutated == sound {
				t.Fatalf("the shim has no %q any more; give the mutant another place", m.old)
			}
			c.Golden = overlay{golden.FS, shim, mutated}
			c.Only = func(name string) bool { return name == m.caught }
			for _, r := range played(t, c) {
				if r.Result != conform.Failed {
					t.Errorf("not seen by %q: %s, %s", r.Case, r.Result, r.Seen)
				}
				t.Logf("%.200s", r.Seen)
			}
		})
	}
}

// sound returns how to try the harness on one carrier, where its shim lies, and the shim.
func sound(t *testing.T, id string) (conform.Config, string, string) {
	t.Helper()
	c := config(t)
	c.ID, c.Carriers = id, c.Carriers[:1]
	shim := id + "/lorimer.js"
	b, err := fs.ReadFile(golden.FS, shim)
	if err != nil {
		t.Fatal(err)
	}
	return c, shim, string(b)
}

// TestWhatBreaksIsNoProof: a case that cannot hold is shown as such only when it was really played.
func TestWhatBreaksIsNoProof(t *testing.T) {
	c, shim, sound := sound(t, "pi")
	c.Only = func(name string) bool { return name == "PreCompact: a block reaches the host, with its reason" }
	for text, want := range map[string]conform.Result{sound: conform.Cannot, sound + "\nthrow new Error('torn');\n": conform.Failed} {
		c.Golden = overlay{golden.FS, shim, text}
		for _, r := range played(t, c) {
			if r.Result != want {
				t.Errorf("%s, want %s: %s %s", r.Result, want, r.Seen, r.Why)
			}
		}
	}
}

// played runs the cases; there must be some.
func played(t *testing.T, c conform.Config) []conform.Row {
	t.Helper()
	rows, err := conform.Run(context.Background(), c)
	if err != nil {
		t.Fatal(err)
	}
	if len(rows) == 0 {
		t.Fatal("no case has that name")
	}
	return rows
}

// overlay is a file system with one file exchanged.
type overlay struct {
	fs.FS
	path, text string
}

func (o overlay) Open(name string) (fs.File, error) {
	if name == o.path {
		return fstest.MapFS{name: {Data: []byte(o.text)}}.Open(name)
	}
	return o.FS.Open(name)
}
