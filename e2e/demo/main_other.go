//go:build !linux

// Command demo needs Linux: see main.go.
package main

import (
	"fmt"
	"os"
)

func main() {
	fmt.Fprintln(os.Stderr, "The demo runs real agents in a network namespace, and that takes Linux.")
	os.Exit(1)
}
