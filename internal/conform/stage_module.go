package conform

import (
	"bufio"
	"bytes"
	"context"
	"crypto/rand"
	_ "embed"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"time"
)

//go:embed carrier.mjs
var carrierSource []byte

// Carrier is a program that runs JavaScript modules.
type Carrier struct {
	Name string // as the table shows it
	Path string // of the executable
}

// FindCarriers returns what is here of the programs that run modules: node and bun, on PATH or where NODE and BUN say.
func FindCarriers() (all []Carrier) {
	for _, name := range []string{"node", "bun"} {
		path := os.Getenv(strings.ToUpper(name))
		if path == "" {
			path = name
		}
		if path, err := exec.LookPath(path); err == nil && runs(path) {
			all = append(all, Carrier{name, path})
		}
	}
	return all
}

// runs says whether the program runs modules as those that are generated: an old node does not.
func runs(path string) bool {
	if strings.HasPrefix(filepath.Base(path), "bun") {
		return exec.Command(path, "--version").Run() == nil
	}
	return exec.Command(path, "--input-type=module", "-e", `"".toWellFormed() || process.exit(0)`).Run() == nil
}

// module is a stage: a shim in a carrier, in the imitation of its host.
type module struct {
	cmd    *exec.Cmd
	stdin  io.WriteCloser
	stderr bytes.Buffer
	token  string
	id     int

	answers chan carried
	gone    chan struct{} // closed when it has ended and its streams are read

	mu     sync.Mutex
	stdout strings.Builder // what is no answer
	strays []string        // promises and errors that nobody took care of
}

// carried is an answer of the carrier.
type carried struct {
	ID    int    `json:"id"`
	Fault string `json:"fault"`
	Seen  seen   `json:"seen"`
	Stray string `json:"stray"`
}

// startModule starts a carrier with a shim. dir is where its files are put, cwd where the host works.
func startModule(ctx context.Context, p place, dir, cwd, shim string, imitation []byte, env []string) (*module, error) {
	carrier, fake := filepath.Join(dir, "carrier.mjs"), filepath.Join(dir, "fake.mjs")
	if err := errors.Join(os.WriteFile(carrier, carrierSource, 0o600), os.WriteFile(fake, imitation, 0o600)); err != nil {
		return nil, err
	}
	argv, err := json.Marshal(p.mode.Argv)
	if err != nil {
		return nil, err
	}
	token := make([]byte, 8)
	rand.Read(token)
	m := &module{token: hex.EncodeToString(token) + " ", answers: make(chan carried, 16), gone: make(chan struct{})}
	m.cmd = exec.CommandContext(ctx, p.carrier.Path, carrier, shim, fake, m.token, string(argv))
	m.cmd.Dir, m.cmd.Env, m.cmd.Stderr = cwd, env, &m.stderr
	m.cmd.WaitDelay = time.Second
	if m.stdin, err = m.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	out, err := m.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := m.cmd.Start(); err != nil {
		return nil, err
	}
	go m.listen(out)
	loading, cancel := context.WithTimeout(ctx, loadLimit)
	defer cancel()
	_, err = m.do(loading, "load", nil)
	return m, err
}

// loadLimit is how long a shim may take to be there. They take milliseconds; one that waits for what comes after its start
// takes for ever.
const loadLimit = 20 * time.Second

// listen takes answers and strays out of the carrier's output; the rest is what the shim wrote there.
func (m *module) listen(out io.Reader) {
	r := bufio.NewReader(out)
	for {
		line, err := r.ReadString('\n')
		rest, ours := strings.CutPrefix(line, m.token)
		var c carried
		switch {
		case !ours || json.Unmarshal([]byte(rest), &c) != nil:
			m.note(func() { m.stdout.WriteString(line) })
		case c.Stray != "":
			m.note(func() { m.strays = append(m.strays, c.Stray) })
		default:
			m.answers <- c
		}
		if err != nil {
			break
		}
	}
	m.cmd.Wait()
	close(m.gone)
}

func (m *module) note(f func()) {
	m.mu.Lock()
	defer m.mu.Unlock()
	f()
}

// do gives a command and waits for its answer. The error shows what the carrier said when it had none.
func (m *module) do(ctx context.Context, command string, more any) (seen, error) {
	m.id++
	line, err := commandLine(m.id, command, more)
	if err != nil {
		return seen{}, err
	}
	if _, err := m.stdin.Write(line); err != nil {
		<-m.gone
		return seen{}, broken{fmt.Errorf("the host has ended: %w: %s", err, &m.stderr)}
	}
	select {
	case c := <-m.answers:
		if c.Fault != "" {
			return c.Seen, broken{fmt.Errorf("%s: %s", command, c.Fault)}
		}
		return c.Seen, nil
	case <-m.gone:
		return seen{}, broken{fmt.Errorf("the host ended (%s) at %s: %s", m.cmd.ProcessState, command, &m.stderr)}
	case <-ctx.Done():
		return seen{}, broken{fmt.Errorf("%s: no answer: %w", command, ctx.Err())}
	}
}

func commandLine(id int, command string, more any) ([]byte, error) {
	fields := map[string]any{}
	if more != nil {
		data, err := json.Marshal(more)
		if err != nil {
			return nil, err
		}
		if err := json.Unmarshal(data, &fields); err != nil {
			return nil, err
		}
	}
	fields["id"], fields["command"] = id, command
	line, err := json.Marshal(fields)
	return append(line, '\n'), err
}

func (m *module) play(ctx context.Context, a act) (seen, error) { return m.do(ctx, "play", a) }

// ends waits for the process to end by itself, within a time.
func (m *module) ends(within time.Duration) error {
	select {
	case <-m.gone:
		return nil
	case <-time.After(within):
		return fmt.Errorf("it still runs after %v", within)
	}
}

// close ends the host by closing its input. What keeps it alive then is another case's business, so it is killed after a while.
func (m *module) close() (streams, error) {
	m.stdin.Close()
	if m.ends(3*time.Second) != nil {
		m.cmd.Process.Kill()
		<-m.gone
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	var err error
	if len(m.strays) > 0 {
		err = errors.New(m.strays[0])
	}
	return streams{m.stdout.String(), m.stderr.String()}, err
}
