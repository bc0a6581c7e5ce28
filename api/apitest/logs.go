package apitest

import (
	"context"
	"sync"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/rowlock/rowlock/api"
	"github.com/rowlock/rowlock/api/kube/connect"
	"github.com/rowlock/rowlock/internal/object"
)

// Logs holds logs by "container id".
type Logs struct {
	sync.Mutex
	Pages  map[string]connect.LogPage
	Err    error  // what every read returns, besides the page
	OnRead func() // called after a page has been read
}

// Set replaces a log.
func (f *Logs) Set(run string, page connect.LogPage) {
	f.Lock()
	defer f.Unlock()
	f.Pages[run] = page
}

// Log implements connect.Logs.
func (f *Logs) Log(container, id string) connect.Log {
	return logOf(func() (connect.LogPage, error) {
		f.Lock()
		defer f.Unlock()
		if f.OnRead != nil {
			f.OnRead()
		}
		return f.Pages[container+" "+id], f.Err
	})
}

type logOf func() (connect.LogPage, error)

// Read implements connect.Log.
func (f logOf) Read(context.Context, *object.Version) (connect.LogPage, error) { return f() }

// NewClusterWithLogs returns a cluster with a node and logs.
func NewClusterWithLogs(t *testing.T) (*Cluster, *Logs) {
	t.Helper()
	logs := &Logs{Pages: map[string]connect.LogPage{}}
	c := NewCluster(t, func(d *api.Deps) { d.Kube.Logs = logs })
	c.Store(t, &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: "n", UID: "n"}})
	return c, logs
}
