package cluster_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"go.uber.org/goleak"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"

	"github.com/rowlock/rowlock/internal/cluster"
	"github.com/rowlock/rowlock/internal/cluster/clustertest"
	"github.com/rowlock/rowlock/internal/pg"
	"github.com/rowlock/rowlock/internal/pg/pgtest"
)

// open opens a replica and makes a client of it. stop ends both, and may be called before the test
// ends.
func open(t *testing.T, url string) (client kubernetes.Interface, stop func()) {
	t.Helper()
	replica, err := cluster.Open(t.Context(), cluster.Config{DatabaseURL: url, Nodes: 1, Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(replica.Handler())
	http := &http.Client{Transport: &http.Transport{}}
	client, err = kubernetes.NewForConfigAndClient(&rest.Config{Host: server.URL, QPS: -1}, http)
	if err != nil {
		t.Fatal(err)
	}
	return client, func() {
		http.CloseIdleConnections()
		server.Close()
		replica.Close()
	}
}

// TestOpen_ReplicasReadEachOthersWrites: each replica reads at once what the other has written.
func TestOpen_ReplicasReadEachOthersWrites(t *testing.T) {
	t.Parallel()
	url := pgtest.NewURL(t)
	first, stopFirst := open(t, url)
	defer stopFirst()
	second, stopSecond := open(t, url)
	defer stopSecond()
	for i := range 50 {
		writer, reader := first, second
		if i%2 == 1 {
			writer, reader = second, first
		}
		name := fmt.Sprintf("note-%d", i)
		note := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: name}}
		if _, err := writer.CoreV1().ConfigMaps("default").Create(t.Context(), note, metav1.CreateOptions{}); err != nil {
			t.Fatal(err)
		}
		if _, err := reader.CoreV1().ConfigMaps("default").Get(t.Context(), name, metav1.GetOptions{}); err != nil {
			t.Fatal(err)
		}
	}
	nodes, err := first.CoreV1().Nodes().List(t.Context(), metav1.ListOptions{})
	if err != nil || len(nodes.Items) != 1 {
		t.Errorf("a second replica makes no nodes of its own; there are %d, %v", len(nodes.Items), err)
	}
}

// TestClose_TheOthersGoOn: the other replica finishes the work that one has left undone.
func TestClose_TheOthersGoOn(t *testing.T) {
	t.Parallel()
	url := pgtest.NewURL(t)
	first, stopFirst := open(t, url)
	second, stopSecond := open(t, url)
	defer stopSecond()
	ns := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: "left"}}
	if _, err := first.CoreV1().Namespaces().Create(t.Context(), ns, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	stopFirst()
	clustertest.Await(t, "the namespace has its service account", func(ctx context.Context) bool {
		_, err := second.CoreV1().ServiceAccounts("left").Get(ctx, "default", metav1.GetOptions{})
		return err == nil
	})
}

// TestClose_LeavesNothingBehind: a closed replica leaves no goroutine and no connection. The test
// runs alone, because it counts goroutines.
func TestClose_LeavesNothingBehind(t *testing.T) {
	pool := clustertest.Pool(t, pgtest.NewURL(t))
	url := pool.Config().ConnString()
	before := goleak.IgnoreCurrent()
	client, stop := open(t, url)
	if _, err := client.CoreV1().Namespaces().Get(t.Context(), "default", metav1.GetOptions{}); err != nil {
		t.Fatal(err)
	}
	stop()
	goleak.VerifyNone(t, before)
	clustertest.Await(t, "no session is left", func(ctx context.Context) bool {
		var n int
		err := pool.QueryRow(ctx, "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()").Scan(&n)
		return err == nil && n == 0
	})
}

func TestOpen_RefusesWhatItCannotReach(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	for name, url := range map[string]string{
		"no server": "postgres://nobody@127.0.0.1:1/none",
		"no URL":    "",
	} {
		if replica, err := cluster.Open(ctx, cluster.Config{DatabaseURL: url, Log: slog.New(slog.DiscardHandler)}); err == nil {
			replica.Close()
			t.Errorf("%s: a replica was opened", name)
		}
	}
}

// TestOpen_RefusesANewerDatabase: it does so rather than write to unknown tables.
func TestOpen_RefusesANewerDatabase(t *testing.T) {
	t.Parallel()
	url := pgtest.NewURL(t)
	_, stop := open(t, url)
	stop()
	conn, err := pgx.Connect(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(t.Context()) //nolint:errcheck // the test is over
	if _, err := conn.Exec(t.Context(), "INSERT INTO goose_db_version (version_id, is_applied) VALUES (99999, true)"); err != nil {
		t.Fatal(err)
	}
	replica, err := cluster.Open(t.Context(), cluster.Config{DatabaseURL: url, Log: slog.New(slog.DiscardHandler)})
	if !errors.Is(err, pg.ErrNewerSchema) {
		t.Errorf("got %v, want %v", err, pg.ErrNewerSchema)
	}
	if replica != nil {
		replica.Close()
	}
}

// TestClose_IsBounded: closing a replica does not wait for a part that does not end.
func TestClose_IsBounded(t *testing.T) {
	t.Parallel()
	url := pgtest.NewURL(t)
	replica, err := cluster.Open(t.Context(), cluster.Config{DatabaseURL: url, Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	entered, leave := make(chan struct{}), make(chan struct{})
	cluster.Occupy(replica, func() { close(entered); <-leave })
	<-entered
	closed := make(chan struct{})
	go func() { replica.Close(); close(closed) }()
	select {
	case <-closed:
	case <-time.After(time.Minute):
		t.Error("the replica waits for a part that does not end")
	}
	close(leave)
}
