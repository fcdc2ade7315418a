package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"slices"
	"sync"
	"time"
)

// job is what the loading process is told.
type job struct {
	Address     string
	Request     []byte // a whole HTTP/1.1 request
	Connections int
	Duration    time.Duration
}

// figures are what one measurement saw.
type figures struct {
	Requests int
	Rate     float64 // requests per second
	P50, P99 time.Duration
	// CPU is the processor time that the server spent per request, its garbage
	// collector's included. It depends less than the rest on who else uses the
	// machine.
	CPU time.Duration
}

// loadAndReport does the job and writes its figures as JSON.
func loadAndReport(ctx context.Context, encoded string, out io.Writer) error {
	var j job
	if err := json.Unmarshal([]byte(encoded), &j); err != nil {
		return fmt.Errorf("read the job: %w", err)
	}
	seen, err := load(ctx, j)
	if err != nil {
		return err
	}
	return json.NewEncoder(out).Encode(seen)
}

// load sends the request over and over on every connection, one at a time each,
// until the time is over. The clients are as light as they can be, since they
// share the machine with what is measured.
func load(ctx context.Context, j job) (figures, error) {
	clients, err := dial(ctx, j)
	if err != nil {
		return figures{}, err
	}
	begun := time.Now()
	errs := make([]error, len(clients))
	var group sync.WaitGroup
	for i, c := range clients {
		group.Go(func() { errs[i] = c.repeat(ctx, j.Request, begun.Add(j.Duration)) })
	}
	group.Wait()
	return summarise(clients, time.Since(begun)), errors.Join(errs...)
}

// client is one connection, which is kept alive.
type client struct {
	conn  net.Conn
	in    *bufio.Reader
	times []time.Duration // of every answer
}

// dial opens all connections before the first request.
func dial(ctx context.Context, j job) ([]*client, error) {
	var dialer net.Dialer
	clients := make([]*client, 0, j.Connections)
	for range j.Connections {
		conn, err := dialer.DialContext(ctx, "tcp", j.Address)
		if err != nil {
			return nil, err
		}
		clients = append(clients, &client{conn: conn, in: bufio.NewReaderSize(conn, 16<<10)})
	}
	return clients, nil
}

func (c *client) repeat(ctx context.Context, request []byte, until time.Time) error {
	for sent := time.Now(); sent.Before(until) && ctx.Err() == nil; {
		if err := c.once(request); err != nil {
			return errors.Join(err, c.conn.Close())
		}
		now := time.Now()
		c.times = append(c.times, now.Sub(sent))
		sent = now
	}
	return c.conn.Close()
}

func (c *client) once(request []byte) error {
	if _, err := c.conn.Write(request); err != nil {
		return fmt.Errorf("send: %w", err)
	}
	answer, err := http.ReadResponse(c.in, nil)
	if err != nil {
		return fmt.Errorf("read an answer: %w", err)
	}
	defer func() { _ = answer.Body.Close() }() // there is nothing to close in memory
	if _, err := io.Copy(io.Discard, answer.Body); err != nil {
		return fmt.Errorf("read a body: %w", err)
	}
	if answer.StatusCode != http.StatusOK {
		return fmt.Errorf("the server answered %s", answer.Status)
	}
	return nil
}

func summarise(clients []*client, took time.Duration) figures {
	var all []time.Duration
	for _, c := range clients {
		all = append(all, c.times...)
	}
	if len(all) == 0 {
		return figures{}
	}
	slices.Sort(all)
	return figures{
		Requests: len(all), Rate: float64(len(all)) / took.Seconds(),
		P50: all[len(all)/2], P99: all[len(all)*99/100],
	}
}
