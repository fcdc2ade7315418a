package e2e_test

import (
	"bufio"
	"bytes"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/agentstudio/agentstudio/e2e"
)

// TestNewHost writes a host as a developer would, holds it to its own tests,
// and asks the running program.
func TestNewHost(t *testing.T) {
	t.Parallel()
	folder := filepath.Join(t.TempDir(), "helpdesk")
	module := strings.TrimSpace(string(goCommand(t, "list", "-m", "-f", "{{.Dir}}")))
	out, err := runProgram(t, nil, "new", "host", folder, "--studio", module)
	require.NoError(t, err, out)
	require.Contains(t, out, "go run .")
	again, err := runProgram(t, nil, "new", "host", folder, "--studio", module)
	require.Error(t, err)
	require.Contains(t, again, "not empty")

	require.NoError(t, e2e.Go(folder, "vet", "./..."))
	require.NoError(t, e2e.Go(folder, "test", "./..."))
	program := filepath.Join(t.TempDir(), "helpdesk")
	require.NoError(t, e2e.Go(folder, "build", "-o", program))

	host := startHost(t, program)
	require.Equal(t, http.StatusUnauthorized, host.get("/studio/t/acme").Status)
	home := host.signIn("ann@acme.test")
	require.Equal(t, "/studio/t/acme", home)
	page := host.get(home)
	require.Equal(t, http.StatusOK, page.Status, page.Body)
	require.Equal(t, "Home · acme · Agent Studio", page.Page(t).Find("title").Text())
	require.Equal(t, http.StatusForbidden, host.get("/studio/t/globex").Status, "another tenant's")

	read := host.execute("hd_tickets.list_tickets", `{"args":{"max_rows":2}}`)
	require.Equal(t, http.StatusOK, read.Status, read.Body)
	require.Equal(t, "success", read.JSON(t)["status"])
	rows := read.JSON(t)["result"].(map[string]any)
	require.Len(t, rows["items"], 2)
	require.Equal(t, true, rows["truncated"])
	write := host.execute("hd_tickets.close_ticket", `{"args":{"ticket":"T-1","answer":"Done."}}`)
	require.Equal(t, http.StatusForbidden, write.Status, write.Body)
	require.Equal(t, "confirmation_required", write.JSON(t)["code"])

	host.stop()
}

// newHost is a host that runs, with one person at it.
type newHost struct {
	t       *testing.T
	url     string
	client  *http.Client
	process *exec.Cmd
	output  *bytes.Buffer
	read    chan struct{} // closed when all its output was read
}

// startHost runs a host until the test ends.
func startHost(t *testing.T, program string) *newHost {
	t.Helper()
	jar, err := cookiejar.New(nil)
	require.NoError(t, err)
	h := &newHost{
		t: t, output: &bytes.Buffer{}, read: make(chan struct{}),
		client: &http.Client{
			Jar: jar, Timeout: time.Minute,
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		},
		process: exec.Command(program, "-addr", "127.0.0.1:0", "-data", t.TempDir()),
	}
	h.process.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	stdout, err := h.process.StdoutPipe()
	require.NoError(t, err)
	h.process.Stderr = h.process.Stdout
	require.NoError(t, h.process.Start())
	t.Cleanup(func() {
		if h.process.ProcessState == nil {
			_ = h.process.Process.Kill()
			_ = h.process.Wait()
		}
	})
	h.url = h.listens(stdout)
	return h
}

// listens reads where the host listens, and goes on reading.
func (h *newHost) listens(stdout io.Reader) string {
	h.t.Helper()
	address := make(chan string, 1)
	go func() {
		defer close(h.read)
		said := false
		for lines := bufio.NewScanner(stdout); lines.Scan(); {
			h.output.Write(append(lines.Bytes(), '\n'))
			if _, after, found := strings.Cut(lines.Text(), "http://"); found && !said {
				said = true
				host, _, _ := strings.Cut(after, ". ")
				address <- "http://" + host
			}
		}
	}()
	select {
	case found := <-address:
		return found
	case <-h.read:
		require.FailNow(h.t, "the host ended before it listened", h.output.String())
	case <-time.After(time.Minute):
		require.FailNow(h.t, "the host did not say where it listens")
	}
	return ""
}

// stop ends the host as a service manager would, and fails the test if it does
// not end well.
func (h *newHost) stop() {
	h.t.Helper()
	require.NoError(h.t, h.process.Process.Signal(syscall.SIGTERM))
	<-h.read
	require.NoError(h.t, h.process.Wait(), h.output.String())
}

// signIn signs a person in and returns where that leads.
func (h *newHost) signIn(person string) string {
	h.t.Helper()
	answer := h.post("/sign-in", "application/x-www-form-urlencoded", url.Values{"person": {person}}.Encode())
	require.Equal(h.t, http.StatusSeeOther, answer.Status, answer.Body)
	return answer.Header.Get("Location")
}

func (h *newHost) execute(tool, body string) e2e.Answer {
	h.t.Helper()
	return h.post("/studio/api/v1/acme/tools/"+tool+"/execute", "application/json", body)
}

func (h *newHost) get(path string) e2e.Answer {
	h.t.Helper()
	return h.answer(h.client.Get(h.url + path))
}

func (h *newHost) post(path, contentType, body string) e2e.Answer {
	h.t.Helper()
	return h.answer(h.client.Post(h.url+path, contentType, strings.NewReader(body)))
}

func (h *newHost) answer(response *http.Response, err error) e2e.Answer {
	h.t.Helper()
	require.NoError(h.t, err)
	defer response.Body.Close() //nolint:errcheck // Nothing is lost with it.
	body, err := io.ReadAll(response.Body)
	require.NoError(h.t, err)
	return e2e.Answer{Status: response.StatusCode, Header: response.Header, Body: string(body)}
}
