package usage

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"
)

// full takes some bytes, and then no more.
type full struct{ room int }

func (f *full) Write(p []byte) (int, error) {
	if f.room -= len(p); f.room < 0 {
		return 0, errors.New("no space left")
	}
	return len(p), nil
}

func TestOutput(t *testing.T) {
	var b bytes.Buffer
	o := Output{W: &b}
	fmt.Fprint(&o, "all")
	if err := o.Lost(); err != nil || b.String() != "all" {
		t.Errorf("%q, %v", b.String(), err)
	}
	o = Output{W: &full{room: 3}}
	fmt.Fprint(&o, "all")
	fmt.Fprint(&o, "more")
	fmt.Fprint(&o, "")
	if err := o.Lost(); err == nil || !strings.Contains(err.Error(), "no space left") {
		t.Errorf("%v", err)
	}
}
