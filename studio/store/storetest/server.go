package storetest

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"time"

	"github.com/jackc/pgx/v5"
)

// superuser is the role that initdb creates.
const superuser = "postgres"

// pollInterval is the pause between two attempts to reach a starting server.
const pollInterval = 20 * time.Millisecond

// server is a PostgreSQL server that tests may use. The zero values of all
// fields but dsn mean that somebody else started it.
type server struct {
	// dsn is the URL of its maintenance database.
	dsn string
	// directory holds its data, socket and log.
	directory string
	process   *exec.Cmd
	// exited is closed when the process has ended.
	exited chan struct{}
}

// start initialises a cluster in a new temporary directory and starts it.
func start(ctx context.Context) (*server, error) {
	programs, err := findBinaries(debianBinaries, exec.LookPath)
	if err != nil {
		return nil, err
	}
	account, err := serverAccount()
	if err != nil {
		return nil, err
	}
	directory, err := os.MkdirTemp("", "agentstudio-pg-")
	if err != nil {
		return nil, fmt.Errorf("make a directory for PostgreSQL: %w", err)
	}
	s := &server{dsn: socketURL(directory), directory: directory, exited: make(chan struct{})}
	if err := s.launch(ctx, programs, account); err != nil {
		return nil, withCleanup(fmt.Errorf("start PostgreSQL for tests: %w", err), s.stop)
	}
	return s, nil
}

// socketURL returns the URL of a server whose socket is in directory.
func socketURL(directory string) string {
	u := url.URL{
		Scheme:   "postgres",
		User:     url.User(superuser),
		Path:     "/postgres",
		RawQuery: url.Values{"host": {directory}}.Encode(),
	}
	return u.String()
}

// started reports whether this process runs the server.
func (s *server) started() bool { return s.directory != "" }

// launch runs initdb and the server, both as account, and returns when the
// server answers.
func (s *server) launch(ctx context.Context, programs binaries, account account) error {
	if err := account.own(s.directory); err != nil {
		return err
	}
	data := filepath.Join(s.directory, "data")
	initdb := exec.CommandContext(ctx, programs.initdb, "--pgdata", data, "--username", superuser,
		"--auth", "trust", "--encoding", "UTF8", "--locale", "C.UTF-8", "--no-sync")
	s.confine(initdb, account)
	if output, err := initdb.CombinedOutput(); err != nil {
		return fmt.Errorf("initdb: %w\n%s", err, output)
	}
	if err := s.run(programs.postgres, data, account); err != nil {
		return err
	}
	return s.waitUntilReady(ctx)
}

// run starts the server in the foreground, as a child of this process.
func (s *server) run(program, data string, account account) error {
	log, err := os.Create(s.logFile())
	if err != nil {
		return fmt.Errorf("create the log file: %w", err)
	}
	defer func() { _ = log.Close() }() // The child has its own descriptor.

	// The server outlives the context of its start; stop ends it.
	process := exec.Command(program, "-D", data,
		"-c", "listen_addresses=", "-c", "unix_socket_directories="+s.directory,
		"-c", "fsync=off", "-c", "synchronous_commit=off", "-c", "full_page_writes=off",
		"-c", "max_connections=300")
	process.Stdout, process.Stderr = log, log
	s.confine(process, account)
	if err := process.Start(); err != nil {
		return err
	}
	s.process = process
	go func() {
		defer close(s.exited)
		_ = process.Wait() // Its end is what counts; the log says why.
	}()
	return nil
}

// confine makes command run as account, in the server's directory, and blind
// to the PostgreSQL settings of whoever runs the tests.
func (s *server) confine(command *exec.Cmd, account account) {
	command.Dir = s.directory
	command.Env = []string{"LANG=C.UTF-8", "LC_ALL=C.UTF-8", "PATH=" + os.Getenv("PATH")}
	command.SysProcAttr = account.attributes()
}

// waitUntilReady returns when the server takes connections.
func (s *server) waitUntilReady(ctx context.Context) error {
	for {
		conn, err := pgx.Connect(ctx, s.dsn)
		if err == nil {
			return conn.Close(ctx)
		}
		select {
		case <-s.exited:
			return fmt.Errorf("the server ended at once:\n%s", s.log())
		case <-ctx.Done():
			return fmt.Errorf("the server does not answer: %w\n%s", err, s.log())
		case <-time.After(pollInterval):
		}
	}
}

// stop ends the server at once and deletes everything it held. It does nothing
// to a server that somebody else started.
func (s *server) stop() error {
	if !s.started() {
		return nil
	}
	var failure error
	if s.process != nil {
		// Immediate shutdown: nobody wants the data.
		if err := s.process.Process.Signal(syscall.SIGQUIT); err != nil && !errors.Is(err, os.ErrProcessDone) {
			failure = fmt.Errorf("stop PostgreSQL: %w", err)
		}
		<-s.exited
	}
	return errors.Join(failure, os.RemoveAll(s.directory))
}

func (s *server) logFile() string { return filepath.Join(s.directory, "server.log") }

// log returns what the server wrote, for an error message.
func (s *server) log() string {
	text, err := os.ReadFile(s.logFile())
	if err != nil {
		return err.Error()
	}
	return string(text)
}
