package e2e_test

import (
	"context"
	"crypto/rand"
	"database/sql"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	_ "github.com/jackc/pgx/v5/stdlib" // to look into the database past the program
	"github.com/stretchr/testify/require"

	"github.com/agentstudio/agentstudio/e2e"
)

const canaries = 200

// spelled returns a secret in every way in which it could stand somewhere.
func spelled(secret string) []string {
	quoted, _ := json.Marshal(secret)
	raw := []byte(secret)
	return []string{
		secret, string(quoted[1 : len(quoted)-1]), url.QueryEscape(secret), url.PathEscape(secret), hex.EncodeToString(raw),
		strings.ToUpper(hex.EncodeToString(raw)), base64.RawStdEncoding.EncodeToString(raw), base64.RawURLEncoding.EncodeToString(raw),
		base64.RawStdEncoding.EncodeToString(append([]byte{'x'}, raw...))[2:], fmt.Sprintf("%d", raw),
	}
}

// requireNone requires that a text holds none of the secrets.
func requireNone(t *testing.T, where, text string, secrets []string) {
	t.Helper()
	for _, secret := range secrets {
		for _, form := range spelled(secret) {
			if strings.Contains(text, form) {
				t.Errorf("%s holds a secret, as %.12q…", where, form)
				return
			}
		}
	}
}

// TestCanaries stores two hundred secrets, uses them, and looks for them in every
// answer, in the log and in the database, before and after keys are rotated by a
// process that is killed.
func TestCanaries(t *testing.T) {
	t.Parallel()
	t.Run("SQLite", func(t *testing.T) {
		t.Parallel()
		s := e2e.Start(t, os.Getenv(programVariable), "AGENTSTUDIO_LOG_LEVEL=debug")
		lookForCanaries(t, s, func() string { return filesIn(t, s.Data, "studio.db") })
	})
	t.Run("PostgreSQL", func(t *testing.T) {
		t.Parallel()
		owner, serve := postgres(t)
		s := e2e.Start(t, os.Getenv(programVariable), serve, "AGENTSTUDIO_LOG_LEVEL=debug")
		lookForCanaries(t, s, func() string { return dumpOf(t, owner) })
	})
}

func lookForCanaries(t *testing.T, s *e2e.Server, dump func() string) {
	t.Helper()
	program, person := s.Program("acme", "admin@acme.test"), s.SignIn("admin@acme.test")
	secrets := make([]string, canaries)
	var said strings.Builder
	keep := func(a e2e.Answer) e2e.Answer {
		fmt.Fprintf(&said, "%v\n%s\n", a.Header, a.Body)
		return a
	}
	for i := range secrets {
		secrets[i] = `k/` + rand.Text() + `"+é`
		path := fmt.Sprintf("/acme/agents/canary-%d", i)
		require.Equal(t, http.StatusCreated, keep(program.Call("/acme/agents", fmt.Sprintf(`{"name":"canary-%d"}`, i))).Status)
		body, err := json.Marshal(map[string]any{"params": map[string]any{"signing_key": secrets[i]}, "user_overridable": []string{"sender"}})
		require.NoError(t, err)
		require.Equal(t, http.StatusOK, keep(program.Put(path+"/toolkits/fs_notify", string(body))).Status)
	}
	broken := `{"params":{"signing_key":` + string(mustJSON(secrets[0])) + `,"colour":1},"params":{}}`
	require.Equal(t, 400, keep(program.Put("/acme/agents/canary-0/toolkits/fs_notify", broken)).Status)
	wrong := `{"params":{"signing_key":` + string(mustJSON(secrets[0])) + `,"colour":"` + "x" + `"}}`
	require.Equal(t, 422, keep(program.Put("/acme/agents/canary-0/toolkits/fs_notify", wrong)).Status)
	for i := range 5 {
		path := fmt.Sprintf("/acme/agents/canary-%d", i)
		for _, what := range []string{"", "/toolkit-config", "/toolkits/fs_notify", "/toolkits/fs_notify/me", "/toolkits/fs_notify/options/channel"} {
			keep(program.Read(path + what))
		}
		for _, page := range []string{"tools", "tools/fs_notify", "versions", "rules", "sharing"} {
			require.Equal(t, http.StatusOK, keep(person.Get(fmt.Sprintf("/studio/t/acme/agents/canary-%d/%s", i, page))).Status)
		}
		useCanary(t, person, keep, i)
	}
	keep(person.Get("/studio/t/acme/activity"))
	requireNone(t, "an answer", said.String(), secrets)
	requireNone(t, "the database", dump(), secrets)

	rotateAndKill(t, s)
	out, err := s.Run("vault", "rotate")
	require.NoError(t, err)
	require.Contains(t, out, "the old ones are deleted")
	status, err := s.Run("vault", "status")
	require.NoError(t, err)
	require.Contains(t, status, "current, wrapped by master key")
	require.NotContains(t, status, "retired")
	useCanary(t, person, keep, 7)
	requireNone(t, "a command", out+status, secrets)
	requireNone(t, "an answer", said.String(), secrets)
	requireNone(t, "the database", dump(), secrets)
	requireNone(t, "the log", s.Output(), secrets)
}

