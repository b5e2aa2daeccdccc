package store

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// ErrOwned refuses a data folder that another process has open.
var ErrOwned = errors.New("store: another process owns this data folder")

// folderLock is the right of this process to a data folder. The system gives it back when
// the process ends, however it ends.
type folderLock struct{ file *os.File }

func lockFolder(folder string) (*folderLock, error) {
	f, err := os.OpenFile(filepath.Join(folder, "lock"), os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, fmt.Errorf("store: opening the data folder: %w", err)
	}
	if err := lockFile(f); err != nil {
		f.Close()
		return nil, fmt.Errorf("%w: %s", ErrOwned, folder)
	}
	return &folderLock{f}, nil
}

func (l *folderLock) release() {
	if l != nil {
		l.file.Close()
	}
}
