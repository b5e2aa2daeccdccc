package site

import (
	"fmt"
	"net/url"
	"strconv"
	"strings"

	"boulier/internal/app"
	"boulier/internal/web"
	"boulier/internal/web/pages"
	"boulier/internal/web/ui"
	"boulier/ledger"
)

// mountInspect adds the pages of the inspector, who sees everything and changes nothing.
func (s *Site) mountInspect() {
	for pattern, page := range map[string]web.Page{
		"GET /inspect":               s.showInspect,
		"GET /inspect/streams":       s.showStreams,
		"GET /inspect/stream":        s.showStream,
		"GET /inspect/accounts":      s.showAccounts,
		"GET /inspect/account":       s.showAccount,
		"GET /inspect/checkpoint":    s.checkpointFile,
		"GET /inspect/journal.jsonl": s.exportJournal,
	} {
		s.Shell.Handle(pattern, page, s.May(app.Inspect))
	}
}

// showInspect shows the checkpoint, the sums of the ledger and the latest events.
func (s *Site) showInspect(v *web.Visit) error {
	head, c, err := s.Inspection.Head(v.Context())
	if err != nil {
		return err
	}
	latest, _, err := s.Inspection.Latest(v.Context(), pages.PageSize)
	if err != nil {
		return err
	}
	sums, err := s.Ground.Store.Sums(v.Context())
	if err != nil {
		return err
	}
	return v.Show(ui.View{Title: v.T("inspect.title")}, inspectBody(pages.InspectTabs(v), inspectFacts{
		Head: head, At: c.At, Key: s.Ground.Sealer.VerifierKey(), Fingerprint: s.Ground.Sealer.Fingerprint(),
		Sums: sums, Latest: latest}))
}

// streamsAtOnce is how many streams a page lists.
const streamsAtOnce = 100

func (s *Site) showStreams(v *web.Visit) error {
	prefix, after := v.Query("prefix"), v.Query("after")
	list, err := s.Ground.Store.Streams(v.Context(), prefix, after, streamsAtOnce+1)
	if err != nil {
		return err
	}
	earlier := ""
	if len(list) > streamsAtOnce {
		list = list[:streamsAtOnce]
		earlier = "/inspect/streams?prefix=" + url.QueryEscape(prefix) + "&after=" + url.QueryEscape(list[len(list)-1].Name)
	}
	return v.Show(ui.View{Title: v.T("inspect.streams")}, streamsBody(pages.InspectTabs(v), prefix, list, earlier))
}

// showStream shows the events of one stream, in order.
func (s *Site) showStream(v *web.Visit) error {
	name := v.Query("name")
	after, err := strconv.ParseUint(v.Query("after"), 10, 64)
	if err != nil {
		after = 0
	}
	list, err := s.Inspection.Facts(v.Context(), name, after, pages.PageSize+1)
	if err != nil {
		return err
	}
	if len(list) == 0 && after == 0 {
		return web.NotFound
	}
	earlier, later := "", ""
	if after > 0 {
		earlier = streamPath(name, after-min(after, pages.PageSize))
	}
	if len(list) > pages.PageSize {
		list = list[:pages.PageSize]
		later = streamPath(name, after+pages.PageSize)
	}
	return v.Show(ui.View{Title: name}, streamBody(pages.InspectTabs(v), name, list, earlier, later))
}

func streamPath(name string, after uint64) string {
	return fmt.Sprintf("/inspect/stream?name=%s&after=%d", url.QueryEscape(name), after)
}

func (s *Site) showAccounts(v *web.Visit) error {
	accounts, err := s.Inspection.Accounts(v.Context())
	if err != nil {
		return err
	}
	held, err := s.Ground.Held(v.Context())
	if err != nil {
		return err
	}
	return v.Show(ui.View{Title: v.T("inspect.accounts")}, accountsBody(pages.InspectTabs(v), accounts, held))
}

// showAccount shows the movements of one account, newest first.
func (s *Site) showAccount(v *web.Visit) error {
	path := ledger.Path(strings.TrimSpace(v.Query("path")))
	a, err := s.Ground.Store.Account(v.Context(), path)
	if err != nil {
		return err
	}
	if a.Moves == 0 {
		return web.NotFound
	}
	moves, err := s.Ground.Store.Movements(v.Context(), path, pages.CursorOf(v.Query("before")), pages.PageSize+1)
	if err != nil {
		return err
	}
	earlier, later := "", ""
	base := "/inspect/account?path=" + url.QueryEscape(string(path))
	if len(moves) > pages.PageSize {
		moves = moves[:pages.PageSize]
		last := moves[pages.PageSize-1]
		earlier = base + "&before=" + pages.CursorText(last.ID, last.Line)
	}
	if v.Query("before") != "" {
		later = base
	}
	return v.Show(ui.View{Title: string(path)}, inspectedAccountBody(pages.InspectTabs(v), a, moves, earlier, later))
}

// checkpointFile gives the latest signed checkpoint, to hold a later journal against.
func (s *Site) checkpointFile(v *web.Visit) error {
	_, c, err := s.Inspection.Head(v.Context())
	if err != nil {
		return err
	}
	return v.File(fmt.Sprintf("boulier-checkpoint-%d.txt", c.Size), "text/plain; charset=utf-8", []byte(c.Note))
}

// exportJournal gives the whole journal, for boulier verify.
func (s *Site) exportJournal(v *web.Visit) error {
	return v.Cut(s.Inspection.ExportJournal(v.Context(), v.Person.ID, pages.StreamTo(v, "boulier-journal.jsonl")))
}
