package pages

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"time"

	"github.com/a-h/templ"
	"github.com/labstack/echo/v4"

	"github.com/agentstudio/agentstudio/models"
	"github.com/agentstudio/agentstudio/tenancy"
	"github.com/agentstudio/agentstudio/views/chat"
	"github.com/agentstudio/agentstudio/web/sse"
)

const (
	// pollEvery finds events that another process has written.
	pollEvery = 2 * time.Second
	// streamFor ends a stream, so that the browser connects again.
	streamFor = 5 * time.Minute
	// resolveWithin is how long a resolver may take to say who still reads.
	resolveWithin = 10 * time.Second
)

// stream sends the log of the caller's conversation as it grows, from behind
// the event that the reader has seen.
func (p *chatPages) stream(c echo.Context) error {
	r, err := p.begin(c)
	if err != nil {
		return err
	}
	id := c.Param("session")
	if _, err := p.sessions.Get(r.ctx, id); err != nil {
		return err
	}
	wake, unsubscribe := p.sessions.Subscribe(id) // before reading, so that nothing is missed
	defer unsubscribe()
	out, err := sse.Start(c.Response())
	if err != nil {
		return fmt.Errorf("stream a conversation: %w", err)
	}
	ctx, cancel := context.WithTimeout(r.ctx, streamFor)
	defer cancel()
	live := &liveLog{
		out: out, log: p.transcript(r), after: sse.After(c.Request()), stopURL: stopURL(r, id),
		events: func(ctx context.Context, from int64) ([]models.Event, error) {
			return p.sessions.Events(ctx, id, from, batch)
		},
		still: func(ctx context.Context) error { return stillCaller(ctx, p.resolver, c.Request(), r.scope) },
	}
	err = live.run(ctx, wake, c.Request().Header.Get("Last-Event-ID") == "")
	if ctx.Err() != nil || errors.Is(err, errLeft) {
		return nil // the reader went, or is to connect again
	}
	return err
}

// errLeft ends the stream of a reader who is not the caller any more.
var errLeft = errors.New("the reader signed out, or is no member any more")

// stillCaller asks who sends the request now. It returns [errLeft] when that is
// nobody, or not who opened the stream in the same tenant and session.
func stillCaller(ctx context.Context, resolver tenancy.Resolver, r *http.Request, opened tenancy.Scope) error {
	ctx, cancel := context.WithTimeout(ctx, resolveWithin)
	defer cancel()
	now, err := resolver.Resolve(ctx, r)
	if err != nil {
		return fmt.Errorf("%w: %w", errLeft, err)
	}
	if now.User != opened.User || now.Tenant != opened.Tenant || now.Session != opened.Session || !now.StudioEnabled {
		return errLeft
	}
	return nil
}

// liveLog is one stream of one conversation.
type liveLog struct {
	out     *sse.Writer
	log     *transcript
	events  func(ctx context.Context, from int64) ([]models.Event, error)
	still   func(ctx context.Context) error // why the reader may read no more
	stopURL string
	after   int64 // offset of the last event that the reader has seen
	next    int64 // offset of the next event to read
}

// run sends until ctx ends or the reader is gone. first says that the page was
// just loaded, so the card of a call that waits is opened.
func (l *liveLog) run(ctx context.Context, wake <-chan struct{}, first bool) error {
	if err := l.catchUp(ctx); err != nil {
		return err
	}
	if first {
		if err := l.openCard(ctx); err != nil {
			return err
		}
	}
	poll := time.NewTicker(pollEvery)
	defer poll.Stop()
	heartbeat := time.NewTicker(sse.HeartbeatEvery)
	defer heartbeat.Stop()
	for {
		var err error
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-wake:
			err = l.catchUp(ctx)
		case <-poll.C:
			err = l.catchUp(ctx)
		case <-heartbeat.C:
			err = l.out.Heartbeat()
		}
		if err != nil {
			return err
		}
	}
}

// catchUp reads the log to its end and sends what the reader has not seen. What
// they have seen is read once, for the names and states it holds. Whether the
// reader may still read is asked anew each time.
func (l *liveLog) catchUp(ctx context.Context) error {
	for {
		if err := l.still(ctx); err != nil {
			return err
		}
		events, err := l.events(ctx, l.next)
		if err != nil || len(events) == 0 {
			return err
		}
		seen, fresh := split(events, l.after)
		if _, err := l.log.add(ctx, seen); err != nil {
			return err
		}
		items, err := l.log.add(ctx, fresh)
		if err != nil {
			return err
		}
		l.next = events[len(events)-1].Offset + 1
		if len(fresh) > 0 {
			if err := l.send(ctx, items, l.next-1); err != nil {
				return err
			}
		}
		if len(events) < batch {
			return nil
		}
	}
}

func split(events []models.Event, after int64) (seen, fresh []models.Event) {
	for i, e := range events {
		if e.Offset > after {
			return events[:i], events[i:]
		}
	}
	return events, nil
}

// send sends the state, and then the lines of a batch in one event. Only the
// last event carries the offset: a reader who loses it gets all of it again,
// which is harmless.
func (l *liveLog) send(ctx context.Context, items []chat.Item, last int64) error {
	id := strconv.FormatInt(last, 10)
	state := sse.Event{Kind: "state"}
	var err error
	if state.Data, err = html(ctx, chat.StateLine(l.log.stateLine(l.stopURL))); err != nil {
		return err
	}
	lines := chat.Fold(items)
	if len(lines) == 0 {
		state.ID = id
		return l.out.Send(state)
	}
	if err := l.out.Send(state); err != nil {
		return err
	}
	var fragments []templ.Component
	for _, item := range lines {
		fragments = append(fragments, item.Fragment())
	}
	data, err := html(ctx, fragments...)
	if err != nil {
		return err
	}
	return l.out.Send(sse.Event{ID: id, Kind: "log", Data: data})
}

// openCard opens the card of the call that has waited longest, if the reader's
// page showed it already: one that is new opens its card by itself.
func (l *liveLog) openCard(ctx context.Context) error {
	if len(l.log.pending) == 0 || l.log.pending[0].offset > l.after {
		return nil
	}
	data, err := html(ctx, chat.CardSignal(l.log.site, l.log.pending[0].approval))
	if err != nil {
		return err
	}
	return l.out.Send(sse.Event{Kind: "card", Data: data})
}

func html(ctx context.Context, components ...templ.Component) (string, error) {
	var out bytes.Buffer
	for _, component := range components {
		if err := component.Render(ctx, &out); err != nil {
			return "", fmt.Errorf("render a fragment: %w", err)
		}
	}
	return out.String(), nil
}
