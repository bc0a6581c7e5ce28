package chaos_test

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	coreinformers "k8s.io/client-go/informers/core/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/clientcmd"

	"github.com/rowlock/rowlock/internal/pg/pgtest"
	"github.com/rowlock/rowlock/test/childprocess"
)

// frontTimeout is far more than anything below takes.
const frontTimeout = 2 * time.Minute

// The deployment of docker-compose.yml, with plain processes: PostgreSQL, two replicas that share
// credentials created at their first start, and HAProxy with the same file that the compose file
// uses. A replica is killed in the middle of a rollout: clients of the one address continue, and so
// do their watches. It comes back, is found healthy, and serves alone when the other one is killed.
func TestFront_OneAddressForTwoReplicas(t *testing.T) {
	f := newFront(t)
	f.kubectl("create", "deployment", "web", "--image=nginx:1.28", "--replicas=20")
	f.kubectl("rollout", "status", "deployment/web", "--timeout=60s")
	if code := f.status("Bearer of-nobody"); code != http.StatusUnauthorized {
		t.Errorf("a token that nobody has is answered with %d, want 401", code)
	}
	if code := f.status(""); code != http.StatusUnauthorized {
		t.Errorf("who has no token is answered with %d, want 401", code)
	}
	if out, err := f.run("--token=of-nobody", "get", "pods"); err == nil || !strings.Contains(out, "Unauthorized") && !strings.Contains(out, "logged in") {
		t.Errorf("kubectl with another token: %v, %s", err, out)
	}
	seen := f.watchPods()

	f.kubectl("set", "image", "deployment/web", "nginx=nginx:1.29")
	f.replicas[0].kill()
	f.kubectl("rollout", "status", "deployment/web", "--timeout=60s")
	seen("20 Pods of the new image", func(pods []*corev1.Pod) bool { return running(pods, "nginx:1.29") == 20 })

	f.await("replica-1 is found dead", func() bool { return f.log.Contains("Server replicas/replica-1 is DOWN") })
	f.replicas[0].start()
	f.await("replica-1 is found healthy", func() bool { return f.log.Contains("Server replicas/replica-1 is UP") })
	f.replicas[1].kill()
	f.await("replica-2 is found dead", func() bool { return f.log.Contains("Server replicas/replica-2 is DOWN") })
	f.kubectl("scale", "deployment/web", "--replicas=7")
	f.kubectl("rollout", "status", "deployment/web", "--timeout=60s")
	seen("7 Pods after scaling", func(pods []*corev1.Pod) bool { return running(pods, "nginx:1.29") == 7 && len(pods) == 7 })
}

// running counts the running Pods of an image that are not being deleted.
func running(pods []*corev1.Pod, image string) (n int) {
	for _, p := range pods {
		if p.Status.Phase == corev1.PodRunning && p.DeletionTimestamp == nil && p.Spec.Containers[0].Image == image {
			n++
		}
	}
	return n
}

// front is HAProxy with two replicas behind it.
type front struct {
	t           *testing.T
	address     string
	credentials string // the directory that the replicas share
	program     string // kubectl
	replicas    []*behind
	log         childprocess.Log
}

// behind is a replica behind the front.
type behind struct {
	*front
	name, database, listen string
	cmd                    *exec.Cmd
}

func newFront(t *testing.T) *front {
	t.Helper()
	proxy, err := exec.LookPath("haproxy")
	if err != nil {
		if proxy, err = exec.LookPath("/usr/sbin/haproxy"); err != nil {
			t.Fatal("HAProxy is not installed: make deps")
		}
	}
	f := &front{t: t, address: freeAddress(t), credentials: filepath.Join(t.TempDir(), "credentials"), program: kubectlProgram(t)}
	t.Cleanup(func() {
		if t.Failed() {
			t.Logf("the processes logged:\n%s", f.log.Tail(10_000))
		}
	})
	database := pgtest.NewURL(t)
	for i := range 2 {
		r := &behind{front: f, name: fmt.Sprintf("replica-%d", i+1), database: database, listen: freeAddress(t)}
		t.Cleanup(r.kill)
		f.replicas = append(f.replicas, r)
	}
	var both sync.WaitGroup // they create their credentials at the same time
	for _, r := range f.replicas {
		both.Go(r.start)
	}
	both.Wait()
	if t.Failed() {
		t.FailNow()
	}
	haproxy := exec.Command(proxy, "-db", "-f", "../../deploy/haproxy.cfg")
	haproxy.Env = append(os.Environ(), "ROWLOCK_FRONT="+f.address, "ROWLOCK_REPLICA_1="+f.replicas[0].listen, "ROWLOCK_REPLICA_2="+f.replicas[1].listen)
	haproxy.Stdout, haproxy.Stderr = &f.log, &f.log
	if err := haproxy.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = haproxy.Process.Kill() // it may have ended
		_ = haproxy.Wait()         // killed, as its status says
	})
	f.await("the front passes requests on", func() bool { return f.status("") == http.StatusUnauthorized })
	return f
}

