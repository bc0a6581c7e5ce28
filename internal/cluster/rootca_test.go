package cluster_test

import (
	"context"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"

	"github.com/rowlock/rowlock/internal/cluster"
	"github.com/rowlock/rowlock/internal/cluster/clustertest"
	"github.com/rowlock/rowlock/internal/pg/pgtest"
)

// TestOpen_PublishesTheRootCA: a replica that starts with another authority replaces the previous
// certificate in all namespaces.
func TestOpen_PublishesTheRootCA(t *testing.T) {
	t.Parallel()
	url := pgtest.NewURL(t)
	for _, bundle := range []string{"first\n", "second\n", ""} {
		func() {
			replica, err := cluster.Open(t.Context(), cluster.Config{DatabaseURL: url, CABundle: bundle, Log: slog.New(slog.DiscardHandler)})
			if err != nil {
				t.Fatal(err)
			}
			defer replica.Close()
			server := httptest.NewServer(replica.Handler())
			defer server.Close()
			client, err := kubernetes.NewForConfigAndClient(&rest.Config{Host: server.URL, QPS: -1}, &http.Client{Transport: &http.Transport{DisableKeepAlives: true}})
			if err != nil {
				t.Fatal(err)
			}
			for _, namespace := range []string{"default", "kube-system"} {
				clustertest.Await(t, namespace+" has the certificate "+bundle, func(ctx context.Context) bool {
					cm, err := client.CoreV1().ConfigMaps(namespace).Get(ctx, "kube-root-ca.crt", metav1.GetOptions{})
					return err == nil && cm.Data["ca.crt"] == bundle
				})
			}
		}()
	}
}
