//go:build linux

package rig

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// grace is how long a process may still need to end after its host has.
const grace = 3 * time.Second

// sweep ends every process that carries the rig's mark, whatever its group or parent. Those that had not ended by themselves
// within the grace are reported.
func (r *Rig) sweep() error {
	deadline := time.Now().Add(grace)
	left := r.survivors()
	for len(left) > 0 && time.Now().Before(deadline) {
		time.Sleep(20 * time.Millisecond)
		left = r.survivors()
	}
	var names []string
	for _, pid := range left {
		names = append(names, fmt.Sprintf("%d (%s)", pid, command(pid)))
		r.end(pid)
	}
	if len(names) > 0 {
		return fmt.Errorf("left running by %s: %s", r.Host.Name, strings.Join(names, ", "))
	}
	return nil
}

// survivors lists the running processes whose environment carries the mark.
func (r *Rig) survivors() []int {
	dirs, _ := filepath.Glob("/proc/[0-9]*")
	var out []int
	for _, d := range dirs {
		if pid, err := strconv.Atoi(filepath.Base(d)); err == nil && r.owns(pid) {
			out = append(out, pid)
		}
	}
	return out
}

func (r *Rig) owns(pid int) bool {
	env, err := os.ReadFile(fmt.Sprintf("/proc/%d/environ", pid))
	return err == nil && bytes.Contains(append([]byte{0}, env...), []byte("\x00"+r.mark+"\x00"))
}

// end kills pid if it is still ours: the handle is taken before the mark is looked at again, so that a number which was
// given to another process meanwhile is not killed.
func (r *Rig) end(pid int) {
	p, err := os.FindProcess(pid)
	if err != nil {
		return
	}
	defer p.Release()
	if r.owns(pid) {
		p.Kill()
	}
}

func command(pid int) string {
	b, _ := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid))
	return strings.TrimSpace(strings.ReplaceAll(string(b), "\x00", " "))
}
