package serviceaccount_test

import (
	"context"
	"testing"

	"github.com/rowlock/rowlock/internal/serviceaccount"
)

// TestKeys_TrySign: a caller that cannot wait for the key has it opened, and later gets the same
// tokens as all others, of the size announced before.
func TestKeys_TrySign(t *testing.T) {
	t.Parallel()
	opened := make(chan struct{})
	keys := serviceaccount.NewKeys(func(context.Context) (*serviceaccount.Key, error) {
		defer close(opened)
		return key(t, 0), nil
	})
	said := claims()
	payload := said.Payload()
	if token, signed := keys.TrySign(payload); signed {
		t.Fatalf("without a key: %s", token)
	}
	running, stop := context.WithCancel(t.Context())
	ended := make(chan error)
	go func() { ended <- keys.Run(running) }()
	<-opened
	stop()
	if err := <-ended; err == nil {
		t.Error("it ended by itself")
	}
	want := sign(t, key(t, 0), said)
	for range 2 {
		if token, signed := keys.TrySign(payload); !signed || string(token) != want {
			t.Errorf("the token is %q, want %q", token, want)
		}
	}
	if size := serviceaccount.Size(payload); size != len(want) {
		t.Errorf("a token of %d bytes was said to have %d", len(want), size)
	}
}
