// Package print draws what people hold in their hands. It writes PDF for A4 paper with
// the program's own fonts, which stand in it as TrueType since PDF knows no WOFF2.
package print
