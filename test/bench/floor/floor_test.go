package floor_test

import (
	"context"
	"encoding/json"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"

	"github.com/rowlock/rowlock/internal/pg/pgtest"
	"github.com/rowlock/rowlock/test/bench/floor"
)

// TestServe does with client-go what the benchmark does.
func TestServe(t *testing.T) {
	t.Parallel()
	ctx, stop := context.WithCancel(t.Context())
	at, ended := make(chan string, 1), make(chan error, 1)
	go func() { ended <- floor.Serve(ctx, pgtest.NewURL(t), 20, 1000, func(url string) { at <- url }) }()
	client, err := kubernetes.NewForConfig(&rest.Config{Host: <-at})
	if err != nil {
		t.Fatal(err)
	}
	configMaps := client.CoreV1().ConfigMaps("default")
	events, err := configMaps.Watch(ctx, metav1.ListOptions{})
	if err != nil {
		t.Fatal(err)
	}
	made := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: "a"}, Data: map[string]string{"k": "v"}}
	if _, err := configMaps.Create(ctx, made, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	if got, err := configMaps.Get(ctx, "a", metav1.GetOptions{}); err != nil || got.Data["k"] != "v" {
		t.Errorf("got %v, %v", got, err)
	}
	if event := <-events.ResultChan(); event.Type != "ADDED" || event.Object.(*corev1.ConfigMap).Name != "a" {
		t.Errorf("the watch sent %v", event)
	}
	events.Stop()
	body, err := client.CoreV1().RESTClient().Get().Namespace("default").Resource("pods").Do(ctx).Raw()
	var list struct{ Items []json.RawMessage }
	if err != nil || json.Unmarshal(body, &list) != nil || len(list.Items) != 20 || len(body) < 20*1000 {
		t.Errorf("the list has %d items in %d bytes, %v", len(list.Items), len(body), err)
	}
	stop()
	if err := <-ended; err != nil {
		t.Error(err)
	}
}
