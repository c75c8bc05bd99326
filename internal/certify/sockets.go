package certify

import (
	"net"
	"os"
	"path/filepath"
	"time"
)

// removeDead removes the sockets of a directory on which nobody listens: their sessions were killed.
func removeDead(dir string) {
	sockets, _ := filepath.Glob(filepath.Join(dir, "*.sock"))
	for _, path := range sockets {
		c, err := net.DialTimeout("unix", path, time.Second)
		if err == nil {
			c.Close()
			continue
		}
		os.Remove(path)
	}
}
