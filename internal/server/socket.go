package server

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
)

// socketName is the socket in a data folder through which commands reach the program that
// owns it. Whoever may write there may ask: it is the owner's alone.
const socketName = "control.sock"

// maxSocketPath is how long the path of a socket may be on every system.
const maxSocketPath = 95

// socketPath returns where the socket of a data folder is: in it or, if its path is too long
// for one, in a folder for temporary files whose name tells the data folder.
func socketPath(data string) (path string, elsewhere bool, err error) {
	if data, err = filepath.Abs(data); err != nil {
		return "", false, err
	}
	if real, err := filepath.EvalSymlinks(data); err == nil {
		data = real
	}
	if path = filepath.Join(data, socketName); len(path) <= maxSocketPath {
		return path, false, nil
	}
	sum := sha256.Sum256([]byte(data))
	return filepath.Join(os.TempDir(), "boulier-"+hex.EncodeToString(sum[:8]), socketName), true, nil
}

// checkSocketFolder refuses a folder outside the data folder that others could have made.
func checkSocketFolder(folder string) error {
	info, err := os.Lstat(folder)
	if err != nil {
		return err
	}
	if !info.IsDir() || !isOurs(info) {
		return fmt.Errorf("server: %s is not a folder of this user alone: remove it, "+
			"or choose a data folder with a shorter path", folder)
	}
	return nil
}
