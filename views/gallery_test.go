// Package views_test renders every page in every state with realistic data and checks what must
// hold for all of them. Set AGENTSTUDIO_GALLERY to a folder to keep the pages and look at them.
package views_test

import (
	"bytes"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"
	"github.com/a-h/templ"
	"github.com/stretchr/testify/require"
	"golang.org/x/net/html"

	"github.com/agentstudio/agentstudio/static"
)

func TestGallery(t *testing.T) {
	t.Parallel()
	for name, page := range gallery() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			content := render(t, page)
			document := parse(t, content)

			require.Equal(t, 1, document.Find("main#main").Length(), "one main landmark")
			require.Equal(t, 1, document.Find("h1").Length(), "one first-level heading")
			require.Equal(t, "#main", document.Find("body > a").First().AttrOr("href", ""), "skip link first")
			require.NotEmpty(t, document.Find("title").Text())
			requireSound(t, document)
			requireAssets(t, document)
			keep(t, name+".html", content)
		})
	}
}

func TestFragments(t *testing.T) {
	t.Parallel()
	for name, fragment := range fragments() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			content := render(t, fragment)
			document := parse(t, content)
			require.Equal(t, 1, document.Find("body").Children().Length(), "one root element")
			requireSound(t, document)
			keep(t, "fragment-"+name+".html", content)
		})
	}
}

func render(t *testing.T, c templ.Component) []byte {
	t.Helper()
	var out bytes.Buffer
	require.NoError(t, c.Render(t.Context(), &out))
	return out.Bytes()
}

func parse(t *testing.T, content []byte) *goquery.Document {
	t.Helper()
	requireBalanced(t, content)
	document, err := goquery.NewDocumentFromReader(bytes.NewReader(content))
	require.NoError(t, err)
	return document
}

// requireBalanced fails when an element is closed that is not open, or left open: a browser
// repairs that silently, and differently from what was meant.
func requireBalanced(t *testing.T, content []byte) {
	t.Helper()
	void := map[string]bool{"meta": true, "link": true, "input": true, "br": true}
	var open []string
	tokens := html.NewTokenizer(bytes.NewReader(content))
	for kind := tokens.Next(); kind != html.ErrorToken; kind = tokens.Next() {
		token := tokens.Token()
		switch kind {
		case html.StartTagToken:
			if !void[token.Data] {
				open = append(open, token.Data)
			}
		case html.EndTagToken:
			require.NotEmpty(t, open, "</%s> closes nothing", token.Data)
			require.Equal(t, open[len(open)-1], token.Data, "closed in order")
			open = open[:len(open)-1]
		}
	}
	require.Empty(t, open, "left open")
}

// requireSound checks what the Content-Security-Policy and accessibility ask of any markup.
func requireSound(t *testing.T, document *goquery.Document) {
	t.Helper()
	ids := map[string]bool{}
	document.Find("*").Each(func(_ int, element *goquery.Selection) {
		for _, attribute := range element.Nodes[0].Attr {
			require.NotEqual(t, "style", attribute.Key, "no inline style")
			require.False(t, strings.HasPrefix(attribute.Key, "on"), "no inline handler: %s", attribute.Key)
			require.False(t, strings.HasPrefix(attribute.Key, "hx-on"), "no evaluated handler: %s", attribute.Key)
			require.NotContains(t, attribute.Val, "javascript:", "no script address")
			if attribute.Key == "id" {
				require.NotEmpty(t, attribute.Val)
				require.False(t, ids[attribute.Val], "id %q is used twice", attribute.Val)
				ids[attribute.Val] = true
			}
		}
	})
	require.Zero(t, document.Find("style").Length(), "no style element")
	document.Find("script").Each(func(_ int, script *goquery.Selection) {
		require.NotEmpty(t, script.AttrOr("src", ""), "no inline script")
	})
	requireReferences(t, document, ids)
	requireNames(t, document)
}

// requireReferences checks that labels and descriptions point at something.
func requireReferences(t *testing.T, document *goquery.Document, ids map[string]bool) {
	t.Helper()
	for _, attribute := range []string{"for", "aria-labelledby", "aria-describedby", "data-copy"} {
		document.Find("[" + attribute + "]").Each(func(_ int, element *goquery.Selection) {
			for id := range strings.FieldsSeq(element.AttrOr(attribute, "")) {
				require.True(t, ids[id], "%s points at %q, which is not there", attribute, id)
			}
		})
	}
}

// requireNames checks that everything one can operate says what it is.
func requireNames(t *testing.T, document *goquery.Document) {
	t.Helper()
	document.Find("input:not([type=hidden]), textarea, select").Each(func(_ int, control *goquery.Selection) {
		id := control.AttrOr("id", "")
		label := document.Find("label").FilterFunction(func(_ int, label *goquery.Selection) bool {
			return id != "" && label.AttrOr("for", "") == id
		})
		require.NotEmpty(t, strings.TrimSpace(label.Text()), "control %q has no label", control.AttrOr("name", ""))
	})
	document.Find("button, a, summary").Each(func(_ int, element *goquery.Selection) {
		name := strings.TrimSpace(element.Text()) + element.AttrOr("aria-label", "")
		outer, err := goquery.OuterHtml(element)
		require.NoError(t, err)
		require.NotEmpty(t, name, "nameless: %s", outer)
	})
	document.Find("form").Each(func(_ int, form *goquery.Selection) {
		if form.AttrOr("method", "") != "dialog" {
			require.True(t, strings.HasPrefix(form.AttrOr("action", ""), "/studio/"), "form without an address of ours")
		}
	})
}

// requireAssets checks that every file a page names is served.
func requireAssets(t *testing.T, document *goquery.Document) {
	t.Helper()
	document.Find("script[src], link[href]").Each(func(_ int, element *goquery.Selection) {
		address := element.AttrOr("src", element.AttrOr("href", ""))
		name, ours := strings.CutPrefix(address, "/studio"+static.Path)
		require.True(t, ours, "foreign asset %q", address)
		answer := httptest.NewRecorder()
		static.Handler().ServeHTTP(answer, httptest.NewRequest(http.MethodGet, "/"+name, http.NoBody))
		require.Equal(t, http.StatusOK, answer.Code, address)
		keep(t, filepath.Join("static", name), answer.Body.Bytes())
	})
}

// keep writes a file into the folder that was asked for, or into a temporary one.
func keep(t *testing.T, name string, content []byte) {
	t.Helper()
	folder := os.Getenv("AGENTSTUDIO_GALLERY")
	if folder == "" {
		folder = t.TempDir()
	}
	target := filepath.Join(folder, name)
	require.NoError(t, os.MkdirAll(filepath.Dir(target), 0o750))
	require.NoError(t, os.WriteFile(target, content, 0o600))
}
