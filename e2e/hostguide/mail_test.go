package hostguide_test

import (
	"context"
	"errors"
	"slices"

	"github.com/agentstudio/agentstudio/hosttools"
)

// mailServer stands for a client that the host has anyway.
type mailServer struct {
	opened, closed int
	subjects       map[string][]string // by mailbox
}

func (s *mailServer) Dial(_ context.Context, mailbox, password string) (*mailConnection, error) {
	if password == "" {
		return nil, errors.New("the mail server wants a password")
	}
	s.opened++
	return &mailConnection{server: s, mailbox: mailbox}, nil
}

type mailConnection struct {
	server  *mailServer
	mailbox string
}

func (c *mailConnection) Mailboxes() []string {
	names := []string{}
	for name := range c.server.subjects {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

func (c *mailConnection) Subjects() []string { return c.server.subjects[c.mailbox] }

func (c *mailConnection) Close() error {
	c.server.closed++
	return nil
}

// mailSettings is what the toolkit is set up with.
type mailSettings struct {
	Mailbox  string                     `json:"mailbox,omitempty" jsonschema:"mailbox to read" default:"\"support\""`
	Password hosttools.Secret           `json:"password" jsonschema:"password of the mailbox"`
	Server   hosttools.App[*mailServer] `json:"server" key:"mail"`
	Origin   hosttools.Server[string]   `json:"origin"`
}

type mail struct {
	settings   mailSettings
	connection *mailConnection
}

func newMail() (hosttools.Entry, error) {
	m := &mail{settings: mailSettings{Origin: hosttools.ServerValue("help desk")}}
	return hosttools.Toolkit{
		Prefix: "hd", Title: "Mail", Description: "Read the mail of the help desk.", TenantBound: true,
		Config:  &m.settings,
		Options: map[string]hosttools.OptionsFunc{"mailbox": m.mailboxes},
		Open:    m.open,
		Close:   m.close,
		Methods: []hosttools.Method{
			hosttools.NewMethod("list_mail", "List the subjects of the mail in the mailbox.", m.list, hosttools.Read()),
		},
	}, nil
}

func (m *mail) open(ctx context.Context) (err error) {
	m.connection, err = m.settings.Server.Value().Dial(ctx, m.settings.Mailbox, m.settings.Password.Reveal())
	return err
}

func (m *mail) close(context.Context) error { return m.connection.Close() }

func (m *mail) mailboxes(context.Context) ([]hosttools.Option, error) {
	var options []hosttools.Option
	for _, name := range m.connection.Mailboxes() {
		options = append(options, hosttools.Option{Value: name, Label: "Mailbox " + name})
	}
	return options, nil
}

type mailIn struct{ hosttools.Rows }

func (m *mail) list(_ context.Context, in mailIn) (hosttools.Page[string], error) {
	return hosttools.NewPage(m.connection.Subjects(), in.Limit()), nil
}
