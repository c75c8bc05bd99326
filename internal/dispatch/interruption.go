package dispatch

import (
	"context"
	"os"
	"os/signal"
	"sync"
	"syscall"
)

// interruption knows whether the host wants the dispatcher to end. It is asked now and then while handlers run, and begins to
// listen for signals when it is asked for the first time, which a quick handler never lives to see: until then a signal ends
// the dispatcher as it ends any program.
type interruption struct {
	ctx     context.Context
	begin   sync.Once
	signals chan os.Signal
}

// told is asked by several handlers at a time.
func (i *interruption) told() bool {
	i.begin.Do(func() {
		i.signals = make(chan os.Signal, 1)
		// Left alone, SIGQUIT ends a Go program with the exit code that blocks.
		signal.Notify(i.signals, os.Interrupt, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT)
	})
	return len(i.signals) > 0 || i.ctx.Err() != nil // the signal stays there, for all to see
}

func (i *interruption) forget() {
	if i.signals != nil {
		signal.Stop(i.signals)
	}
}
