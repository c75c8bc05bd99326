//go:build unix

package dispatch

import "golang.org/x/sys/unix"

const nonblock = unix.O_NONBLOCK
