package api_test

import (
	"io"
	"net/http"
	"runtime"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/rowlock/rowlock/api"
	"github.com/rowlock/rowlock/api/apitest"
)

// Watches whose clients do not read share the bytes of the event that they block on.
func TestUnreadWatches(t *testing.T) {
	// Not parallel: it compares the heap before and after.
	c, address := limited(t, api.Limits{})
	const watches, size = 100, 3 << 19
	c.Store(t, &corev1.ConfigMap{
		ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: "big", UID: "big"},
		Data:       map[string]string{"a": strings.Repeat("x", size)},
	})
	heap := func() int {
		var m runtime.MemStats
		runtime.GC()
		runtime.GC()
		runtime.ReadMemStats(&m)
		return int(m.HeapAlloc)
	}
	for _, accept := range []string{"application/json", "application/vnd.kubernetes.protobuf;stream=watch"} {
		before := heap()
		for range watches {
			conn := speak(t, address, "GET "+apitest.ConfigMapsPath+"?watch=1"+head+"Accept: "+accept+"\r\n\r\n")
			one := make([]byte, 1)
			if _, err := io.ReadFull(conn, one); err != nil {
				t.Fatal(err)
			}
		}
		if held := heap() - before; held > watches*size/4 {
			t.Errorf("%d unread watches of %s hold %d MB", watches, accept, held>>20)
		}
	}
}

// A client that does not read a long list is cut off; a slow reader gets all of it.
func TestLimits_SlowReaders(t *testing.T) {
	t.Parallel()
	for _, protocol := range []string{"1.1", "2"} {
		t.Run(protocol, func(t *testing.T) {
			t.Parallel()
			const slow = 3 * time.Second
			ended := make(chan struct{}, 8)
			_, address := limited(t, api.Limits{WriteTimeout: slow}, func(d *api.Deps) { d.Metrics = long(ended) })
			protocols := new(http.Protocols)
			protocols.SetHTTP1(protocol == "1.1")
			protocols.SetUnencryptedHTTP2(protocol == "2")
			client := &http.Client{Transport: &http.Transport{Protocols: protocols}}
			t.Cleanup(client.CloseIdleConnections)
			for _, whole := range []bool{false, true} {
				res, err := client.Get("http://" + address + "/metrics")
				if err != nil {
					t.Fatal(err)
				}
				if !whole {
					select {
					case <-ended:
					case <-time.After(apitest.Patience):
						t.Error("the server still waits for a client that does not read")
					}
					_ = res.Body.Close()
					continue
				}
				var got int
				for buf := make([]byte, 1<<20); ; {
					n, err := io.ReadFull(res.Body, buf)
					if got += n; err != nil {
						break
					}
					time.Sleep(slow / 30)
				}
				if _ = res.Body.Close(); got != longBytes {
					t.Errorf("a slow reader got %d bytes of %d", got, longBytes)
				}
			}
		})
	}
}

// longBytes exceeds the socket buffers of both ends.
const longBytes = 48 << 20

// long answers with longBytes in two writes, as lists and tables are sent, and signals its end.
func long(ended chan struct{}) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		defer func() { ended <- struct{}{} }()
		for range 2 {
			if _, err := w.Write(make([]byte, longBytes/2)); err != nil {
				return
			}
		}
	})
}
