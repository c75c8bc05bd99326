package materialize

import (
	"runtime"
	"sync"
)

// Each calls work for every clone, several at a time, and report with the results in the order of the clones, each as soon
// as it and those before it are there. A clone that is named twice is worked on twice, one after the other: it has a lock.
func Each[R any](clones []string, work func(clone string) R, report func(clone string, result R)) {
	results := make([]chan R, len(clones))
	for i := range results {
		results[i] = make(chan R, 1)
	}
	next := make(chan int)
	var workers sync.WaitGroup
	for range min(len(clones), runtime.GOMAXPROCS(0)*2) { // most of the time is spent waiting for the disk
		workers.Go(func() {
			for i := range next {
				results[i] <- work(clones[i])
			}
		})
	}
	go func() {
		for i := range clones {
			next <- i
		}
		close(next)
	}()
	for i, clone := range clones {
		report(clone, <-results[i])
	}
	workers.Wait()
}
