//go:build windows

package vault

// permissionsAreLoose says that this system does not keep the permissions of files.
const permissionsAreLoose = true
