// Code generated from the regstest.Covers calls of the tests; DO NOT EDIT.

package regs

var covers = map[Ref][]string{
	"std:5": {"player.TestStd5_Adult"},
}
