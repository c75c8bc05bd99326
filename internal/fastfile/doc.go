// Package fastfile opens and reads small files for a process that lives for two milliseconds. Package os registers every file
// with Go's poller, which regular files then refuse: five system calls a file, and with the first one the poller itself, which
// the runtime goes on to ask. A dispatch opens eight files, and an agent waits for it.
package fastfile
