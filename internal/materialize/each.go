package materialize

import (
	"runtime"
	"sync"
)

// ahead is how many results may wait for one that takes longer. They are kept until it is there, and a run over a thousand clones
// must not keep a thousand.
const ahead = 32

// Each calls work for every clone, several at a time, and report with the results in the order of the clones, each as soon
// as it and those before it are there. A clone that is named twice is worked on twice, one after the other: it has a lock.
func Each[R any](clones []string, work func(clone string) R, report func(clone string, result R)) {
	type job struct {
		clone  string
		result chan R
	}
	next, begun := make(chan job), make(chan job, ahead)
	go func() {
		for _, clone := range clones {
			j := job{clone, make(chan R, 1)}
			begun <- j
			next <- j
		}
		close(next)
		close(begun)
	}()
	var workers sync.WaitGroup
	for range min(len(clones), runtime.GOMAXPROCS(0)*4) { // most of the time is spent waiting for the disk
		workers.Go(func() {
			for j := range next {
				j.result <- work(j.clone)
			}
		})
	}
	for j := range begun {
		report(j.clone, <-j.result)
	}
	workers.Wait()
}
