package chaos_test

import (
	"context"
	"math/rand/v2"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"

	"github.com/rowlock/rowlock/internal/pg/pgtest"
	"github.com/rowlock/rowlock/internal/pg/server"
	"github.com/rowlock/rowlock/test/history"
)

// PostgreSQL is shut down, and later crashes, in the middle of the load. The replicas wait for it
// and continue.
func TestPostgresRestarts(t *testing.T) {
	dir := filepath.Join(serverDir(t), "data")
	database := startServer(t, dir)
	c := newClients(newFleet(t, database.URL(), 3))
	sets := names("rs", 6)
	for _, name := range sets {
		c.createReplicaSet(name, 5)
	}
	stop := load(sets, func(name string) {
		c.patchReplicaSet(name, scaleTo(rand.IntN(25)))
		time.Sleep(time.Duration(rand.IntN(100)) * time.Millisecond)
	})
	var returns []time.Time
	for _, patience := range []time.Duration{20 * time.Second, 0} { // a shutdown, a crash
		time.Sleep(time.Second)
		ctx, cancel := context.WithTimeout(context.Background(), patience)
		_ = database.Stop(ctx) // its error says that it was made to exit
		cancel()
		time.Sleep(500 * time.Millisecond)
		database = startServer(t, dir)
		returns = append(returns, time.Now())
		for _, r := range c.replicas {
			eventually(t, r.name+" is ready again", func() bool { return r.ready() })
		}
	}
	time.Sleep(time.Second)
	stop()
	want := map[string]int{}
	for i, name := range sets {
		want[name] = 3 + i
		c.patchReplicaSet(name, scaleTo(want[name]))
	}
	c.awaitSettled(want)
	c.awaitResync(sum(want))
	h := c.judge()
	for _, at := range returns {
		d, _ := next(h, at, func(history.Entry) bool { return true })
		t.Logf("the first commit came %v after PostgreSQL took connections again", d.Round(time.Millisecond))
	}
}

// serverDir is a directory that the server's own user can enter.
func serverDir(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "rowlock-crash-pg-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) }) // temporary files
	if err := os.Chmod(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	return dir
}

func startServer(t *testing.T, dir string) *server.Server {
	t.Helper()
	s, err := server.Start(t.Context(), server.Options{DataDir: dir, BinDir: os.Getenv("PG_BIN")})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Stop(context.Background()) }) // a second time finds it stopped
	return s
}

func (r *replica) ready() bool {
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	return r.client.CoreV1().RESTClient().Get().AbsPath("/readyz").Do(ctx).Error() == nil
}

// A process is stopped, not killed: nothing notifies the database, and its claims are locked until
// its session times out. The others take over within seconds, and when it resumes it does not serve
// stale data.
func TestStop_OthersTakeOver(t *testing.T) {
	c := newClients(newFleet(t, pgtest.NewURL(t), 3))
	const rounds, pods = 4, 150
	c.createReplicaSet("rs", 0)
	for round := range rounds {
		victim := c.replicas[rand.IntN(len(c.replicas))]
		c.patchReplicaSet("rs", scaleTo((round+1)*pods))
		time.Sleep(time.Duration(rand.IntN(300)) * time.Millisecond)
		victim.signal(syscall.SIGSTOP)
		stopped := time.Now()
		others := c.others(victim)
		eventually(t, "all Pods are ready", func() bool { return others.readyPods("rs") == (round+1)*pods })
		took := time.Since(stopped)
		t.Logf("%d Pods were ready %v after a process was stopped", pods, took.Round(time.Millisecond))
		if took > time.Minute {
			t.Errorf("nobody took over for %v", took)
		}
		note := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{GenerateName: "note-"}}
		written, ok := do(others, "configmaps", func(ctx context.Context, client kubernetes.Interface) (*corev1.ConfigMap, error) {
			return client.CoreV1().ConfigMaps(namespace).Create(ctx, note, metav1.CreateOptions{})
		})
		victim.signal(syscall.SIGCONT)
		eventually(t, "the process serves again", func() bool {
			_, err := victim.client.CoreV1().ConfigMaps(namespace).Get(context.Background(), written.Name, metav1.GetOptions{})
			if err != nil && !c.refusals.Retryable(err) && ok {
				t.Fatalf("the process went on and answers with what is old: %v", err)
			}
			return err == nil
		})
	}
	c.awaitSettled(map[string]int{"rs": rounds * pods})
	c.judge()
}

// others returns clients of all replicas but one, with a separate memory.
func (c *clients) others(than *replica) *clients {
	f := &fleet{t: c.t, database: c.database}
	for _, r := range c.replicas {
		if r != than {
			f.replicas = append(f.replicas, r)
		}
	}
	return newClients(f)
}

// readyPods returns how many Pods of a ReplicaSet its status reports as ready, −1 if no replica
// answers.
func (c *clients) readyPods(name string) int {
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	set, err := c.any().AppsV1().ReplicaSets(namespace).Get(ctx, name, metav1.GetOptions{})
	if err != nil {
		return -1
	}
	return int(set.Status.ReadyReplicas)
}
