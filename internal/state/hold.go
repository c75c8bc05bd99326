package state

import (
	"context"
	"fmt"
	"os"
	"time"
)

// Hold takes the lock on a file for as long as something takes that must not happen twice at a time, such as an installation;
// it ends with release, or with the process. The file and its directory are made. waiting, which may be nil, is called once
// when somebody else has the lock; then Hold waits until ctx ends.
func Hold(ctx context.Context, path string, waiting func()) (release func(), err error) {
	file, err := openForEdit(path)
	if err != nil {
		return nil, err
	}
	for told := false; ; told = true {
		err := lock(file)
		if err == nil {
			return func() { file.Close() }, nil
		}
		if !isHeld(err) {
			return nil, giveUp(file, fmt.Errorf("%s: not locked: %w", path, err))
		}
		if !told && waiting != nil {
			waiting()
		}
		select {
		case <-ctx.Done():
			return nil, giveUp(file, fmt.Errorf("%s is locked by another lorimer: %w", path, ctx.Err()))
		case <-time.After(20 * time.Millisecond):
		}
	}
}

func giveUp(file *os.File, err error) error {
	file.Close()
	return err
}