// start starts the replica and waits until it is ready. Any goroutine may call it.
func (r *behind) start() {
	path, err := binary()
	if err != nil {
		r.t.Error(err)
		return
	}
	r.cmd = exec.Command(path, "serve", "--listen="+r.listen, "--credentials-dir="+r.credentials, "--log-level=warn")
	r.cmd.Env = append(os.Environ(), "DATABASE_URL="+r.database, "ROWLOCK_EXTERNAL_URL=https://"+r.address, "ROWLOCK_TLS_SAN=front")
	r.cmd.Stderr = &r.log
	out, err := r.cmd.StdoutPipe()
	if err != nil {
		r.t.Error(err)
		return
	}
	if err := r.cmd.Start(); err != nil {
		r.t.Error(err)
		return
	}
	ready, err := childprocess.AwaitReady(out, frontTimeout)
	if err != nil {
		r.t.Errorf("%s: %v", r.name, err)
	} else if ready.URL != "https://"+r.address {
		r.t.Errorf("%s says that it is ready under %s, not under the front's address", r.name, ready.URL)
	}
}

// kill sends SIGKILL. A second kill finds no process.
func (r *behind) kill() {
	if r.cmd != nil && r.cmd.Process != nil {
		_ = r.cmd.Process.Kill() // it may have ended
		_ = r.cmd.Wait()         // killed, as its status says
	}
	r.cmd = nil
}

// await waits until a condition holds.
func (f *front) await(what string, holds func() bool) {
	f.t.Helper()
	for deadline := time.Now().Add(frontTimeout); !holds(); time.Sleep(50 * time.Millisecond) {
		if time.Now().After(deadline) {
			f.t.Fatalf("it did not happen: %s", what)
		}
	}
}

// status returns the front's status code for a list of Pods, 0 if it does not answer.
func (f *front) status(authorization string) int {
	pool := x509.NewCertPool()
	if text, err := os.ReadFile(filepath.Join(f.credentials, "ca.crt")); err != nil || !pool.AppendCertsFromPEM(text) {
		f.t.Fatalf("the authority's certificate: %v", err)
	}
	transport := &http.Transport{TLSClientConfig: &tls.Config{RootCAs: pool}}
	defer transport.CloseIdleConnections()
	req, err := http.NewRequestWithContext(f.t.Context(), http.MethodGet, "https://"+f.address+"/api/v1/pods", nil)
	if err != nil {
		f.t.Fatal(err)
	}
	if authorization != "" {
		req.Header.Set("Authorization", authorization)
	}
	res, err := (&http.Client{Transport: transport, Timeout: 10 * time.Second}).Do(req)
	if err != nil {
		return 0
	}
	_ = res.Body.Close() // only its status matters
	return res.StatusCode
}

// run runs kubectl with the kubeconfig that the replicas created.
func (f *front) run(args ...string) (string, error) {
	ctx, cancel := context.WithTimeout(f.t.Context(), frontTimeout)
	defer cancel()
	command := exec.CommandContext(ctx, f.program, append([]string{"--kubeconfig=" + filepath.Join(f.credentials, "kubeconfig"), "--cache-dir=" + filepath.Join(f.credentials, "cache")}, args...)...)
	out, err := command.CombinedOutput()
	return string(out), err
}

// kubectl runs a command that must succeed. It retries a command that finds no replica behind the
// address, in the moment before the proxy notices that one is dead.
func (f *front) kubectl(args ...string) {
	f.t.Helper()
	var out string
	var err error
	for range 5 {
		if out, err = f.run(args...); err == nil {
			return
		}
		f.log.Write([]byte(fmt.Sprintf("kubectl %s: %s\n", strings.Join(args, " "), out))) //nolint:errcheck // never fails
	}
	f.t.Fatalf("kubectl %s: %v\n%s", strings.Join(args, " "), err, out)
}

// watchPods follows the Pods through the front from now on. The function that it returns waits
// until what was seen of them satisfies a condition.
func (f *front) watchPods() func(what string, holds func([]*corev1.Pod) bool) {
	f.t.Helper()
	config, err := clientcmd.BuildConfigFromFlags("", filepath.Join(f.credentials, "kubeconfig"))
	if err != nil {
		f.t.Fatal(err)
	}
	informer := coreinformers.NewPodInformer(kubernetes.NewForConfigOrDie(config), metav1.NamespaceDefault, 0, nil)
	var running sync.WaitGroup
	running.Go(func() { informer.RunWithContext(f.t.Context()) })
	f.t.Cleanup(running.Wait) // the test's context has ended by then
	f.await("the Pods are listed", informer.HasSynced)
	return func(what string, holds func([]*corev1.Pod) bool) {
		f.t.Helper()
		f.await(what, func() bool {
			var all []*corev1.Pod
			for _, o := range informer.GetStore().List() {
				all = append(all, o.(*corev1.Pod))
			}
			return holds(all)
		})
	}
}

// kubectlProgram returns the kubectl to test with.
func kubectlProgram(t *testing.T) string {
	t.Helper()
	path, err := childprocess.Kubectl()
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// freeAddress returns an address on which nothing listens.
func freeAddress(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close() //nolint:errcheck // it was only asked for its address
	return l.Addr().String()
}
