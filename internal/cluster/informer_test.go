package cluster_test

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	coreinformers "k8s.io/client-go/informers/core/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/cache"

	"github.com/rowlock/rowlock/internal/cluster"
	"github.com/rowlock/rowlock/internal/cluster/clustertest"
	"github.com/rowlock/rowlock/internal/controller"
	"github.com/rowlock/rowlock/internal/kind/builtin"
	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/pg/pgtest"
	"github.com/rowlock/rowlock/internal/store"
)

// front is one address in front of several replicas.
type front struct {
	*httptest.Server
	replica atomic.Pointer[cluster.Cluster]
}

func newFront(t *testing.T) *front {
	f := &front{}
	f.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		f.replica.Load().Handler().ServeHTTP(w, r)
	}))
	return f
}

// turnTo sends new requests to a replica, and cuts those in progress.
func (f *front) turnTo(c *cluster.Cluster) {
	f.replica.Store(c)
	f.CloseClientConnections()
}

// lives are the changes of many objects, in order per object: "created 17", "updated 19", "deleted
// 23".
type lives struct {
	mu      sync.Mutex
	changes map[string][]string
	newest  int64
}

func newLives() *lives { return &lives{changes: map[string][]string{}} }

func (l *lives) add(name string, verb object.Verb, revision int64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.changes[name] = append(l.changes[name], fmt.Sprint(verb, " ", revision))
	l.newest = max(l.newest, revision)
}

func (l *lives) read() (n int, newest int64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, c := range l.changes {
		n += len(c)
	}
	return n, l.newest
}

// observe makes the informer's handler record every event.
func (l *lives) observe(t *testing.T, informer cache.SharedIndexInformer) {
	t.Helper()
	note := func(verb object.Verb, o any) {
		if gone, ok := o.(cache.DeletedFinalStateUnknown); ok {
			t.Errorf("the informer missed how %s went", gone.Key)
			return
		}
		cm := o.(*corev1.ConfigMap)
		revision, err := strconv.ParseInt(cm.ResourceVersion, 10, 64)
		if err != nil {
			t.Error(err)
		}
		l.add(cm.Name, verb, revision)
	}
	_, err := informer.AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc:    func(o any) { note(object.Created, o) },
		UpdateFunc: func(_, o any) { note(object.Updated, o) },
		DeleteFunc: func(o any) { note(object.Deleted, o) },
	})
	if err != nil {
		t.Fatal(err)
	}
}

// live changes one object n times: it is created, updated, deleted and created again.
func (l *lives) live(ctx context.Context, s *store.Store, name string, n int) error {
	var v *object.Version
	t := &builtin.Catalogue().ByResource("configmaps").Type
	for i := range n {
		cm := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Namespace: "busy", Name: name}, Data: map[string]string{"n": strconv.Itoa(i)}}
		c := store.Change{Verb: object.Updated, Type: t, Old: v, New: cm}
		switch {
		case v == nil:
			c.Verb, cm.UID = object.Created, types.UID(uuid.Must(uuid.NewV7()).String())
		case i%10 == 9:
			c.Verb, c.New = object.Deleted, nil
		default:
			cm.UID = v.UID
		}
		var err error
		if v, err = s.Write(ctx, c); err != nil {
			return err
		}
		l.add(name, v.Verb, int64(v.Revision))
		if v.Verb == object.Deleted {
			v = nil
		}
	}
	return nil
}

