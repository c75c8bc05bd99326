package platform

import "strings"

// Boot names the current boot of this host where creation times count from it; elsewhere it is empty, and they need no boot.
func Boot() string { return strings.TrimSpace(readFile("/proc/sys/kernel/random/boot_id")) }
