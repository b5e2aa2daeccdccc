// Package post writes letters in the words of the catalogue and hands them over by e-mail:
// to a mail server, or, until one is set, to files in a folder that people can look into.
package post
