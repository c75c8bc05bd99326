package main

import (
	"fmt"
	"os"
	"slices"
	"time"

	"github.com/lorimer-dev/lorimer/hal"
)

// library times the HAL as a program asks it: a detection and an answer, from nothing, many times.
func library() error {
	empty, err := os.MkdirTemp("", "lorimer-bench")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(empty) }()
	known := string(hal.Providers()[0])
	by := func(variable string) func() {
		return func() {
			h := hal.New(hal.Options{Dir: empty, Getenv: func(name string) string {
				if name == variable {
					return known
				}
				return ""
			}})
			h.DetectProvider()
			h.GetStallThreshold()
		}
	}
	fmt.Println("\n| the HAL, asked by a program | median of 1000 | slowest 5 % | goal |\n|---|---|---|---|")
	fmt.Printf("| by the environment | %s | 50 µs |\n", spread(by("LORIMER_HARNESS"), 1000))
	fmt.Printf("| by the process tree, all steps before it in vain | %s | 2 ms |\n", spread(by(""), 1000))
	return nil
}

func spread(f func(), n int) string {
	times := make([]time.Duration, n)
	for i := range times {
		start := time.Now()
		f()
		times[i] = time.Since(start)
	}
	slices.Sort(times)
	return fmt.Sprintf("%.1f µs | %.1f µs", micro(times[n/2]), micro(times[n*95/100]))
}

func micro(d time.Duration) float64 { return float64(d.Nanoseconds()) / 1000 }
