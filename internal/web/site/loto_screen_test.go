package site_test

import (
	"net/url"
	"regexp"
	"testing"

	"boulier/regs/regstest"
)

// TestLoto_AProjectorIsLinked: a projector shows a code; who calls types it, and the projector
// shows the hall. A code that no screen shows links nothing, and nobody else may link one.
func TestLoto_AProjectorIsLinked(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "std:51")
	h := newStaffHouse(t)
	h.lotoDay(t)
	projector, caller := h.signIn(t, ""), h.signIn(t, "cali")
	page := projector.get("/screen", 200)
	found := regexp.MustCompile(`class="hall-last">([0-9A-Z]{6})<`).FindStringSubmatch(page)
	if found == nil {
		t.Fatalf("no code: %s", text(page))
	}
	says(t, projector.get("/screen", 200), found[1]) // the same while it waits
	says(t, caller.post("/loto/1/screens", 422, url.Values{"code": {"ABCDEF"}}), "Aucun écran ne montre ce code")
	h.signIn(t, "chloe").post("/loto/1/screens", 403, url.Values{"code": {found[1]}})
	says(t, projector.get("/screen", 200), found[1])
	caller.post("/loto/1/screens", 200, url.Values{"code": {" " + found[1] + " "}})
	says(t, projector.get("/screen", 200), "Prochaine partie")
}
