package serviceaccount

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"time"
)

// Keys is the cluster's key, which is opened when it is first needed, and recently signed tokens.
// It is safe for concurrent use. Make one with NewKeys.
type Keys struct {
	open   func(context.Context) (*Key, error)
	key    atomic.Pointer[Key]
	mu     sync.Mutex    // of those that open it
	wanted chan struct{} // a caller that cannot wait needs the key

	signedMu sync.Mutex
	signed   map[string][]byte // by their claims; at most mostSigned
}

// mostSigned bounds how many signed tokens are cached: a program that reads its token repeatedly
// costs one signature.
const mostSigned = 256

// NewKeys makes a Keys. open reads the key, and creates it if there is none yet.
func NewKeys(open func(context.Context) (*Key, error)) *Keys {
	return &Keys{open: open, wanted: make(chan struct{}, 1), signed: map[string][]byte{}}
}

// Get returns the key. Its error is that of opening it; the next call tries again.
func (k *Keys) Get(ctx context.Context) (*Key, error) {
	if key := k.key.Load(); key != nil {
		return key, nil
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	if key := k.key.Load(); key != nil {
		return key, nil
	}
	key, err := k.open(ctx)
	if err != nil {
		return nil, fmt.Errorf("the key of service account tokens: %w", err)
	}
	k.key.Store(key)
	return key, nil
}

// Run opens the key for callers of TrySign, until ctx ends.
func (k *Keys) Run(ctx context.Context) error {
	for {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-k.wanted:
			_, _ = k.Get(ctx) // callers that need it ask again
		}
	}
}

// TrySign makes the token of a Payload if the key is open. Otherwise it returns false at once, and
// Run opens the key.
func (k *Keys) TrySign(payload []byte) (token []byte, signed bool) {
	key := k.key.Load()
	if key == nil {
		select {
		case k.wanted <- struct{}{}:
		default: // it is being opened
		}
		return nil, false
	}
	k.signedMu.Lock()
	defer k.signedMu.Unlock()
	if token = k.signed[string(payload)]; token != nil {
		return token, true
	}
	text, err := key.SignPayload(payload)
	if err != nil {
		return nil, false
	}
	if len(k.signed) >= mostSigned {
		clear(k.signed)
	}
	token = []byte(text)
	k.signed[string(payload)] = token
	return token, true
}

// SignWithin is TrySign that waits this long for the key.
func (k *Keys) SignWithin(wait time.Duration) func(payload []byte) (token []byte, signed bool) {
	return func(payload []byte) (token []byte, signed bool) {
		ctx, cancel := context.WithTimeout(context.Background(), wait)
		defer cancel()
		if _, err := k.Get(ctx); err != nil {
			return nil, false
		}
		return k.TrySign(payload)
	}
}
