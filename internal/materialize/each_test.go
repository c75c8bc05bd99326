package materialize

import (
	"fmt"
	"sync/atomic"
	"testing"
	"time"
)

func TestEachWorksAtTheSameTimeAndReportsInOrder(t *testing.T) {
	var clones []string
	for i := range 50 {
		clones = append(clones, fmt.Sprint(i))
	}
	var now, most atomic.Int32
	var order []string
	Each(clones, func(clone string) string {
		if n := now.Add(1); n > most.Load() {
			most.Store(n)
		}
		time.Sleep(time.Duration(len(clone)) * time.Millisecond)
		now.Add(-1)
		return "r" + clone
	}, func(clone, result string) {
		if result != "r"+clone {
			t.Errorf("%s got %s", clone, result)
		}
		order = append(order, clone)
	})
	if fmt.Sprint(order) != fmt.Sprint(clones) {
		t.Errorf("order: %v", order)
	}
	if most.Load() < 2 {
		t.Error("one at a time")
	}
	Each(nil, func(string) int { return 0 }, func(string, int) { t.Error("reported nothing") })
}

// TestEachKeepsFewResults: one clone that takes long must not make the results of all others pile up.
func TestEachKeepsFewResults(t *testing.T) {
	clones := make([]string, 500)
	var done atomic.Int32
	clones[0] = "slow"
	free := make(chan bool)
	go func() {
		for before := int32(-1); before != done.Load(); time.Sleep(20 * time.Millisecond) {
			before = done.Load()
		}
		close(free)
	}()
	Each(clones, func(clone string) int {
		if clone == "slow" {
			<-free
			if n := int(done.Load()); n > ahead {
				t.Errorf("%d results wait for the first one", n)
			}
		}
		done.Add(1)
		return 0
	}, func(string, int) {})
	if done.Load() != 500 {
		t.Error(done.Load())
	}
}
