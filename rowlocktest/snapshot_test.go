package rowlocktest_test

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sync/errgroup"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"

	"github.com/rowlock/rowlock/rowlocktest"
)

// post sends a request for one of Rowlock's own operations, and returns the answer.
func post(t testing.TB, client *http.Client, method, url, body string) []byte {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), method, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	res, err := client.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	answer, err := io.ReadAll(res.Body)
	if err := errors.Join(err, res.Body.Close()); err != nil || res.StatusCode != http.StatusOK {
		t.Fatalf("%s %s: %d %v %s", method, url, res.StatusCode, err, answer)
	}
	return answer
}

// saved makes a cluster with Pods, and writes its snapshot to a file.
func saved(t testing.TB, pods int) (file string, config *rest.Config, client *http.Client) {
	t.Helper()
	config = rowlocktest.Start(t)
	client, err := newHTTPClient(t, config)
	if err != nil {
		t.Fatal(err)
	}
	objects, err := kubernetes.NewForConfigAndClient(config, client)
	if err != nil {
		t.Fatal(err)
	}
	var creating errgroup.Group
	creating.SetLimit(64)
	for i := range pods {
		creating.Go(func() error {
			_, err := objects.CoreV1().Pods("default").Create(t.Context(), &corev1.Pod{
				ObjectMeta: metav1.ObjectMeta{Name: fmt.Sprintf("pod-%d", i)},
				Spec:       corev1.PodSpec{Containers: []corev1.Container{{Name: "c", Image: "nginx:1.29"}}},
			}, metav1.CreateOptions{})
			return err
		})
	}
	if err := creating.Wait(); err != nil {
		t.Fatal(err)
	}
	settle(t, client, config.Host)
	post(t, client, "POST", config.Host+"/rowlock/v1/snapshots", `{"name":"all"}`)
	file = filepath.Join(t.TempDir(), "all.rls")
	if err := os.WriteFile(file, post(t, client, "GET", config.Host+"/rowlock/v1/snapshots/all/file", ""), 0o600); err != nil {
		t.Fatal(err)
	}
	return file, config, client
}

// settle lets everything due happen, and then pauses the clock.
func settle(t testing.TB, client *http.Client, host string) {
	t.Helper()
	post(t, client, "POST", host+"/rowlock/v1/clock", `{"paused":true}`)
	post(t, client, "POST", host+"/rowlock/v1/clock?wait=1m", `{"advance":{"by":"5s"}}`)
}

func TestFromSnapshot(t *testing.T) {
	t.Parallel()
	file, config, client := saved(t, 3)
	objects, err := kubernetes.NewForConfigAndClient(config, client)
	if err != nil {
		t.Fatal(err)
	}
	want, err := objects.CoreV1().Pods("default").List(t.Context(), metav1.ListOptions{})
	if err != nil {
		t.Fatal(err)
	}
	open, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	for name, option := range map[string]rowlocktest.Option{"path": rowlocktest.FromSnapshot(file), "file": rowlocktest.FromSnapshotFile(open)} {
		got, err := connect(t, option).CoreV1().Pods("default").List(t.Context(), metav1.ListOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if got.ResourceVersion != want.ResourceVersion || len(got.Items) != len(want.Items) {
			t.Errorf("%s: there are %d Pods at %s, not %d at %s", name, len(got.Items), got.ResourceVersion, len(want.Items), want.ResourceVersion)
			continue
		}
		for i := range want.Items {
			w, g := &want.Items[i], &got.Items[i]
			if w.UID != g.UID || w.ResourceVersion != g.ResourceVersion || g.Status.Phase != corev1.PodRunning {
				t.Errorf("%s: the Pod %s has uid %s and resourceVersion %s and is %s", name, g.Name, g.UID, g.ResourceVersion, g.Status.Phase)
			}
		}
	}
}

// BenchmarkFromSnapshot measures how long a test waits for a cluster that begins with 2,000 Pods.
func BenchmarkFromSnapshot(b *testing.B) {
	file, _, _ := saved(b, 2000)
	for b.Loop() {
		one := &ending{TB: b}
		if _, err := connect(one, rowlocktest.FromSnapshot(file)).CoreV1().Pods("default").Get(b.Context(), "pod-7", metav1.GetOptions{}); err != nil {
			b.Fatal(err)
		}
		b.StopTimer()
		one.end()
		b.StartTimer()
	}
}

// BenchmarkFork measures how long a client waits for a fork of a cluster with 2,000 Pods.
func BenchmarkFork(b *testing.B) {
	_, config, client := saved(b, 2000)
	post(b, client, "POST", config.Host+"/rowlock/v1/forks", `{"name":"first"}`) // makes the template
	post(b, client, "DELETE", config.Host+"/rowlock/v1/forks/first", "")
	for b.Loop() {
		post(b, client, "POST", config.Host+"/rowlock/v1/forks", `{"name":"one"}`)
		post(b, client, "GET", config.Host+"/forks/one/api/v1/namespaces/default/pods/pod-7", "")
		b.StopTimer()
		post(b, client, "DELETE", config.Host+"/rowlock/v1/forks/one", "")
		b.StartTimer()
	}
}
