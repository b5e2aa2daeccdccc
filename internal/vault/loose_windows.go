//go:build windows

package vault

import "golang.org/x/sys/windows"

// permissionsAreLoose says that this system does not keep the permissions of files.
const permissionsAreLoose = true

// giveName names a whole file, unless there is one of that name.
func giveName(from, to string) error {
	old, err := windows.UTF16PtrFromString(from)
	if err != nil {
		return err
	}
	name, err := windows.UTF16PtrFromString(to)
	if err != nil {
		return err
	}
	return windows.MoveFileEx(old, name, windows.MOVEFILE_WRITE_THROUGH)
}
