package hosttrust

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/lorimer-dev/lorimer/internal/harness"
)

// program imitates an agent's: it lists two hooks of ours and a stranger's, the second of ours trusted, and remembers what it
// is told.
const program = `#!/bin/sh
while read -r line; do
	printf '%s\n' "$line" >>"$0.log"
	case $line in
	*'"hello"'*) echo '{"method":"news","params":{}}'; echo '{"id":1,"result":{}}' ;;
	*'"list"'*)
		id=${line#*'"id":'}; id=${id%%,*}
		first=no; [ -f "$0.granted" ] && first=yes
		echo '{"id":'$id',"result":{"hooks":[{"cmd":"ours one","k":"f:0","h":"h0","t":"'$first'"},{"cmd":"ours two","k":"f:1","h":"h1","t":"yes"},{"cmd":"ours one; rm -rf /","k":"f:2","h":"h2","t":"no"}]}}' ;;
	*'"refuse"'*) echo '{"id":3,"error":{"message":"read only"}}' ;;
	*'"write"'*) touch "$0.granted"; echo '{"id":3,"result":{}}' ;;
	esac
done
`

func asker(t *testing.T, write string) (Asker, string) {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("the program is a script of sh")
	}
	path := filepath.Join(t.TempDir(), "agent")
	if err := os.WriteFile(path, []byte(program), 0o755); err != nil {
		t.Fatal(err)
	}
	h := &harness.Harness{ID: "agent", Name: "Agent", TrustAsk: &harness.TrustAsk{
		Open: []harness.RPC{{Method: "hello"}, {Method: "there", Notify: true}},
		List: harness.RPC{Method: "list", Params: `{"dir":"{root}"}`}, Items: "hooks", Command: "cmd", Key: "k", Hash: "h",
		Trusted: []harness.Predicate{{Key: "t", In: []string{"yes"}}}, Grant: `{"hash":"{hash}"}`,
		Write: harness.RPC{Method: write, Params: `{"all":"{grants}"}`},
	}}
	return Asker{Harness: h, Program: path, Root: t.TempDir()}, path
}

func TestOnlyWhatWasWrittenIsTrusted(t *testing.T) {
	a, path := asker(t, "write")
	ours := []string{"ours one", "ours two"}
	if _, why, known := a.Distrusts(t.Context(), ours); !known || !strings.HasPrefix(why, "Agent does not trust 1 of 2 hooks") {
		t.Errorf("%v %q", known, why)
	}
	if n, err := a.Grant(t.Context(), ours); n != 1 || err != nil {
		t.Fatal(n, err)
	}
	log, _ := os.ReadFile(path + ".log")
	if want := `"method":"write","params":{"all":{"f:0":{"hash":"h0"}}}`; !strings.Contains(string(log), want) {
		t.Errorf("%s was not said:\n%s", want, log)
	}
	if _, why, known := a.Distrusts(t.Context(), ours); !known || why != "" {
		t.Errorf("%v %q", known, why)
	}
	if n, err := a.Grant(t.Context(), ours); n != 0 || err != nil {
		t.Error("again:", n, err)
	}
}

// A program may be a script with an interpreter before it, and live in a home of its own.
func TestTheProgramOfARuntime(t *testing.T) {
	a, path := asker(t, "write")
	a.Program, a.Script, a.Env = "/bin/sh", []string{path}, []string{"HOME=/elsewhere", "PATH=" + os.Getenv("PATH")}
	src, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(strings.Replace(string(src), "while", `echo "$HOME $LORIMER_NOT_THERE" >>"$0.log"; while`, 1)), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv("LORIMER_NOT_THERE", "x")
	if n, err := a.Grant(t.Context(), []string{"ours one", "ours two"}); n != 1 || err != nil {
		t.Fatal(n, err)
	}
	if log, _ := os.ReadFile(path + ".log"); !strings.HasPrefix(string(log), "/elsewhere \n") {
		t.Errorf("%s", log)
	}
}

func TestWhatGoesWrongIsSaid(t *testing.T) {
	a, _ := asker(t, "write")
	if _, err := a.Grant(t.Context(), []string{"ours three"}); err == nil || !strings.Contains(err.Error(), "does not see the hook ours three") {
		t.Error(err)
	}
	a, _ = asker(t, "refuse")
	if _, err := a.Grant(t.Context(), []string{"ours one"}); err == nil || !strings.Contains(err.Error(), "it says read only") {
		t.Error(err)
	}
	a.Harness.TrustAsk.Items = "nothing"
	if _, err := a.Look(t.Context(), []string{"ours one"}); err == nil || !strings.Contains(err.Error(), "another version") {
		t.Error(err)
	}
	a.Program = ""
	if _, err := a.Look(t.Context(), []string{"ours one"}); !errors.Is(err, ErrNoProgram) {
		t.Error(err)
	}
	a.Program = "/bin/false"
	if _, why, known := a.Distrusts(t.Context(), []string{"ours one"}); !known || !strings.HasPrefix(why, "it cannot be told which hooks Agent trusts") {
		t.Errorf("%v %q", known, why)
	}
}
