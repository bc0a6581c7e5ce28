package chaos_test

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"sync/atomic"
	"testing"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/rowlock/rowlock/api/v1"
	"github.com/rowlock/rowlock/internal/pg/pgtest"
)

// TestKill_AFaultKeepsItsCount: whichever process dies between a hit and the end of a fault, the
// fault happens exactly as often as its count, and ends.
func TestKill_AFaultKeepsItsCount(t *testing.T) {
	t.Parallel()
	const count = 200
	f := newFleet(t, pgtest.NewURL(t), 2)
	body := []byte(`{"api": {"resources": ["configmaps"], "status": 418, "count": 200}}`)
	if err := f.any().CoreV1().RESTClient().Post().AbsPath(v1.FaultsPath).Body(body).Do(t.Context()).Error(); err != nil {
		t.Fatal(err)
	}
	var hits, lost atomic.Int64
	stop := load(names("client", 4), func(string) {
		asked, cancel := context.WithTimeout(context.Background(), 10*time.Second)
		defer cancel()
		_, err := f.any().CoreV1().ConfigMaps("default").Get(asked, "kube-root-ca.crt", metav1.GetOptions{})
		var status apierrors.APIStatus
		switch {
		case err == nil:
		case errors.As(err, &status) && status.Status().Code == http.StatusTeapot:
			hits.Add(1)
		default:
			lost.Add(1) // its turn may have been taken
		}
	})
	defer stop()
	for i := range 4 {
		r := f.replicas[i%2]
		eventually(t, "the fault goes on happening", func() bool { return hits.Load() >= int64(20*(i+1)) || i > 0 && hits.Load()+lost.Load() >= count })
		r.kill()
		r.start()
	}
	eventually(t, "the fault has ended", func() bool {
		answer, err := f.any().CoreV1().RESTClient().Get().AbsPath(v1.FaultsPath).DoRaw(t.Context())
		var list v1.FaultList
		return err == nil && json.Unmarshal(answer, &list) == nil && len(list.Items) == 0
	})
	stop()
	if n, l := hits.Load(), lost.Load(); n > count || n+l < count {
		t.Errorf("it happened %d times and %d answers were lost; it was to happen %d times", n, l, count)
	}
}
