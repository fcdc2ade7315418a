package e2e

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"
)

// screenshotsVariable names a folder in which screenshots are kept.
const screenshotsVariable = "AGENTSTUDIO_SCREENSHOTS"

// actWithin is how long one action may take before the test fails.
const actWithin = 30 * time.Second

// Browser is a tab of a real Chromium.
type Browser struct {
	t   testing.TB
	ctx context.Context
	url string
}

// Browse opens a tab at the server. It ends with the test.
func Browse(t testing.TB, s *Server) *Browser {
	t.Helper()
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.NoSandbox, chromedp.DisableGPU,
		chromedp.Flag("disable-component-update", true), chromedp.Flag("disable-quic", true),
		chromedp.Flag("force-prefers-reduced-motion", true))
	allocator, stop := chromedp.NewExecAllocator(t.Context(), options...)
	t.Cleanup(stop)
	ctx, cancel := chromedp.NewContext(allocator)
	t.Cleanup(cancel)
	ctx, giveUp := context.WithTimeout(ctx, 3*time.Minute)
	t.Cleanup(giveUp)
	// The tab lives as long as the context of its first action.
	require.NoError(t, chromedp.Do(ctx))
	b := &Browser{t: t, ctx: ctx, url: s.URL}
	b.Size(1280, 900)
	return b
}

// Do runs actions and fails the test if one fails.
func (b *Browser) Do(actions ...chromedp.Action[chromedp.Void]) {
	b.t.Helper()
	ctx, cancel := context.WithTimeout(b.ctx, actWithin)
	defer cancel()
	if err := chromedp.Do(ctx, actions...); err != nil {
		b.Shot("failed")
		require.NoError(b.t, err)
	}
}

// Open opens a path.
func (b *Browser) Open(path string) {
	b.t.Helper()
	b.Do(chromedp.Navigate(b.url + path))
}

// Click clicks on the first visible element that a CSS selector finds.
func (b *Browser) Click(css string) {
	b.t.Helper()
	b.Do(chromedp.WaitVisible(chromedp.CSS(css)), chromedp.Click(chromedp.CSS(css)))
}

// Type writes into an element.
func (b *Browser) Type(css, text string) {
	b.t.Helper()
	b.Do(chromedp.WaitVisible(chromedp.CSS(css)), chromedp.SendKeys(chromedp.CSS(css), text))
}

// Sees waits until an element's text holds words.
func (b *Browser) Sees(css, words string) {
	b.t.Helper()
	deadline := time.Now().Add(30 * time.Second)
	var text string
	for time.Now().Before(deadline) {
		text = b.Text(css)
		if strings.Contains(text, words) {
			return
		}
		time.Sleep(50 * time.Millisecond)
	}
	b.Shot("failed")
	require.FailNow(b.t, "not seen: "+words, text)
}

// Text returns the visible text of all elements that a selector finds.
func (b *Browser) Text(css string) string {
	b.t.Helper()
	return Value[string](b, `[...document.querySelectorAll(`+quoted(css)+`)].map(e => e.innerText).join("\n")`)
}

// Value evaluates a script in the page.
func Value[T any](b *Browser, script string) T {
	b.t.Helper()
	value, err := chromedp.Run(b.ctx, chromedp.Evaluate[T](script, chromedp.EvalAwaitPromise))
	require.NoError(b.t, err)
	return value
}

func quoted(text string) string { return "`" + text + "`" }

// Size sets the size of the window, in pixels.
func (b *Browser) Size(width, height int64) {
	b.t.Helper()
	b.Do(chromedp.EmulateViewport(width, height))
}

// Dark lets the page see a person who prefers dark colours, or light ones.
func (b *Browser) Dark(dark bool) {
	b.t.Helper()
	scheme := "light"
	if dark {
		scheme = "dark"
	}
	_, err := chromedp.Call(b.ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
		Features: []*emulation.MediaFeature{
			{Name: "prefers-color-scheme", Value: scheme},
			{Name: "prefers-reduced-motion", Value: "reduce"},
		},
	})
	require.NoError(b.t, err)
}

// Shot keeps a screenshot of the whole page, if a folder for them is named.
func (b *Browser) Shot(name string) {
	folder := os.Getenv(screenshotsVariable)
	if folder == "" {
		return
	}
	image, err := chromedp.Run(b.ctx, chromedp.CaptureScreenshot())
	if err != nil {
		b.t.Logf("no screenshot %s: %v", name, err)
		return
	}
	require.NoError(b.t, os.MkdirAll(folder, 0o755))
	path := filepath.Join(folder, strings.ReplaceAll(b.t.Name(), "/", "-")+"-"+name+".png")
	require.NoError(b.t, os.WriteFile(path, image, 0o600))
}

// Shots keeps screenshots of a page: light and dark, wide and narrow.
func (b *Browser) Shots(name string) {
	b.t.Helper()
	for _, dark := range []bool{false, true} {
		b.Dark(dark)
		suffix := "-light"
		if dark {
			suffix = "-dark"
		}
		b.Size(1280, 900)
		b.Shot(name + suffix + "-wide")
		b.Size(360, 740)
		b.Shot(name + suffix + "-narrow")
	}
	b.Dark(false)
	b.Size(1280, 900)
}
