package world_test

import (
	"fmt"
	"net/netip"
	"sync"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/rowlock/rowlock/internal/controller/world"
	"github.com/rowlock/rowlock/internal/engine/enginetest"
	"github.com/rowlock/rowlock/internal/mirror"
)

func TestAddresses_NoTwoProcessesHaveTheSame(t *testing.T) {
	t.Parallel()
	r := enginetest.New(t)
	var mu sync.Mutex
	given := map[string]bool{}
	var all sync.WaitGroup
	for _, a := range []*world.Addresses{world.NewAddresses(r.Pool), world.NewAddresses(r.Pool)} {
		for range 2 {
			all.Go(func() {
				for range 700 {
					var address string
					r.Mirror.Read(func(v mirror.View) { address = a.Next(v) })
					ip, err := netip.ParseAddr(address)
					if last := ip.AsSlice()[3]; err != nil || !netip.MustParsePrefix("10.128.0.0/9").Contains(ip) || last == 0 || last == 255 {
						t.Errorf("%q is not an address for a Pod", address)
					}
					mu.Lock()
					if given[address] {
						t.Errorf("%s was given twice", address)
					}
					given[address] = true
					mu.Unlock()
				}
			})
		}
	}
	all.Wait()
}

func TestAddresses_PassesOverThoseInUse(t *testing.T) {
	t.Parallel()
	r := enginetest.New(t)
	r.Exec("ALTER SEQUENCE addresses RESTART WITH 8388604") // the last ones, after which the sequence starts over
	for i, status := range []string{"10.255.255.252", "10.255.255.254", "10.128.0.2"} {
		pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: fmt.Sprint("web-", i)}}
		pod.Status.PodIP = status
		r.Create(pod)
	}
	node := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: "host"}}
	node.Spec.HostNetwork, node.Status.PodIP = true, "10.128.0.3" // the node's, not one of ours
	r.Create(node)
	addresses := world.NewAddresses(r.Pool)
	r.View(func(v mirror.View) {
		for _, want := range []string{"10.255.255.253", "10.128.0.1", "10.128.0.3", "10.128.0.4"} {
			if got := addresses.Next(v); got != want {
				t.Errorf("the next address is %s, want %s", got, want)
			}
		}
	})
}

func TestAddresses_NoneWithoutTheDatabase(t *testing.T) {
	t.Parallel()
	r := enginetest.New(t)
	r.Exec("DROP SEQUENCE addresses")
	r.View(func(v mirror.View) {
		if got := world.NewAddresses(r.Pool).Next(v); got != "" {
			t.Errorf("got %s", got)
		}
	})
}

// TestS12_NoAddressTwiceAfterASetback: the database was set back behind the block that a process
// holds, so another process gets the same numbers. The first one drops its block when its mirror
// finds out.
func TestS12_NoAddressTwiceAfterASetback(t *testing.T) {
	t.Parallel()
	r := enginetest.New(t)
	first, second := world.NewAddresses(r.Pool), world.NewAddresses(r.Pool)
	r.View(func(v mirror.View) {
		first.Next(v)
		r.Exec("ALTER SEQUENCE addresses RESTART WITH 0")
		first.Reset()
		given := map[string]bool{}
		for range 1000 {
			for _, a := range []*world.Addresses{first, second} {
				address := a.Next(v)
				if given[address] {
					t.Fatalf("%s was given twice", address)
				}
				given[address] = true
			}
		}
	})
}
