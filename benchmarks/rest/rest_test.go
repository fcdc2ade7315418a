package main

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/agentstudio/agentstudio/benchmarks/orders"
)

func startHost(t *testing.T) *host {
	t.Helper()
	h, err := newHost(t.Context(), t.TempDir())
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, h.close(t.Context())) })
	return h
}

func (h *host) post(t *testing.T, path, token string) *httptest.ResponseRecorder {
	t.Helper()
	request := httptest.NewRequestWithContext(t.Context(), http.MethodPost, path, strings.NewReader(body))
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Authorization", "Bearer "+token)
	recorder := httptest.NewRecorder()
	h.echo.ServeHTTP(recorder, request)
	return recorder
}

// TestSameOrders holds the comparison fair: both routes return the same orders.
func TestSameOrders(t *testing.T) {
	t.Parallel()
	h := startHost(t)
	want, err := orders.NewMemory(inTable).List(t.Context(), orders.Query{Status: orders.Pending})
	require.NoError(t, err)
	require.Len(t, want.Orders, orders.Limit)

	var plain orders.Page
	answer := h.post(t, pathBare, h.token)
	require.Equal(t, http.StatusOK, answer.Code)
	require.NoError(t, json.Unmarshal(answer.Body.Bytes(), &plain))
	require.Equal(t, want, plain)

	var envelope struct{ Result orders.Page }
	answer = h.post(t, pathStudio, h.token)
	require.Equal(t, http.StatusOK, answer.Code, answer.Body.String())
	require.NoError(t, json.Unmarshal(answer.Body.Bytes(), &envelope))
	require.Equal(t, want, envelope.Result)
}

// TestBothCheckTheToken holds the comparison fair: a token with another
// signature opens neither route.
func TestBothCheckTheToken(t *testing.T) {
	t.Parallel()
	h := startHost(t)
	signature := strings.LastIndexByte(h.token, '.') + 1
	forged := h.token[:signature] + strings.Repeat("A", len(h.token)-signature)
	for _, path := range []string{pathBare, pathStudio} {
		require.Equal(t, http.StatusUnauthorized, h.post(t, path, forged).Code, path)
	}
}

// TestSummarise takes the figures of known answers.
func TestSummarise(t *testing.T) {
	t.Parallel()
	var a, b client
	for i := range 100 {
		a.times = append(a.times, time.Duration(100+i)*time.Millisecond)
		b.times = append(b.times, time.Duration(i)*time.Millisecond)
	}
	require.Equal(t, figures{Requests: 200, Rate: 100, P50: 100 * time.Millisecond, P99: 198 * time.Millisecond},
		summarise([]*client{&a, &b}, 2*time.Second))
	require.Zero(t, summarise(nil, time.Second))
}

// TestLoad sends real requests to a real server, over kept connections.
func TestLoad(t *testing.T) {
	t.Parallel()
	h := startHost(t)
	server := httptest.NewServer(h.echo)
	t.Cleanup(server.Close)
	address := server.Listener.Addr().String()
	for _, path := range []string{pathBare, pathStudio} {
		request, err := encodeRequest(t.Context(), address, path, h.token)
		require.NoError(t, err)
		seen, err := load(t.Context(), job{Address: address, Request: request, Connections: 4, Duration: 50 * time.Millisecond})
		require.NoError(t, err)
		require.Positive(t, seen.Rate)
	}
	request, err := encodeRequest(t.Context(), address, "/nowhere", h.token)
	require.NoError(t, err)
	_, err = load(t.Context(), job{Address: address, Request: request, Connections: 1, Duration: 50 * time.Millisecond})
	require.ErrorContains(t, err, "404")
}
