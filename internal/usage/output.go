package usage

import (
	"fmt"
	"io"
)

// Output is a command's standard output, which remembers that something of it was lost. A report that was cut short by a full disk
// must not end as one that was told to the end.
type Output struct {
	W   io.Writer
	err error // the first
}

// Write implements io.Writer.
func (o *Output) Write(p []byte) (int, error) {
	n, err := o.W.Write(p)
	if err != nil && o.err == nil {
		o.err = err
	}
	return n, err
}

// Lost is what a command ends with when its output was not taken, nil else.
func (o *Output) Lost() error {
	if o.err == nil {
		return nil
	}
	return fmt.Errorf("not all of the output could be written: %w; what was to be done was done all the same", o.err)
}
