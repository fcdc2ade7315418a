package sample

import (
	"bytes"
	"context"
	"embed"
	"html/template"
	"net/http"
)

//go:embed assets
var assets embed.FS

// page is the company's own web page. It knows nothing of the Studio but its
// address.
type page struct {
	company   *Company
	studio    string
	people    Names
	templates *template.Template
}

// Names returns what people of a tenant are called, by id. Ids that it does not
// know are left out.
type Names func(ctx context.Context, tenant string, ids []string) (map[string]string, error)

// Page returns the company's own page, to be mounted at /orders and
// everything under it. studio is the address of the Studio that it links to,
// such as "/studio"; people names those who changed something, and may be nil.
//
// The page has no sign-in, and anyone who reaches it may look at every tenant:
// it is for a demo on the loopback interface.
func (c *Company) Page(studio string, people Names) http.Handler {
	p := &page{
		company: c, studio: studio, people: people,
		templates: template.Must(template.ParseFS(assets, "assets/*.html")),
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /orders", p.show("page.html"))
	mux.Handle("GET /orders/{$}", http.RedirectHandler("/orders", http.StatusPermanentRedirect))
	mux.HandleFunc("GET /orders/live", p.show("live"))
	mux.HandleFunc("GET /orders/style.css", p.file("assets/style.css", "text/css; charset=utf-8"))
	mux.HandleFunc("GET /orders/live.js", p.file("assets/live.js", "text/javascript; charset=utf-8"))
	mux.HandleFunc("/", func(w http.ResponseWriter, _ *http.Request) {
		p.fail(w, http.StatusNotFound, "There is nothing here", "Brightline has no page at this address.")
	})
	return secured(mux)
}

// secured forbids everything that the page does not need.
func secured(next http.Handler) http.Handler {
	const policy = "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; " +
		"img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		header := w.Header()
		header.Set("Content-Security-Policy", policy)
		header.Set("X-Content-Type-Options", "nosniff")
		header.Set("Referrer-Policy", "same-origin")
		header.Set("Cache-Control", "no-store")
		next.ServeHTTP(w, r)
	})
}

func (p *page) file(name, contentType string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", contentType)
		http.ServeFileFS(w, r, assets, name)
	}
}

// show answers with the whole page, or with the part of it that changes.
func (p *page) show(name string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		view, found, err := p.view(r.Context(), r.URL.Query().Get("tenant"))
		switch {
		case err != nil:
			p.fail(w, http.StatusInternalServerError, "The orders cannot be read", "Please try again in a moment.")
		case !found:
			p.fail(w, http.StatusNotFound, "There is no such company", "Choose one of the companies on the orders page.")
		default:
			p.render(w, http.StatusOK, name, view)
		}
	}
}

// fail answers with the company's own error page.
func (p *page) fail(w http.ResponseWriter, status int, title, text string) {
	p.render(w, status, "error.html", errorView{Status: status, Title: title, Text: text})
}

type errorView struct {
	Status      int
	Title, Text string
}

// render writes a template once it is complete, so that nobody sees half a
// page.
func (p *page) render(w http.ResponseWriter, status int, name string, data any) {
	var body bytes.Buffer
	if err := p.templates.ExecuteTemplate(&body, name, data); err != nil {
		http.Error(w, "The page cannot be shown.", http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.WriteHeader(status)
	_, _ = body.WriteTo(w) // the reader has gone; there is nobody to tell
}

// view reads what the page shows of a tenant, and false when there is no such
// tenant. An empty name means the first one.
func (p *page) view(ctx context.Context, tenant string) (pageView, bool, error) {
	view := pageView{Studio: p.studio}
	var err error
	if view.Tenants, err = p.company.tenants(ctx); err != nil {
		return pageView{}, false, err
	}
	for i := range view.Tenants {
		if view.Tenants[i].ID == tenant || tenant == "" && i == 0 {
			view.Tenants[i].Current = true
			view.Tenant = view.Tenants[i]
		}
	}
	if !view.Tenant.Current {
		return pageView{}, false, nil
	}
	if err = p.company.fill(ctx, &view); err != nil {
		return view, true, err
	}
	p.name(ctx, &view)
	return view, true, nil
}

// name replaces the ids of people by what they are called, as far as that is to
// be had: the company's own data is shown without it too.
func (p *page) name(ctx context.Context, view *pageView) {
	if p.people == nil {
		return
	}
	callers := view.callers()
	ids := make([]string, 0, len(callers))
	for _, caller := range callers {
		ids = append(ids, *caller)
	}
	names, err := p.people(ctx, view.Tenant.ID, ids)
	if err != nil {
		return
	}
	for _, caller := range callers {
		if name := names[*caller]; name != "" {
			*caller = name
		}
	}
}
