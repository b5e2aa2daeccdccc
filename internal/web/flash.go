package web

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"strings"

	"boulier/internal/web/ui"
	"boulier/regs"
)

// A Flash is a notice that waits for the next page. Its text is the message flash.KEY, and
// its tone one of those of ui, so that a forged cookie can say nothing that is not in the
// catalogue.
type Flash struct {
	Tone  ui.Tone           `json:"tone"`
	Key   string            `json:"key"` // of a message, without the prefix "flash."
	Parts map[string]string `json:"parts,omitempty"`
}

// Done is a flash of success; parts are pairs of a name and a text in words.
func Done(key string, parts ...string) Flash {
	f := Flash{Tone: ui.Success, Key: key, Parts: make(map[string]string)}
	for i := 0; i+1 < len(parts); i += 2 {
		f.Parts[parts[i]] = parts[i+1]
	}
	return f
}

// violationKey begins the key of a flash that tells a refusal in its own words.
const violationKey = "violation."

// RefusedFlash is Refused for a page that is shown by a redirect, since it follows what
// happens and is asked for again by its address.
func (v *Visit) RefusedFlash(err error) (Flash, bool) {
	var violation *regs.Violation
	if !errors.As(err, &violation) {
		return Flash{}, false
	}
	v.log().Info("refused", "code", violation.Code, "clause", violation.Ref, "detail", violation.Detail)
	return Flash{Tone: ui.Danger, Key: violationKey + violation.Code}, true
}

// putFlash keeps notices for the next page.
func (v *Visit) putFlash(flashes []Flash) {
	if len(flashes) == 0 {
		return
	}
	raw, err := json.Marshal(flashes)
	if err != nil {
		panic(err) // strings only
	}
	v.setCookie(flashCookie, base64.RawURLEncoding.EncodeToString(raw), 60)
}

// takeFlash returns the notices kept by the page before, once.
func (v *Visit) takeFlash() []ui.Notice {
	c, err := v.r.Cookie(flashCookie)
	if err != nil {
		return nil
	}
	v.setCookie(flashCookie, "", -1)
	raw, err := base64.RawURLEncoding.DecodeString(c.Value)
	if err != nil {
		return nil
	}
	var flashes []Flash
	if json.Unmarshal(raw, &flashes) != nil {
		return nil
	}
	var notices []ui.Notice
	for _, f := range flashes {
		key, text := "flash."+f.Key, ""
		if strings.HasPrefix(f.Key, violationKey) {
			key, text = f.Key, v.T("problem.untouched")
		}
		if !v.Words.Has(key) || strings.HasPrefix(f.Key, ".") || !f.Tone.Known() {
			continue
		}
		pairs := make([]any, 0, 2*len(f.Parts))
		for name, text := range f.Parts {
			pairs = append(pairs, name, text)
		}
		notices = append(notices, ui.Notice{Tone: f.Tone, Title: v.T(key, pairs...), Text: text})
	}
	return notices
}
