//go:build unix

package server

import (
	"io/fs"
	"os"
	"syscall"
)

// isOurs reports whether a folder belongs to this user, and to nobody else.
func isOurs(info fs.FileInfo) bool {
	s, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(s.Uid) == os.Getuid() && info.Mode().Perm() == 0o700
}
