package session

import "sync"

// Broker wakes the streams of a session when its log has grown. It carries no
// data: a stream that is woken reads the log from where it stands, so a lost
// or doubled wake-up does no harm.
type Broker struct {
	mu      sync.Mutex
	waiting map[string]map[chan struct{}]struct{}
}

// NewBroker returns a broker without subscribers.
func NewBroker() *Broker {
	return &Broker{waiting: map[string]map[chan struct{}]struct{}{}}
}

// Subscribe returns a channel that receives when the session's log may have
// grown, and a function that ends the subscription.
func (b *Broker) Subscribe(sessionID string) (<-chan struct{}, func()) {
	wake := make(chan struct{}, 1)
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.waiting[sessionID] == nil {
		b.waiting[sessionID] = map[chan struct{}]struct{}{}
	}
	b.waiting[sessionID][wake] = struct{}{}
	return wake, func() { b.unsubscribe(sessionID, wake) }
}

func (b *Broker) unsubscribe(sessionID string, wake chan struct{}) {
	b.mu.Lock()
	defer b.mu.Unlock()
	delete(b.waiting[sessionID], wake)
	if len(b.waiting[sessionID]) == 0 {
		delete(b.waiting, sessionID)
	}
}

// Wake wakes all streams of a session. It never waits for them.
func (b *Broker) Wake(sessionID string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for wake := range b.waiting[sessionID] {
		select {
		case wake <- struct{}{}:
		default: // it has a wake-up to come already
		}
	}
}
