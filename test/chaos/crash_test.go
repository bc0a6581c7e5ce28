package chaos_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/rowlock/rowlock/internal/pg/pgtest"
)

// kills returns how many processes are killed altogether.
func kills(t testing.TB) int {
	t.Helper()
	text := os.Getenv("ROWLOCK_CRASH_KILLS")
	if text == "" {
		return 16
	}
	n, err := strconv.Atoi(text)
	if err != nil {
		t.Fatalf("ROWLOCK_CRASH_KILLS: %v", err)
	}
	return n
}

// load runs a function repeatedly for each of the names, until stop is called.
func load(names []string, f func(name string)) (stop func()) {
	var all sync.WaitGroup
	var ended atomic.Bool
	for _, name := range names {
		all.Go(func() {
			for !ended.Load() {
				f(name)
			}
		})
	}
	return func() { ended.Store(true); all.Wait() }
}

// killOneAtATime kills replicas at random moments, each when all are up, and returns when.
func (f *fleet) killOneAtATime(n int) []time.Time {
	var moments []time.Time
	for range n {
		time.Sleep(time.Duration(50+rand.IntN(450)) * time.Millisecond)
		victim := f.replicas[rand.IntN(len(f.replicas))]
		moments = append(moments, victim.kill())
		time.Sleep(time.Duration(rand.IntN(300)) * time.Millisecond)
		victim.start()
	}
	return moments
}

func names(prefix string, n int) []string {
	var all []string
	for i := range n {
		all = append(all, fmt.Sprintf("%s-%d", prefix, i+1))
	}
	return all
}

// Three processes serve and are killed one after another, while clients scale ReplicaSets and watch
// their Pods.
func TestKill_ReplicaSetsScale(t *testing.T) {
	c := newClients(newFleet(t, pgtest.NewURL(t), 3))
	sets := names("rs", 6)
	for _, name := range sets {
		c.createReplicaSet(name, 5)
	}
	watched, unfollow := c.follow()
	defer unfollow()
	stop := load(sets, func(name string) {
		c.patchReplicaSet(name, scaleTo(rand.IntN(25)))
		time.Sleep(time.Duration(rand.IntN(400)) * time.Millisecond)
	})
	moments := c.killOneAtATime((kills(t) + 1) / 2)
	stop()
	want := map[string]int{}
	for i, name := range sets {
		want[name] = 3 + i
		c.patchReplicaSet(name, scaleTo(want[name]))
	}
	c.awaitSettled(want)
	c.awaitResync(sum(want))
	h := c.judge()
	watched.judge(h)
	takeover(t, h, moments)
}

// As above, while clients scale and update Deployments, and update a DaemonSet.
func TestKill_DeploymentsScaleAndRoll(t *testing.T) {
	c := newClients(newFleet(t, pgtest.NewURL(t), 3))
	deployments := names("web", 4)
	for _, name := range deployments {
		c.createDeployment(name, 8)
	}
	c.rollDaemonSet("agent", "nginx:1.16")
	watched, unfollow := c.follow()
	defer unfollow()
	stop := load(deployments, func(name string) {
		if rand.IntN(4) == 0 {
			c.rollDaemonSet("agent", fmt.Sprintf("nginx:1.%d", 20+rand.IntN(10)))
		}
		if rand.IntN(3) == 0 {
			c.patchDeployment(name, scaleTo(4+rand.IntN(12)))
		} else {
			c.patchDeployment(name, rollTo(fmt.Sprintf("nginx:1.%d", 20+rand.IntN(10))))
		}
		time.Sleep(time.Duration(rand.IntN(1200)) * time.Millisecond)
	})
	moments := c.killOneAtATime(kills(t) / 2)
	stop()
	want := map[string]int{}
	for i, name := range deployments {
		want[name] = 4 + i
		c.patchDeployment(name, `{"spec":{"replicas":`+strconv.Itoa(want[name])+`,"template":{"spec":{"containers":[{"name":"main","image":"nginx:1.16"}]}}}}`)
	}
	c.awaitRolledOut(deployments)
	c.awaitDaemons(c.rollDaemonSet("agent", "nginx:1.16"))
	c.awaitSettled(want)
	c.awaitResync(sum(want))
	h := c.judge()
	watched.judge(h)
	takeover(t, h, moments)
}

// As above, while clients delete Pods of Jobs that count to forty; each is counted once.
func TestKill_JobsAreCounted(t *testing.T) {
	c := newClients(newFleet(t, pgtest.NewURL(t), 3))
	jobs := names("job", 4)
	for i, name := range jobs {
		c.createJob(name, 40, i%2 == 0)
	}
	watched, unfollow := c.follow()
	defer unfollow()
	stop := load(jobs, func(name string) {
		c.deletePodOf(name)
		time.Sleep(time.Duration(rand.IntN(1500)) * time.Millisecond)
	})
	moments := c.killOneAtATime((kills(t) + 3) / 4)
	stop()
	left := c.awaitComplete(jobs, 40)
	c.awaitResync(left)
	h := c.judge()
	watched.judge(h)
	takeover(t, h, moments)
}
