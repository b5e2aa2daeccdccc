// Package web turns requests of browsers into calls of use cases, and their answers into
// pages. It decides nothing about games or money.
//
// New makes the shell: the frame of every page, security headers, limits, languages and
// themes, live streams, error pages. Pages are added with Handle; a page is a function of
// a Visit. The file example.go is a complete one to copy: a form with its checks, a rule
// that refuses, a notice after the redirect.
package web
