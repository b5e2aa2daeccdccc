package ui

import "github.com/a-h/templ"

// said ties a box to its hint and its error for assistive technology.
func said(f Field) templ.Attributes {
	a := templ.Attributes{}
	if d := f.describedBy(); d != "" {
		a["aria-describedby"] = d
	}
	if f.Error != "" {
		a["aria-invalid"] = "true"
	}
	return a
}
