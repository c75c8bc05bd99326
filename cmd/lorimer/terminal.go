package main

import (
	"os"

	"github.com/lorimer-dev/lorimer/internal/terminal"
)

// onTerminal says whether a person can be asked: both what is shown and what is typed go through a terminal.
func onTerminal() bool {
	for _, f := range []*os.File{os.Stdin, os.Stdout} {
		info, err := f.Stat()
		if err != nil || info.Mode()&os.ModeCharDevice == 0 || os.SameFile(info, null()) {
			return false
		}
	}
	return true
}

// barWidth is how many columns a progress bar has; 0 = nobody would see one.
func barWidth() int {
	info, err := os.Stderr.Stat()
	if err != nil || info.Mode()&os.ModeCharDevice == 0 || os.SameFile(info, null()) {
		return 0
	}
	return terminal.Width(os.Stderr)
}

// null is the character device that nobody sits at.
func null() os.FileInfo {
	info, err := os.Stat(os.DevNull)
	if err != nil {
		return nil
	}
	return info
}
