// Code generated from the regstest.Covers calls of the tests; DO NOT EDIT.

package regs

var covers = map[Ref][]string{}
