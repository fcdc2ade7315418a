package e2e_test

import (
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// runProgram runs the program with settings and returns all that it printed.
func runProgram(t *testing.T, env []string, args ...string) (string, error) {
	t.Helper()
	command := exec.Command(os.Getenv(programVariable), args...)
	command.Env = append(os.Environ(), env...)
	out, err := command.CombinedOutput()
	return string(out), err
}

func TestDemoListensOnLoopbackOnly(t *testing.T) {
	t.Parallel()
	for _, addr := range []string{"0.0.0.0:0", ":0", "[::]:0", "192.0.2.1:80", "example.test:80", "nonsense"} {
		out, err := runProgram(t, []string{"AGENTSTUDIO_ADDR=" + addr, "AGENTSTUDIO_DATA=" + t.TempDir()}, "serve")
		require.Error(t, err, addr)
		require.Contains(t, out, "127.0.0.1:8080", "the message says what to use")
	}
}

func TestPortInUseIsSaid(t *testing.T) {
	t.Parallel()
	s := start(t)
	addr := strings.TrimPrefix(s.URL, "http://")
	out, err := runProgram(t, []string{"AGENTSTUDIO_ADDR=" + addr, "AGENTSTUDIO_DATA=" + t.TempDir()}, "serve")
	require.Error(t, err)
	require.Contains(t, out, "another server")
}

func TestDataFolderIsForOneServer(t *testing.T) {
	t.Parallel()
	s := start(t)
	env := []string{"AGENTSTUDIO_ADDR=127.0.0.1:0", "AGENTSTUDIO_DATA=" + s.Data}
	out, err := runProgram(t, env, "serve")
	require.Error(t, err)
	require.Contains(t, out, "another server uses the data folder")
	s.Kill()
	s.Restart() // what a crash leaves behind keeps nobody out
	for _, file := range []string{"studio.db", "orders.db", "master.key"} {
		info, err := os.Stat(filepath.Join(s.Data, file))
		require.NoError(t, err)
		require.Zero(t, info.Mode().Perm()&0o077, "%s is its owner's alone", file)
	}
}

func TestBadSettingsAreSaid(t *testing.T) {
	t.Parallel()
	for setting, words := range map[string]string{
		"AGENTSTUDIO_DATABASE_URL=mysql://x/y": "postgres://", "AGENTSTUDIO_PREFIX=studio": "prefix",
		"AGENTSTUDIO_PREFIX=/a/../b": "prefix", "AGENTSTUDIO_PREFIX=/:tenant": "prefix", "AGENTSTUDIO_PREFIX=/": "prefix",
		"AGENTSTUDIO_PREFIX=/orders": "prefix", "AGENTSTUDIO_KEY_FILE=/nothing/here": "key",
	} {
		out, err := runProgram(t, []string{"AGENTSTUDIO_ADDR=127.0.0.1:0", "AGENTSTUDIO_DATA=" + t.TempDir(), setting}, "serve")
		require.Error(t, err, setting)
		require.Contains(t, out, words, setting)
	}
}

func TestKeyFileMustBePrivate(t *testing.T) {
	t.Parallel()
	data := t.TempDir()
	file := filepath.Join(data, "key")
	require.NoError(t, os.WriteFile(file, []byte("0123456789abcdefghijklmnopqrstuv"), 0o600))
	require.NoError(t, os.Chmod(file, 0o644))
	env := []string{"AGENTSTUDIO_DATA=" + data, "AGENTSTUDIO_KEY_FILE=" + file}
	out, err := runProgram(t, env, "doctor")
	require.Error(t, err)
	require.Contains(t, out, "✗ master key")
	require.NoError(t, os.Chmod(file, 0o600))
	_, err = runProgram(t, env, "migrate")
	require.NoError(t, err)
	out, err = runProgram(t, env, "doctor")
	require.NoError(t, err, out)
	require.NotContains(t, out, "6789abcd", "the key is never printed")
}

func TestDoctorAndMigrate(t *testing.T) {
	t.Parallel()
	env := []string{"AGENTSTUDIO_DATA=" + filepath.Join(t.TempDir(), "new")}
	out, err := runProgram(t, env, "doctor")
	require.Error(t, err)
	require.Contains(t, out, "agentstudio migrate", "an empty database is not up to date, and doctor says what to do")
	for range 2 {
		_, err = runProgram(t, env, "migrate")
		require.NoError(t, err)
	}
	out, err = runProgram(t, env, "doctor")
	require.NoError(t, err, out)
	_, err = runProgram(t, env, "token", "--tenant", "acme", "--user", "nobody@acme.test")
	require.Error(t, err)
}

func TestHealth(t *testing.T) {
	t.Parallel()
	s := start(t)
	for _, path := range []string{"/healthz", "/readyz"} {
		response, err := http.Get(s.URL + path)
		require.NoError(t, err)
		require.NoError(t, response.Body.Close())
		require.Equal(t, http.StatusOK, response.StatusCode, path)
	}
}

// TestHostKeepsItsRoutes asks beside the Studio's prefix: the host answers in
// its own way.
func TestHostKeepsItsRoutes(t *testing.T) {
	t.Parallel()
	s := start(t)
	p := s.SignIn("admin@acme.test")
	own := p.Get("/orders/nothing")
	require.Equal(t, http.StatusNotFound, own.Status)
	require.Contains(t, own.Body, "Brightline")
	bare := p.Get("/nothing")
	require.Equal(t, http.StatusNotFound, bare.Status)
	require.JSONEq(t, `{"message":"Not Found"}`, bare.Body, "echo's own answer, untouched")
	studio := p.Get("/studio/nothing")
	require.Equal(t, http.StatusNotFound, studio.Status)
	require.Contains(t, studio.Body, "Agent Studio")
}

func TestForeignHostNamesAreRefused(t *testing.T) {
	t.Parallel()
	s := start(t)
	for host, want := range map[string]int{
		"": http.StatusOK, "localhost": http.StatusOK, "localhost:1": http.StatusOK, "[::1]:9": http.StatusOK,
		"evil.test": http.StatusMisdirectedRequest, "127.0.0.1.evil.test": http.StatusMisdirectedRequest,
		"localhost.evil.test:8080": http.StatusMisdirectedRequest,
	} {
		request, err := http.NewRequest(http.MethodGet, s.URL+"/studio/sign-in", nil)
		require.NoError(t, err)
		request.Host = host
		response, err := http.DefaultClient.Do(request)
		require.NoError(t, err)
		require.NoError(t, response.Body.Close())
		require.Equal(t, want, response.StatusCode, "host %q", host)
	}
}

func TestSignOutEndsTheCookieEverywhere(t *testing.T) {
	t.Parallel()
	s := start(t)
	p := s.SignIn("admin@acme.test")
	answer := p.Get(p.Home)
	require.Equal(t, http.StatusOK, answer.Status)
	for name, value := range map[string]string{
		"X-Content-Type-Options": "nosniff", "X-Frame-Options": "DENY", "Cache-Control": "no-store",
	} {
		require.Equal(t, value, answer.Header.Get(name))
	}
	policy := answer.Header.Get("Content-Security-Policy")
	require.Contains(t, policy, "default-src 'none'")
	require.NotContains(t, policy, "unsafe-inline")

	stolen := p.Cookie()
	require.True(t, stolen.HttpOnly)
	require.Equal(t, http.SameSiteLaxMode, stolen.SameSite)
	require.Equal(t, http.StatusSeeOther, p.Post("/studio/sign-out", nil).Status)
	request, err := http.NewRequest(http.MethodGet, s.URL+p.Home, nil)
	require.NoError(t, err)
	request.AddCookie(stolen)
	after := p.Do(request)
	require.Equal(t, http.StatusSeeOther, after.Status)
	require.Contains(t, after.Header.Get("Location"), "/studio/sign-in")
}

func TestSignInLeadsNowhereElse(t *testing.T) {
	t.Parallel()
	s := start(t)
	p := s.SignIn("admin@acme.test")
	for _, next := range []string{
		"https://evil.test", "//evil.test", `/\evil.test`, `\\evil.test`, "/studio/t/acme/../../../evil", "javascript:alert(1)",
		"/orders", "/studio/t/globex", "/studio//evil.test", "/studio/t/acme%2f..%2fx", "\t//evil.test", "/studio/t/acmeevil",
	} {
		answer := p.Post("/studio/sign-in/demo", url.Values{"user": {"admin@acme.test"}, "next": {next}})
		require.Equal(t, http.StatusSeeOther, answer.Status, next)
		require.Equal(t, "/studio/t/acme", answer.Header.Get("Location"), next)
	}
	good := p.Post("/studio/sign-in/demo", url.Values{"user": {"admin@acme.test"}, "next": {"/studio/t/acme/approvals?state=settled"}})
	require.Equal(t, "/studio/t/acme/approvals?state=settled", good.Header.Get("Location"))
	nobody := p.Post("/studio/sign-in/demo", url.Values{"user": {"root@acme.test"}})
	require.Equal(t, http.StatusUnprocessableEntity, nobody.Status)
}
