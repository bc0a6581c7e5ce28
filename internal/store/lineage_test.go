package store_test

import (
	"errors"
	"fmt"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/rowlock/rowlock/internal/store"
	"github.com/rowlock/rowlock/internal/store/storetest"
)

// TestS12_NoWriteBeforeTheNewHistory: a server that has been promoted may lack the last revisions,
// which clients know. Nothing is written, and so none of them is assigned again, before Recognise
// has begun a new history.
func TestS12_NoWriteBeforeTheNewHistory(t *testing.T) {
	t.Parallel()
	s := newStore(t, store.Config{})
	if renewed, err := s.Recognise(t.Context()); err != nil || renewed {
		t.Fatalf("a database is not recognised at first: %t, %v", renewed, err)
	}
	known := s.MustWrite(storetest.Create("configmaps", &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: "kept", Namespace: "default"}})).Revision
	if _, err := s.Pool.Exec(t.Context(), "UPDATE lineage SET identity = left(identity, -8) || '0000000F'"); err != nil {
		t.Fatal(err)
	}
	next := storetest.Create("configmaps", &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: "next", Namespace: "default"}})
	if _, err := s.Write(t.Context(), next); !errors.Is(err, store.ErrUnavailable) {
		t.Errorf("a write of the old history on the new timeline: %v, want ErrUnavailable", err)
	}
	if newest, _, err := s.Revision(t.Context()); err != nil || newest != known {
		t.Errorf("the newest revision is %d (%v), and was %d", newest, err, known)
	}
	if renewed, err := s.Recognise(t.Context()); err != nil || !renewed {
		t.Fatalf("the promoted server is not recognised as one: %t, %v", renewed, err)
	}
	if written := s.MustWrite(next).Revision; written < known+1_000_000_000 {
		t.Errorf("the new history goes on with %d after %d", written, known)
	}
}

// TestS12_AddressesDrawnBeforeTheSetback: the promoted server lacks the last blocks of Pod addresses,
// which processes still hold. The new history begins after them, or at the first number if they were
// the last.
func TestS12_AddressesDrawnBeforeTheSetback(t *testing.T) {
	t.Parallel()
	for drawn, want := range map[int]int{512: 512 + 1<<16 + 1, 8_388_000: 8_388_000 + 1<<16 - 1<<23 + 1} {
		s := newStore(t, store.Config{})
		if _, err := s.Recognise(t.Context()); err != nil {
			t.Fatal(err)
		}
		next := 0
		for _, statement := range []string{
			fmt.Sprintf("SELECT setval('addresses', %d)", drawn),
			"UPDATE lineage SET identity = left(identity, -8) || '0000000F' RETURNING 0",
		} {
			if err := s.Pool.QueryRow(t.Context(), statement).Scan(&next); err != nil {
				t.Fatal(err)
			}
		}
		if renewed, err := s.Recognise(t.Context()); err != nil || !renewed {
			t.Fatalf("the promoted server is not recognised as one: %t, %v", renewed, err)
		}
		if err := s.Pool.QueryRow(t.Context(), "SELECT nextval('addresses')").Scan(&next); err != nil || next != want {
			t.Errorf("the number after %d is %d (%v), want %d", drawn, next, err, want)
		}
	}
}
