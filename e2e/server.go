package e2e

import (
	"bufio"
	"bytes"
	"fmt"
	"net"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// Build builds the program into a folder and returns its path.
func Build(folder string) (string, error) {
	path := filepath.Join(folder, "agentstudio")
	args := append([]string{"build", "-o", path}, raceFlags()...)
	out, err := exec.Command("go", append(args, "github.com/agentstudio/agentstudio/cmd/agentstudio")...).CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("build the program: %w\n%s", err, out)
	}
	return path, nil
}

// Server is the program, running.
type Server struct {
	// URL is where it listens, without a path.
	URL string
	// Data is its data folder.
	Data string

	t       testing.TB
	program string
	env     []string
	process *exec.Cmd
	output  *lockedBuffer
	stopped chan struct{}
}

// Start runs the program with a data folder of its own until the test ends.
// env are settings, such as "AGENTSTUDIO_DATABASE_URL=…".
func Start(t testing.TB, program string, env ...string) *Server {
	t.Helper()
	s := &Server{t: t, program: program, Data: t.TempDir(), env: env}
	s.launch("127.0.0.1:0")
	t.Cleanup(s.Stop)
	return s
}

// lockedBuffer collects output of several goroutines.
type lockedBuffer struct {
	mu   sync.Mutex
	text bytes.Buffer
}

// Write appends to the buffer.
func (b *lockedBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.Write(p)
}

// String returns what was written.
func (b *lockedBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.String()
}

func (s *Server) launch(addr string) {
	s.t.Helper()
	s.output = &lockedBuffer{}
	s.process = exec.Command(s.program, "serve")
	s.process.Env = append(os.Environ(), append(s.env, "AGENTSTUDIO_ADDR="+addr, "AGENTSTUDIO_DATA="+s.Data)...)
	s.process.Stderr = s.output
	s.process.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	stdout, err := s.process.StdoutPipe()
	require.NoError(s.t, err)
	require.NoError(s.t, s.process.Start())
	address := make(chan string, 1)
	s.stopped = make(chan struct{})
	go func() {
		lines := bufio.NewScanner(stdout)
		for lines.Scan() {
			_, _ = s.output.Write(append(lines.Bytes(), '\n'))
			if _, found, ok := strings.Cut(lines.Text(), "http://"); ok && strings.Contains(lines.Text(), "/studio") {
				address <- "http://" + strings.TrimSuffix(found, "/studio")
			}
		}
		close(s.stopped)
	}()
	select {
	case s.URL = <-address:
	case <-s.stopped:
		_ = s.process.Wait()
		require.FailNow(s.t, "the server ended before it listened", s.output.String())
	case <-time.After(time.Minute):
		require.FailNow(s.t, "the server did not say where it listens", s.output.String())
	}
}

// Environment is what the program's commands need to work on this server's data.
func (s *Server) Environment() []string {
	return append(append([]string{}, s.env...), "AGENTSTUDIO_DATA="+s.Data)
}

// Output is what the program has printed and logged since it was started.
func (s *Server) Output() string { return s.output.String() }

// Stop ends the program as a person would, with an interrupt, and fails the
// test if it found a race or did not end well.
func (s *Server) Stop() {
	if s.process == nil {
		return
	}
	_ = s.process.Process.Signal(syscall.SIGINT)
	<-s.stopped
	err := s.process.Wait()
	s.process = nil
	if err != nil || s.t.Failed() {
		s.t.Logf("the server's output:\n%s", s.output.String())
	}
	if err != nil {
		s.t.Errorf("the server ended badly: %v", err)
	}
}

// Kill ends the program at once, as a crash would.
func (s *Server) Kill() {
	s.t.Helper()
	require.NoError(s.t, s.process.Process.Kill())
	<-s.stopped
	_ = s.process.Wait()
	s.process = nil
}

// Restart starts the program again on the same data and the same address.
func (s *Server) Restart() {
	s.t.Helper()
	u, err := url.Parse(s.URL)
	require.NoError(s.t, err)
	_, port, err := net.SplitHostPort(u.Host)
	require.NoError(s.t, err)
	s.launch("127.0.0.1:" + port)
}

// Run runs another command of the program on the same settings and returns
// what it printed.
func (s *Server) Run(args ...string) (string, error) {
	command := exec.Command(s.program, args...)
	command.Env = append(os.Environ(), append(s.env, "AGENTSTUDIO_DATA="+s.Data)...)
	var stderr bytes.Buffer
	command.Stderr = &stderr
	out, err := command.Output()
	if err != nil {
		err = fmt.Errorf("%w: %s", err, stderr.String())
	}
	return strings.TrimSpace(string(out)), err
}

// Visitor returns a client that nobody is signed in with. It follows no
// redirects.
func (s *Server) Visitor() *Person {
	s.t.Helper()
	jar, err := cookiejar.New(nil)
	require.NoError(s.t, err)
	return &Person{server: s, t: s.t, client: &http.Client{
		Jar: jar, Timeout: time.Minute,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}
}

// SignIn returns a client with the cookie of one of the demo's people.
func (s *Server) SignIn(email string) *Person {
	s.t.Helper()
	person := s.Visitor()
	answer := person.Post("/studio/sign-in/demo", url.Values{"user": {email}})
	require.Equal(s.t, http.StatusSeeOther, answer.Status, answer.Body)
	person.Home = answer.Header.Get("Location")
	return person
}

// Migrate runs the program's migrate command.
func Migrate(t testing.TB, program, appRole string, env ...string) {
	t.Helper()
	command := exec.Command(program, "migrate", "up", "--app-role", appRole)
	command.Env = append(os.Environ(), append(env, "AGENTSTUDIO_DATA="+t.TempDir())...)
	out, err := command.CombinedOutput()
	require.NoError(t, err, string(out))
}
