//go:build linux

package rig

import (
	"context"
	"fmt"
	"os"
	"testing"

	"github.com/lorimer-dev/lorimer/internal/sandbox"
)

// Ready makes everything ready for rigs of the hosts: it looks their packages up, builds the binaries where modules can be
// fetched, and takes the program into the sandbox, that is, it starts the program again. root is the checkout, and dir the
// directory whose package.json pins the hosts. The error says why they cannot be run here.
func Ready(ctx context.Context, root, dir string, hosts ...*Host) (Install, string, error) {
	in, err := Installed(dir, hosts...)
	if err != nil {
		return in, "", err
	}
	bin, remove, err := Binaries(ctx, root)
	if err != nil {
		return in, "", err
	}
	if err := sandbox.Enter(remove, "LORIMER_BIN="+bin); err != nil {
		remove()
		return in, "", err
	}
	return in, bin, nil
}

// Need skips a test, loudly, when Ready has failed; with LORIMER_E2E=1 it fails it.
func Need(t testing.TB, unavailable error) {
	t.Helper()
	if unavailable == nil {
		return
	}
	if os.Getenv("LORIMER_E2E") == "1" {
		t.Fatalf("real agents cannot be run here: %v", unavailable)
	}
	fmt.Fprintf(os.Stderr, "SKIPPED %s: %v\n", t.Name(), unavailable)
	t.Skip(unavailable)
}