// TestInformer_MissesNothing: an informer follows ten thousand changes. Meanwhile its connection is
// cut and it continues at another replica, the first replica is closed and opened again, the log is
// compacted up to what the informer has seen, and the informer returns to the first. It receives
// every change of every object once, and in order.
func TestInformer_MissesNothing(t *testing.T) {
	t.Parallel()
	const objects, phases = 100, 4
	url := pgtest.NewURL(t)
	config := cluster.Config{DatabaseURL: url, Log: slog.New(slog.DiscardHandler)}
	start := func() *cluster.Cluster {
		c, err := cluster.Open(t.Context(), config)
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	a, b := start(), start()
	f := newFront(t)
	defer func() {
		f.Close()
		a.Close()
		b.Close()
	}()
	f.replica.Store(a)

	client := newClient(t, f.URL)
	if _, err := client.CoreV1().Namespaces().Create(t.Context(), &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: "busy"}}, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	writer := newWriter(t, url)
	seen, done := newLives(), newLives()
	stop := startInformer(t, client, seen)
	defer stop()

	caughtUp := func(context.Context) bool {
		want, _ := done.read()
		got, _ := seen.read()
		return got >= want
	}
	for phase := range phases {
		var wg sync.WaitGroup
		for i := range objects {
			wg.Go(func() {
				if err := done.live(t.Context(), writer, fmt.Sprintf("cm-%d-%d", phase, i), 10_000/objects/phases); err != nil {
					t.Error(err)
				}
			})
		}
		// An informer whose watch is cut within a second and before its first event lists again,
		// and may miss changes that way.
		clustertest.Await(t, "the phase is under way and the informer hears of it", func(context.Context) bool {
			before := 10_000 * phase / phases
			did, _ := done.read()
			heard, _ := seen.read()
			return did > before+1000 && heard > before
		})
		switch phase {
		case 1:
			f.turnTo(b)
			a.Close()
		case 2:
			a = start()
			f.turnTo(a)
		case 3:
			f.turnTo(b)
		}
		wg.Wait()
		clustertest.Await(t, "the informer has caught up", caughtUp)
		if phase == 1 {
			compactSeen(t, writer, seen, b)
		} else {
			compactSeen(t, writer, seen, a, b)
		}
	}
	if err := done.live(t.Context(), writer, "last", 1); err != nil { // any unexpected event has come before
		t.Fatal(err)
	}
	clustertest.Await(t, "the informer has the last", caughtUp)
	if diff := cmp.Diff(done.changes, seen.changes); diff != "" {
		t.Errorf("what the informer was told of (-what happened +told):\n%s", diff)
	}
}

// compactSeen compacts up to what the informer has seen, once all open replicas have it too: a
// replica overtaken by the compaction loads again and ends its watches.
func compactSeen(t *testing.T, s *store.Store, seen *lives, open ...*cluster.Cluster) {
	t.Helper()
	_, newest := seen.read()
	for _, c := range open {
		r := httptest.NewRecorder()
		c.Handler().ServeHTTP(r, httptest.NewRequest(http.MethodGet, "/api/v1/namespaces/busy/configmaps?limit=1", nil))
		if r.Code != http.StatusOK {
			t.Fatalf("the replica answers %d: %s", r.Code, r.Body)
		}
	}
	if removed, err := s.Compact(t.Context(), object.Revision(newest)); err != nil || removed == 0 {
		t.Fatalf("compacted to %d: %d versions removed, %v", newest, removed, err)
	}
}

// newWriter makes a store without a mirror: a process whose writes the replicas find in the log.
func newWriter(t *testing.T, url string) *store.Store {
	t.Helper()
	s := store.New(clustertest.Pool(t, url), builtin.Catalogue(), controller.NewRouter(), store.Config{}, nil, slog.New(slog.DiscardHandler))
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan struct{})
	go func() { defer close(ended); _ = s.Run(ctx) }()
	t.Cleanup(func() { stop(); <-ended })
	return s
}

func newClient(t *testing.T, url string) kubernetes.Interface {
	t.Helper()
	transport := &http.Transport{}
	t.Cleanup(transport.CloseIdleConnections)
	client, err := kubernetes.NewForConfigAndClient(&rest.Config{Host: url, QPS: -1}, &http.Client{Transport: transport})
	if err != nil {
		t.Fatal(err)
	}
	return client
}

// startInformer runs an informer that records its events.
func startInformer(t *testing.T, client kubernetes.Interface, seen *lives) (stop func()) {
	t.Helper()
	informer := coreinformers.NewFilteredConfigMapInformer(client, "busy", 0, nil,
		func(o *metav1.ListOptions) { o.FieldSelector = "metadata.name!=kube-root-ca.crt" })
	seen.observe(t, informer)
	ctx, cancel := context.WithCancel(t.Context())
	var running sync.WaitGroup
	running.Go(func() { informer.RunWithContext(ctx) })
	if !cache.WaitForCacheSync(ctx.Done(), informer.HasSynced) {
		t.Fatal("the informer does not sync")
	}
	return func() { cancel(); running.Wait() }
}
