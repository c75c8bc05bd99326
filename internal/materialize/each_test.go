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