func mustJSON(text string) []byte {
	data, _ := json.Marshal(text)
	return data
}

// useCanary has an agent send a notice, which is signed with its secret, and
// reads what is said about it.
func useCanary(t *testing.T, person *e2e.Person, keep func(e2e.Answer) e2e.Answer, i int) {
	t.Helper()
	begun := keep(person.Post(fmt.Sprintf("/studio/t/acme/agents/canary-%d/sessions", i), nil))
	require.Equal(t, http.StatusSeeOther, begun.Status)
	chat := begun.Header.Get("Location")
	session := chat[strings.LastIndex(chat, "/")+1:]
	sent := keep(person.Post("/studio/t/acme/sessions/"+session+"/messages", url.Values{"text": {"send a notice: the depot is closed"}}))
	require.Equal(t, http.StatusSeeOther, sent.Status, sent.Body)
	var card string
	require.Eventually(t, func() bool {
		page := keep(person.Get(chat))
		card = page.Page(t).Find("[data-card]").First().AttrOr("data-card", "")
		return card != ""
	}, time.Minute, 50*time.Millisecond)
	shown := keep(person.Get(card)).Page(t)
	form := url.Values{}
	for _, name := range []string{"nonce", "hash"} {
		form.Set(name, shown.Find(`form[action$="/approve"] input[name=`+name+`]`).AttrOr("value", ""))
	}
	require.Equal(t, http.StatusSeeOther, keep(person.Post(strings.TrimSuffix(card, "/card")+"/approve", form)).Status)
	require.Eventually(t, func() bool {
		page := keep(person.Get(strings.TrimSuffix(card, "/card")))
		return strings.Contains(page.Body, "Done") || strings.Contains(page.Body, "ucceeded")
	}, time.Minute, 50*time.Millisecond)
}

// rotateAndKill begins rotations and kills them at different moments, while
// secrets are read.
func rotateAndKill(t *testing.T, s *e2e.Server) {
	t.Helper()
	program := s.Program("acme", "admin@acme.test")
	for i := range 6 {
		command := exec.Command(os.Getenv(programVariable), "vault", "rotate")
		command.Env = append(os.Environ(), s.Environment()...)
		require.NoError(t, command.Start())
		var waiting sync.WaitGroup
		waiting.Go(func() { _ = command.Wait() })
		time.Sleep(time.Duration(i*40) * time.Millisecond)
		_ = command.Process.Kill()
		waiting.Wait()
		read := program.Read(fmt.Sprintf("/acme/agents/canary-%d/toolkits/fs_notify/options/channel", i))
		require.Equal(t, http.StatusOK, read.Status, read.Body)
	}
}

// filesIn is what the files of a database hold, byte for byte.
func filesIn(t *testing.T, folder, name string) string {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(folder, name+"*"))
	require.NoError(t, err)
	require.NotEmpty(t, paths)
	var all strings.Builder
	for _, path := range paths {
		data, err := os.ReadFile(path)
		require.NoError(t, err)
		all.Write(data)
	}
	return all.String()
}

// dumpOf is every row of every table.
func dumpOf(t *testing.T, dsn string) string {
	t.Helper()
	db, err := sql.Open("pgx", dsn)
	require.NoError(t, err)
	defer func() { require.NoError(t, db.Close()) }()
	ctx := context.Background()
	tx, err := db.BeginTx(ctx, nil)
	require.NoError(t, err)
	defer func() { _ = tx.Rollback() }()
	_, err = tx.ExecContext(ctx, "SELECT set_config('app.tenant', 'acme', true)")
	require.NoError(t, err)
	var all strings.Builder
	for _, table := range strings.Fields(query(t, tx, "SELECT relname FROM pg_class WHERE relkind = 'r' AND relnamespace = current_schema()::regnamespace")) {
		all.WriteString(query(t, tx, `SELECT row_to_json(t)::text FROM "`+table+`" t`))
	}
	require.Contains(t, all.String(), "canary-199")
	require.Contains(t, all.String(), "wrapped")
	return all.String()
}

func query(t *testing.T, tx *sql.Tx, text string) string {
	t.Helper()
	rows, err := tx.Query(text)
	require.NoError(t, err)
	defer func() { require.NoError(t, rows.Close()) }()
	var all strings.Builder
	for rows.Next() {
		var line string
		require.NoError(t, rows.Scan(&line))
		all.WriteString(line + "\n")
	}
	require.NoError(t, rows.Err())
	return all.String()
}
