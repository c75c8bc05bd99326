package store

import (
	"errors"
	"testing"
)

func TestWhatIsBusyIsTriedAgain(t *testing.T) {
	busy, other := errors.New("busy"), errors.New("other")
	isBusy := func(err error) bool { return errors.Is(err, busy) }
	for _, c := range []struct {
		errs  []error
		want  error
		tries int
	}{{[]error{nil}, nil, 1}, {[]error{busy, busy, nil}, nil, 3}, {[]error{busy, other, nil}, other, 2}} {
		tries := 0
		if err := insistWhile(isBusy, func() error { tries++; return c.errs[tries-1] }); !errors.Is(err, c.want) || tries != c.tries {
			t.Errorf("%v: %v after %d tries", c.errs, err, tries)
		}
	}
}
