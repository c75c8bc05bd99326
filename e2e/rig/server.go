//go:build linux

package rig

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"
)

// Server is a host that serves sessions over HTTP.
type Server struct {
	*Process
	URL string
	rig *Rig

	mu    sync.Mutex
	idles map[string]int // by session: how often it has come to rest
	asked map[string]int // by session: how often it had, when it was last given something to do
}

// Serve starts the host as a server and returns when it listens: a request that comes earlier may hang.
func (r *Rig) Serve(ctx context.Context, args ...string) (*Server, error) {
	p, err := r.Start(Options{Mode: r.Host.Serve, Args: args})
	if err != nil {
		return nil, err
	}
	s := &Server{Process: p, rig: r, idles: map[string]int{}, asked: map[string]int{}}
	err = p.Output(ctx, func(lines []string) bool {
		for _, l := range lines {
			if _, url, ok := strings.Cut(l, "listening on "); ok {
				s.URL = strings.TrimSpace(url)
			}
		}
		return s.URL != ""
	})
	if err != nil {
		return s, err
	}
	return s, s.watch(ctx)
}

// watch counts how often each session comes to rest.
func (s *Server) watch(ctx context.Context) error {
	events, err := s.events(ctx, "/event")
	if err != nil {
		return err
	}
	go func() {
		defer events.Close()
		for lines := bufio.NewReader(events); ; {
			line, err := lines.ReadString('\n')
			if err != nil {
				return
			}
			var e struct {
				Type       string
				Properties struct{ SessionID string }
			}
			if json.Unmarshal([]byte(strings.TrimPrefix(line, "data: ")), &e) == nil && e.Type == "session.idle" {
				s.mu.Lock()
				s.idles[e.Properties.SessionID]++
				s.mu.Unlock()
			}
		}
	}()
	return nil
}

// events opens a stream of events.
func (s *Server) events(ctx context.Context, path string) (io.ReadCloser, error) {
	req, err := http.NewRequestWithContext(ctx, "GET", s.URL+path, nil)
	if err != nil {
		return nil, err
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return nil, err
	}
	return res.Body, nil
}

// Do sends a request and decodes what comes back into out, unless that is nil.
func (s *Server) Do(ctx context.Context, method, path string, in, out any) error {
	body, err := json.Marshal(in)
	if err != nil {
		return err
	}
	req, err := http.NewRequestWithContext(ctx, method, s.URL+path, bytes.NewReader(body))
	if err != nil {
		return err
	}
	req.Header.Set("Content-Type", "application/json")
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return err
	}
	defer res.Body.Close()
	answer, err := io.ReadAll(res.Body)
	if err == nil && res.StatusCode >= 300 {
		err = fmt.Errorf("%s %s: %s: %s", method, path, res.Status, answer)
	}
	if err != nil || out == nil {
		return err
	}
	return json.Unmarshal(answer, out)
}

// Session makes a session, or with a parent's id a fork of that, and returns its id.
func (s *Server) Session(ctx context.Context, fork string) (string, error) {
	path := "/session"
	if fork != "" {
		path += "/" + fork + "/fork"
	}
	var made struct{ ID string }
	err := s.Do(ctx, "POST", path, map[string]any{}, &made)
	return made.ID, err
}

// Prompt gives the session a prompt and does not wait. more are further members of the request.
func (s *Server) Prompt(ctx context.Context, session, text string, more map[string]any) error {
	in := map[string]any{"parts": []map[string]any{{"type": "text", "text": text}}}
	for k, v := range more {
		in[k] = v
	}
	s.mu.Lock()
	s.asked[session] = s.idles[session] + 1
	s.mu.Unlock()
	return s.Do(ctx, "POST", "/session/"+session+"/prompt_async", in, nil)
}

// Settled returns when nothing goes on: what was asked for has come to rest, no session works, and no hook. What follows one
// from the other follows within a few turns of the server, so it is asked several times running: the busier the machine, the
// longer that takes.
func (s *Server) Settled(ctx context.Context) error {
	for quiet := 0; quiet < 15; time.Sleep(70 * time.Millisecond) {
		busy, err := s.busy(ctx)
		if err != nil {
			return fmt.Errorf("waiting until nothing goes on: %w", err)
		}
		if quiet++; busy {
			quiet = 0
		}
	}
	return nil
}

func (s *Server) busy(ctx context.Context) (bool, error) {
	var sessions map[string]struct{ Type string }
	if err := s.Do(ctx, "GET", "/session/status", nil, &sessions); err != nil {
		return false, err
	}
	for _, state := range sessions {
		if state.Type != "idle" {
			return true, nil
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for session, n := range s.asked {
		if s.idles[session] < n {
			return true, nil
		}
	}
	return slices.ContainsFunc(s.rig.survivors(), func(pid int) bool { return strings.Contains(command(pid), "lorimer-dispatch") }), nil
}

// End ends the sessions, and then the server. Its exit status is 0 when it was there until then.
func (s *Server) End(ctx context.Context) (Exit, error) {
	if err := s.dispose(ctx); err != nil {
		return Exit{}, err
	}
	if err := s.Signal(syscall.SIGTERM); err != nil {
		return Exit{}, err
	}
	exit, err := s.Wait(ctx)
	if exit.Code == 128+int(syscall.SIGTERM) {
		exit.Code = 0
	}
	return exit, err
}

// dispose ends the sessions. That is answered before it is done, so the end is awaited among the events.
func (s *Server) dispose(ctx context.Context) error {
	stream, err := s.events(ctx, "/global/event")
	if err != nil {
		return err
	}
	defer stream.Close()
	if err := s.Do(ctx, "POST", "/instance/dispose", nil, nil); err != nil {
		return err
	}
	events := bufio.NewReader(stream)
	for {
		line, err := events.ReadString('\n')
		if err != nil {
			return fmt.Errorf("waiting for the sessions to end: %w", err)
		}
		if strings.Contains(line, "server.instance.disposed") {
			return nil
		}
	}
}
