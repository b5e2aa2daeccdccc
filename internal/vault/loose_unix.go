//go:build unix

package vault

import "os"

// permissionsAreLoose says that this system does not keep the permissions of files.
const permissionsAreLoose = false

// giveName names a whole file, unless there is one of that name. The first name goes after.
func giveName(from, to string) error { return os.Link(from, to) }
