//go:build !linux

package platform

import "time"

var started = time.Now()

// Uptime is a clock that nobody sets. Elsewhere than on Linux it begins with this process: two processes' do not compare, and
// [Boot], which is empty there, says so.
func Uptime() (time.Duration, bool) { return time.Since(started), true }
