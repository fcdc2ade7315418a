package store_test

import (
	"context"
	"encoding/json"
	"errors"
	"strconv"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentstudio/agentstudio/models"
	"github.com/agentstudio/agentstudio/studio/store"
)

// race runs fn n times at once, each in a Write of its own, and returns the
// errors that were not nil.
func race(t *testing.T, s *store.Store, n int, fn func(ctx context.Context, i int) error) []error {
	t.Helper()
	p := partition(t, "alpha")
	errs := make([]error, n)
	var group sync.WaitGroup
	start := make(chan struct{})
	for i := range n {
		group.Go(func() {
			<-start
			errs[i] = s.Write(t.Context(), p, func(ctx context.Context) error { return fn(ctx, i) })
		})
	}
	close(start)
	group.Wait()
	var failed []error
	for _, err := range errs {
		if err != nil {
			failed = append(failed, err)
		}
	}
	return failed
}

func TestAgents(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, s *store.Store) {
		agent := models.Agent{
			ID: models.NewID(), Name: "zoe", Owner: "ann", Visibility: models.VisibilityGroups,
			AllowedGroups: []string{"sales", "it"}, Version: 1,
		}
		version := models.AgentVersion{Author: "ann", Definition: models.Definition{
			Title: "Zoë", Effort: models.EffortLow, Toolkits: []string{"fs_orders"},
			Rules: []models.Rule{{ID: "r", Kind: models.RulePolicy, Tools: []string{"fs_list_orders"}}},
		}}
		write(t, s, "alpha", func(ctx context.Context) error {
			require.NoError(t, s.CreateAgent(ctx, agent, version))
			require.NoError(t, addAgent(ctx, s, "adam"))
			return s.SaveAgentVersion(ctx, agent.ID, 1, models.AgentVersion{Author: "bob", Note: "better"})
		})
		require.Equal(t, []string{"adam", "zoe"}, agentNames(t, s, partition(t, "alpha")))
		read(t, s, func(ctx context.Context) error {
			got, err := s.AgentByName(ctx, "zoe")
			require.NoError(t, err)
			require.Equal(t, 2, got.Version)
			require.Equal(t, agent.AllowedGroups, got.AllowedGroups)
			require.NotZero(t, got.CreatedAt)

			first, err := s.AgentVersion(ctx, agent.ID, 1)
			require.NoError(t, err)
			require.Equal(t, version.Definition, first.Definition)
			all, err := s.AgentVersions(ctx, agent.ID)
			require.NoError(t, err)
			require.Equal(t, []int{2, 1}, []int{all[0].Number, all[1].Number})

			agents, err := s.ListAgents(ctx)
			require.NoError(t, err)
			live, err := s.LiveVersions(ctx, agents)
			require.Len(t, live, 2)
			require.Equal(t, "better", live[agent.ID].Note)
			return err
		})
	})
}

func TestAgentNamesAreUniqueInATenant(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, s *store.Store) {
		for _, tenant := range []string{"alpha", "beta"} {
			write(t, s, tenant, func(ctx context.Context) error { return addAgent(ctx, s, "same") })
		}
		err := s.Write(t.Context(), partition(t, "alpha"), func(ctx context.Context) error { return addAgent(ctx, s, "same") })
		require.Equal(t, models.CodeNameTaken, models.CodeOf(err))
	})
}

func TestSaveAgentVersionRace(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, s *store.Store) {
		seed(t, s, "alpha")
		lost := race(t, s, 20, func(ctx context.Context, _ int) error {
			return s.SaveAgentVersion(ctx, agentID, 1, models.AgentVersion{})
		})
		require.Len(t, lost, 19)
		for _, err := range lost {
			require.Equal(t, models.CodeVersionConflict, models.CodeOf(err), err)
			conflict, ok := errors.AsType[*models.Error](err)
			require.True(t, ok)
			require.Equal(t, 2, conflict.Details["current"])
		}
		read(t, s, func(ctx context.Context) error {
			versions, err := s.AgentVersions(ctx, agentID)
			require.Len(t, versions, 2)
			return err
		})
	})
}

