// Package static holds the browser's files (style, script, icon and the vendored htmx) and
// serves them under names that contain a hash of their content, so that a browser may keep
// each one for ever and still sees a new build at once. It imports nothing of this module and
// needs no build step: what is committed is what is served.
//
// assets/vendor/htmx.min.js is htmx 4.0.1, unchanged, under the licence beside it. Its extension
// for server-sent events is not needed: the browser's EventSource reconnects by itself.
package static

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"io/fs"
	"net/http"
	"path"
	"strings"
	"sync"
	"time"
)

// Path is where the handler is mounted, below the host's prefix.
const Path = "/static/"

// hashLength is the number of hexadecimal digits of the content hash in a served name.
const hashLength = 16

//go:embed assets
var assets embed.FS

// index is built once, on first use, and never changes afterwards.
var index = sync.OnceValues( //nolint:gochecknoglobals // Derived once from the embedded files.
	func() (catalogue, error) { return build(assets) })

// file is one asset as it is served.
type file struct {
	body        []byte
	contentType string
	etag        string
}

// catalogue maps asset names to served names, and served names to files.
type catalogue struct {
	served map[string]string
	files  map[string]file
}

// URL is the address of the named asset, for example "app.css" or "vendor/htmx.min.js", under
// the prefix at which the host mounted the Studio. A name that does not exist yields an address
// that answers 404.
func URL(prefix, name string) string {
	files, err := index()
	if err != nil {
		return prefix + Path + name
	}
	if served, ok := files.served[name]; ok {
		return prefix + Path + served
	}
	return prefix + Path + name
}

// Handler serves the assets by their hashed names. It expects the part of the path after Path,
// so mount it behind http.StripPrefix(prefix+static.Path, …). Only GET and HEAD are answered;
// an unknown name, or a known one with another hash, is 404.
func Handler() http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodGet && r.Method != http.MethodHead {
			w.Header().Set("Allow", "GET, HEAD")
			http.Error(w, "method not allowed", http.StatusMethodNotAllowed)
			return
		}
		files, err := index()
		if err != nil {
			http.Error(w, "assets cannot be read", http.StatusInternalServerError)
			return
		}
		found, ok := files.files[strings.TrimPrefix(r.URL.Path, "/")]
		if !ok {
			http.NotFound(w, r)
			return
		}
		serve(w, r, found)
	})
}

func serve(w http.ResponseWriter, r *http.Request, f file) {
	header := w.Header()
	header.Set("Content-Type", f.contentType)
	header.Set("Cache-Control", "public, max-age=31536000, immutable")
	header.Set("X-Content-Type-Options", "nosniff")
	header.Set("ETag", f.etag)
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(f.body))
}

// build reads every asset. The style is written in parts (css/10-tokens.css, …) and served as
// one app.css, in the order of the parts' names.
func build(source fs.FS) (catalogue, error) {
	result := catalogue{served: map[string]string{}, files: map[string]file{}}
	var style []byte
	err := fs.WalkDir(source, "assets", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		body, err := fs.ReadFile(source, name)
		if err != nil {
			return err
		}
		if path.Dir(name) == "assets/css" {
			style = append(style, body...)
			return nil
		}
		result.add(strings.TrimPrefix(name, "assets/"), body)
		return nil
	})
	result.add("app.css", style)
	return result, err
}

func (c catalogue) add(name string, body []byte) {
	sum := sha256.Sum256(body)
	hash := hex.EncodeToString(sum[:])[:hashLength]
	extension := path.Ext(name)
	served := strings.TrimSuffix(name, extension) + "." + hash + extension
	c.served[name] = served
	c.files[served] = file{body: body, contentType: contentType(extension), etag: `"` + hash + `"`}
}

// contentType is fixed here because the system's own table differs between machines.
func contentType(extension string) string {
	switch extension {
	case ".css":
		return "text/css; charset=utf-8"
	case ".js":
		return "text/javascript; charset=utf-8"
	case ".svg":
		return "image/svg+xml"
	default:
		return "text/plain; charset=utf-8"
	}
}
