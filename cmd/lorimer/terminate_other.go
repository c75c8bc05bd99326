//go:build !unix

package main

import "os"

// terminate: elsewhere an interrupt is all there is.
var terminate = os.Interrupt
