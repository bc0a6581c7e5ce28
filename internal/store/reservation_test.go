package store_test

import (
	"errors"
	"fmt"
	"sync"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/store"
	"github.com/rowlock/rowlock/internal/store/storetest"
)

// service makes a Service with one address.
func service(name, ip string) *corev1.Service {
	return &corev1.Service{
		ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: name},
		Spec:       corev1.ServiceSpec{ClusterIP: ip, ClusterIPs: []string{ip}},
	}
}

func moveService(old *object.Version, ip string) store.Change {
	svc := old.Object().DeepCopyObject().(*corev1.Service)
	svc.Spec.ClusterIP, svc.Spec.ClusterIPs = ip, []string{ip}
	return store.Change{Verb: object.Updated, Type: old.Type, Old: old, New: svc, Writer: "test"}
}

func TestReservations_HaveOneHolder(t *testing.T) {
	t.Parallel()
	f := newStore(t, store.Config{})
	const first, second = "10.96.0.10", "10.96.0.11"
	a := f.MustWrite(storetest.Create("services", service("a", first)))
	wantReserved := func(c store.Change) {
		t.Helper()
		if _, err := f.Write(t.Context(), c); !errors.Is(err, store.ErrReserved) {
			t.Errorf("%s: got %v, want ErrReserved", c.Key(), err)
		}
	}
	wantReserved(storetest.Create("services", service("b", first)))
	b := f.MustWrite(storetest.Create("services", service("b", second)))
	wantReserved(moveService(b, first))

	a = f.MustWrite(moveService(a, "None")) // frees the address
	b = f.MustWrite(moveService(b, first))
	wantReserved(moveService(a, first))
	f.MustWrite(storetest.Remove(b)) // frees it again
	f.MustWrite(moveService(a, first))
}

// TestReservations_RacingCreates: many objects ask for one address at once; one gets it, and the
// others leave no trace.
func TestReservations_RacingCreates(t *testing.T) {
	t.Parallel()
	f := newStore(t, store.Config{Writers: 4, MaxBatch: 8})
	before, _, err := f.Revision(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	const racers, addresses = 64, 8
	var wg sync.WaitGroup
	var mu sync.Mutex
	won := map[string]int{}
	for i := range racers {
		wg.Go(func() {
			ip := fmt.Sprintf("10.96.0.%d", 10+i%addresses)
			_, err := f.Write(t.Context(), storetest.Create("services", service(fmt.Sprintf("s-%d", i), ip)))
			switch {
			case err == nil:
				mu.Lock()
				won[ip]++
				mu.Unlock()
			case !errors.Is(err, store.ErrReserved):
				t.Error(err)
			}
		})
	}
	wg.Wait()
	for ip, n := range won {
		if n != 1 {
			t.Errorf("%s has %d holders", ip, n)
		}
	}
	after, _, err := f.Revision(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if len(won) != addresses || after-before != addresses {
		t.Errorf("%d addresses were given out with %d revisions, want %d with %[3]d", len(won), after-before, addresses)
	}
}
