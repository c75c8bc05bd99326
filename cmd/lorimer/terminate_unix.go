//go:build unix

package main

import "syscall"

// terminate is the signal that asks a program to end.
const terminate = syscall.SIGTERM
