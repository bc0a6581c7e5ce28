package api_test

import (
	"io"
	"runtime"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/rowlock/rowlock/api"
	"github.com/rowlock/rowlock/api/apitest"
)

// Unread watches share the bytes of the event that they block on.
func TestUnreadWatches(t *testing.T) {
	// Not parallel: it compares the heap before and after.
	c, address := limited(t, api.Limits{})
	const watches, size = 100, 3 << 19
	c.Store(t, &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: "big", UID: "big"}, Data: map[string]string{"a": strings.Repeat("x", size)}})
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
