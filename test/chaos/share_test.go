package chaos_test

import (
	"context"
	"math/rand/v2"
	"regexp"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/rowlock/rowlock/internal/pg/pgtest"
)

// All processes work: under load, each of three makes a fair number of claims before any of them
// makes twenty times as many.
func TestShare_EachOfThreeWorks(t *testing.T) {
	const enough = 100
	c := newClients(newFleet(t, pgtest.NewURL(t), 3))
	sets := names("rs", 12)
	for _, name := range sets {
		c.createReplicaSet(name, 0)
	}
	before := c.claims()
	stop := load(sets, func(name string) {
		c.patchReplicaSet(name, scaleTo(rand.IntN(20)))
		time.Sleep(50 * time.Millisecond)
	})
	var made []float64
	for deadline := time.Now().Add(patience); time.Now().Before(deadline); time.Sleep(50 * time.Millisecond) {
		made = c.claims()
		for i := range made {
			made[i] -= before[i]
		}
		if slices.Min(made) >= enough || slices.Max(made) >= 20*enough {
			break
		}
	}
	stop()
	t.Logf("the replicas made %v claims", made)
	if slices.Min(made) < enough {
		t.Errorf("the replicas made %v claims, want %d of each before one makes twenty times as many", made, enough)
	}
	c.judge()
}

// claims returns how many claims each replica has made.
func (c *clients) claims() []float64 {
	c.t.Helper()
	all := make([]float64, len(c.replicas))
	for i, r := range c.replicas {
		for _, n := range r.metric("rowlock_worker_claims_total") {
			all[i] += n
		}
	}
	return all
}

// metric returns the values of a counter by controller.
func (r *replica) metric(name string) map[string]float64 {
	r.t.Helper()
	body, err := r.client.CoreV1().RESTClient().Get().AbsPath("/metrics").Do(context.Background()).Raw()
	if err != nil {
		r.t.Fatalf("read the metrics of %s: %v", r.name, err)
	}
	values := map[string]float64{}
	for _, m := range sample.FindAllSubmatch(body, -1) {
		if string(m[1]) == name {
			if values[string(m[2])], err = strconv.ParseFloat(string(m[3]), 64); err != nil {
				r.t.Fatal(err)
			}
		}
	}
	return values
}

// sample matches a line of Prometheus' text format with the one label of the workers' counters.
var sample = regexp.MustCompile(`(?m)^(\w+)\{controller="(\w+)"\} (\S+)$`)
