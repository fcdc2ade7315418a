package models_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/agentstudio/agentstudio/models"
)

func TestTurnStateEnded(t *testing.T) {
	t.Parallel()
	ended := map[models.TurnState]bool{
		models.TurnQueued: false, models.TurnRunning: false, models.TurnWaiting: false,
		models.TurnDone: true, models.TurnFailed: true, models.TurnCancelled: true,
		"": false,
	}
	for state, want := range ended {
		require.Equal(t, want, state.Ended(), state)
	}
}

func TestEffortsRise(t *testing.T) {
	t.Parallel()
	require.Equal(t, []models.Effort{
		models.EffortMin, models.EffortLow, models.EffortMedium, models.EffortHigh, models.EffortMax,
	}, models.Efforts())
	models.Efforts()[0] = models.EffortMax
	require.Equal(t, models.EffortMin, models.Efforts()[0], "each caller has their own list")
}