func TestEventOffsetsHaveNoGap(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, s *store.Store) {
		seed(t, s, "alpha") // appends one event
		const writers, each = 40, 3
		var mu sync.Mutex
		given := map[int64]bool{}
		require.Empty(t, race(t, s, writers, func(ctx context.Context, i int) error {
			added, err := s.AppendEvents(ctx, sessionID, eventsOf(i, each))
			mu.Lock()
			defer mu.Unlock()
			for j, e := range added {
				assert.False(t, given[e.Offset], "offset %d was given twice", e.Offset)
				given[e.Offset] = true
				assert.Equal(t, added[0].Offset+int64(j), e.Offset)
			}
			return err
		}))
		read(t, s, func(ctx context.Context) error {
			log, err := s.Events(ctx, sessionID, 0, 1000)
			require.Len(t, log, 1+writers*each)
			for i, e := range log {
				require.Equal(t, int64(i), e.Offset)
				require.NotZero(t, e.CreatedAt)
				require.True(t, json.Valid(e.Data), "%s", e.Data)
			}
			part, err2 := s.Events(ctx, sessionID, 5, 2)
			require.NoError(t, err2)
			require.Equal(t, log[5:7], part)
			return err
		})
	})
}

func eventsOf(writer, n int) []models.Event {
	events := make([]models.Event, n)
	for i := range events {
		events[i] = models.Event{Kind: models.EventMessage, Source: models.SourceCustomer, Data: []byte(strconv.Itoa(writer))}
	}
	return events
}

func TestSessions(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, s *store.Store) {
		seed(t, s, "alpha")
		write(t, s, "alpha", func(ctx context.Context) error {
			for i, id := range []string{"old", "new"} {
				require.NoError(t, s.CreateSession(ctx, models.ChatSession{
					ID: id, AgentID: agentID, Owner: "ann", Title: "untitled", CreatedAt: models.Instant(i + 1),
				}))
			}
			require.NoError(t, s.RenameSession(ctx, "new", "Orders"))
			require.Equal(t, models.CodeNotFound, models.CodeOf(s.RenameSession(ctx, "absent", "x")))
			return nil
		})
		read(t, s, func(ctx context.Context) error {
			found, err := s.SessionsOf(ctx, agentID, "ann", 10)
			require.NoError(t, err)
			require.Equal(t, []string{"new", "old"}, []string{found[0].ID, found[1].ID})
			require.Equal(t, "Orders", found[0].Title)
			found, err = s.SessionsOf(ctx, agentID, "ann", 1)
			require.Len(t, found, 1)
			return err
		})
	})
}

func TestForeignKeysIncludeTheTenant(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, s *store.Store) {
		seed(t, s, "beta")
		cases := isolationCases()
		for _, name := range []string{"CreateSession", "CreateTurn", "CreateCalls", "CreateIntent", "SaveToolkitSettings", "SaveToolkitOverride"} {
			_, err := inAlpha(t, s, cases[name])
			require.Error(t, err, "%s must not refer to a record of another tenant", name)
		}
	})
}

func TestAudit(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, s *store.Store) {
		write(t, s, "alpha", func(ctx context.Context) error {
			for i, action := range []models.AuditAction{models.AuditApproved, models.AuditRan, models.AuditRan} {
				entry := models.AuditEntry{ID: strconv.Itoa(i), Action: action, ApprovalID: strconv.Itoa(i % 2), ArgumentsHash: []byte{1}}
				require.NoError(t, s.AppendAudit(ctx, entry))
			}
			return nil
		})
		for want, filter := range map[string]models.AuditFilter{
			"210": {},
			"21":  {Action: models.AuditRan},
			"20":  {ApprovalID: "0"},
			"10":  {Before: "2"},
			"2":   {Limit: 1},
			"":    {ApprovalID: "absent"},
		} {
			read(t, s, func(ctx context.Context) error {
				entries, err := s.AuditEntries(ctx, filter)
				got := ""
				for _, e := range entries {
					got += e.ID
					require.NotZero(t, e.At)
				}
				require.Equal(t, want, got)
				return err
			})
		}
	})
}

func TestNothingEmptyIsAdded(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, s *store.Store) {
		write(t, s, "alpha", func(ctx context.Context) error {
			require.NoError(t, s.CreateCalls(ctx, nil))
			added, err := s.AppendEvents(ctx, "absent", nil)
			require.NoError(t, err)
			require.Empty(t, added)
			live, err := s.LiveVersions(ctx, nil)
			require.Empty(t, live)
			return err
		})
	})
}
