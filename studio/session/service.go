package session

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/agentstudio/agentstudio/models"
	"github.com/agentstudio/agentstudio/tenancy"
)

// Store is what sessions need of the database.
type Store interface {
	Read(ctx context.Context, p tenancy.Partition, fn func(ctx context.Context) error) error
	Write(ctx context.Context, p tenancy.Partition, fn func(ctx context.Context) error) error
	AfterCommit(ctx context.Context, fn func())

	CreateSession(ctx context.Context, s models.ChatSession) error
	Session(ctx context.Context, id string) (models.ChatSession, error)
	SessionsOf(ctx context.Context, agentID, owner string, limit int) ([]models.ChatSession, error)
	AppendEvents(ctx context.Context, sessionID string, events []models.Event) ([]models.Event, error)
	Events(ctx context.Context, sessionID string, from int64, limit int) ([]models.Event, error)
	OpenTurn(ctx context.Context, sessionID string) (models.Turn, bool, error)
}

// Service holds conversations.
type Service struct {
	store  Store
	broker *Broker
}

// New returns a service over a store.
func New(store Store) *Service { return &Service{store: store, broker: NewBroker()} }

// Create starts an empty conversation of the caller with an agent that the
// caller may see; whether they may is for the caller of Create to ask.
func (s *Service) Create(ctx context.Context, agentID string) (models.ChatSession, error) {
	scope, p, err := tenancy.Caller(ctx)
	if err != nil {
		return models.ChatSession{}, err
	}
	created := models.ChatSession{ID: models.NewID(), AgentID: agentID, Owner: scope.User, Title: "New conversation"}
	err = s.store.Write(ctx, p, func(ctx context.Context) error { return s.store.CreateSession(ctx, created) })
	return created, err
}

// Get returns a conversation of the caller. Others, and those of others, are
// not_found.
func (s *Service) Get(ctx context.Context, id string) (models.ChatSession, error) {
	scope, p, err := tenancy.Caller(ctx)
	if err != nil {
		return models.ChatSession{}, err
	}
	var found models.ChatSession
	err = s.store.Read(ctx, p, func(ctx context.Context) error {
		found, err = s.Owned(ctx, scope, id)
		return err
	})
	return found, err
}

// Owned is [Service.Get] inside of a unit of work.
func (s *Service) Owned(ctx context.Context, scope tenancy.Scope, id string) (models.ChatSession, error) {
	if !models.ValidID(id) {
		return models.ChatSession{}, models.NotFound()
	}
	found, err := s.store.Session(ctx, id)
	if err == nil && found.Owner != scope.User {
		return models.ChatSession{}, models.NotFound()
	}
	return found, err
}

// List returns the caller's conversations with an agent, newest first.
func (s *Service) List(ctx context.Context, agentID string, limit int) ([]models.ChatSession, error) {
	scope, p, err := tenancy.Caller(ctx)
	if err != nil {
		return nil, err
	}
	var found []models.ChatSession
	err = s.store.Read(ctx, p, func(ctx context.Context) error {
		found, err = s.store.SessionsOf(ctx, agentID, scope.User, limit)
		return err
	})
	return found, err
}

// Events returns at most limit events of the caller's conversation from an
// offset on, in order.
func (s *Service) Events(ctx context.Context, id string, from int64, limit int) ([]models.Event, error) {
	scope, p, err := tenancy.Caller(ctx)
	if err != nil {
		return nil, err
	}
	var events []models.Event
	err = s.store.Read(ctx, p, func(ctx context.Context) error {
		if _, err := s.Owned(ctx, scope, id); err != nil {
			return err
		}
		events, err = s.store.Events(ctx, id, from, limit)
		return err
	})
	return events, err
}

// OpenTurn returns the unfinished turn of the caller's conversation, if there
// is one.
func (s *Service) OpenTurn(ctx context.Context, id string) (models.Turn, bool, error) {
	scope, p, err := tenancy.Caller(ctx)
	if err != nil {
		return models.Turn{}, false, err
	}
	var turn models.Turn
	var open bool
	err = s.store.Read(ctx, p, func(ctx context.Context) error {
		if _, err := s.Owned(ctx, scope, id); err != nil {
			return err
		}
		turn, open, err = s.store.OpenTurn(ctx, id)
		return err
	})
	return turn, open, err
}

// Subscribe wakes the caller when the log of a session may have grown.
func (s *Service) Subscribe(id string) (<-chan struct{}, func()) { return s.broker.Subscribe(id) }

// Append adds events of a turn to a log, in the unit of work of ctx, and wakes
// the log's streams once that has committed.
func (s *Service) Append(ctx context.Context, turn models.Turn, payloads ...Payload) error {
	events := make([]models.Event, 0, len(payloads))
	for _, payload := range payloads {
		data, err := json.Marshal(payload)
		if err != nil {
			return fmt.Errorf("encode a %s event: %w", payload.Kind(), err)
		}
		events = append(events, models.Event{
			TurnID: turn.ID, Kind: payload.Kind(), Source: models.SourceSystem, Data: data,
		})
	}
	return s.append(ctx, turn.SessionID, events)
}

// Say adds a message to the log of a turn.
func (s *Service) Say(ctx context.Context, turn models.Turn, source models.EventSource, message Message) error {
	data, err := json.Marshal(message)
	if err != nil {
		return fmt.Errorf("encode a message: %w", err)
	}
	return s.append(ctx, turn.SessionID, []models.Event{{
		TurnID: turn.ID, Kind: models.EventMessage, Source: source, Data: data,
	}})
}

func (s *Service) append(ctx context.Context, sessionID string, events []models.Event) error {
	if _, err := s.store.AppendEvents(ctx, sessionID, events); err != nil {
		return err
	}
	s.store.AfterCommit(ctx, func() { s.broker.Wake(sessionID) })
	return nil
}
