//go:build !linux

package e2e

import "testing"

func TestThePreconditionsHold(t *testing.T) {
	t.Skip("the end-to-end tests need Linux: network namespaces, and the pinned hosts are built for it")
}
