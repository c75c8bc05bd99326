package hosttrust

import (
	"bufio"
	"cmp"
	"context"
	"fmt"
	"io"
	"os/exec"
	"strings"
	"time"

	"github.com/tidwall/gjson"

	"github.com/lorimer-dev/lorimer/internal/harness"
)

// longest is the longest line that a program may answer with, in bytes.
const longest = 16 << 20

// session is a running program that is asked.
type session struct {
	program string
	cmd     *exec.Cmd
	in      io.WriteCloser
	out     *bufio.Scanner
	errs    strings.Builder
	cancel  context.CancelFunc
	id      int
}

func start(ctx context.Context, argv, env []string, dir string) (*session, error) {
	ctx, cancel := context.WithTimeout(ctx, limit)
	s := &session{program: argv[0], cancel: cancel, cmd: exec.CommandContext(ctx, argv[0], argv[1:]...)}
	s.cmd.Dir, s.cmd.Env, s.cmd.Stderr, s.cmd.WaitDelay = dir, env, &s.errs, time.Second
	in, err := s.cmd.StdinPipe()
	if err != nil {
		cancel()
		return nil, err
	}
	out, err := s.cmd.StdoutPipe()
	if err == nil {
		err = s.cmd.Start()
	}
	if err != nil {
		cancel()
		return nil, fmt.Errorf("%s cannot be started: %w", argv[0], err)
	}
	s.in, s.out = in, bufio.NewScanner(out)
	s.out.Buffer(nil, longest)
	return s, nil
}

// call says one message and waits for its answer's result, unless it has none.
func (s *session) call(m harness.RPC, tokens *strings.Replacer) (gjson.Result, error) {
	var line harness.Payload
	line.String("jsonrpc", "2.0")
	if !m.Notify {
		s.id++
		line.Raw("id", fmt.Sprint(s.id))
	}
	line.String("method", m.Method)
	line.Raw("params", tokens.Replace(m.Params))
	if _, err := s.in.Write(append(line.Bytes(), '\n')); err != nil {
		return gjson.Result{}, s.failed(m, err)
	}
	if m.Notify {
		return gjson.Result{}, nil
	}
	for s.out.Scan() {
		answer := gjson.ParseBytes(s.out.Bytes())
		if answer.Get("id").Raw != fmt.Sprint(s.id) || answer.Get("method").Exists() {
			continue // it says something of itself
		}
		if e := answer.Get("error"); e.Exists() {
			return gjson.Result{}, s.failed(m, fmt.Errorf("it says %s", cmp.Or(e.Get("message").String(), e.Raw)))
		}
		return gjson.Parse(answer.Get("result").Raw), nil
	}
	return gjson.Result{}, s.failed(m, cmp.Or(s.out.Err(), io.ErrUnexpectedEOF))
}

func (s *session) failed(m harness.RPC, err error) error {
	return fmt.Errorf("%s was asked for %s in vain: %w", s.program, m.Method, err)
}

// close lets the program end, which it does when nobody talks to it any more.
func (s *session) close() {
	s.in.Close()
	ended := time.AfterFunc(2*time.Second, s.cancel)
	_ = s.cmd.Wait() // what it answered is known
	ended.Stop()
	s.cancel()
}
