//go:build unix

package main

import "golang.org/x/sys/unix"

// keepPrivate has every file that the program makes readable by its owner alone, and no core
// dumped: it would hold secrets that are open.
func keepPrivate() error {
	unix.Umask(0o077)
	return unix.Setrlimit(unix.RLIMIT_CORE, &unix.Rlimit{})
}
