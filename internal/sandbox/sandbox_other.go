//go:build !linux

package sandbox

import (
	"errors"
	"runtime"
)

func restart(func(), []string) error {
	return errors.New("sandbox: network namespaces need Linux; this is " + runtime.GOOS)
}

func loopbackUp() error { return nil }
