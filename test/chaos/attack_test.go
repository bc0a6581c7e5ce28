package chaos_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/rowlock/rowlock/internal/pg/pgtest"
)

// target is a process that some of its clients attack while others keep working.
type target struct {
	*clients
	url  string
	http *http.Client
}

func newTarget(t *testing.T) *target {
	t.Helper()
	return newTargetOf(t, http.DefaultClient)
}

// newTargetOf starts the process with further flags, for a client that can reach it then.
func newTargetOf(t *testing.T, client *http.Client, flags ...string) *target {
	t.Helper()
	f := newFleet(t, pgtest.NewURL(t), 1, flags...)
	return &target{newClients(f), f.replicas[0].url, client}
}

// attackTimeout bounds each request of these tests: it is far more than any takes on a busy
// machine.
const attackTimeout = time.Minute

// send sends a request and returns the answer's status and the first 64 KiB of its body. It reads
// and drops the rest.
func (a *target) send(method, path, body string, header ...string) (code int, start string) {
	ctx, cancel := context.WithTimeout(context.Background(), attackTimeout)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, method, a.url+path, strings.NewReader(body))
	if err != nil {
		a.t.Error(err)
		return 0, ""
	}
	for _, h := range header {
		name, value, _ := strings.Cut(h, ": ")
		req.Header.Set(name, value)
	}
	res, err := a.http.Do(req)
	if err != nil {
		a.t.Errorf("%s %s: %v", method, path, err)
		return 0, ""
	}
	defer res.Body.Close() //nolint:errcheck // it was read to its end
	text, err := io.ReadAll(io.LimitReader(res.Body, 64<<10))
	if err == nil {
		_, err = io.Copy(io.Discard, res.Body)
	}
	if err != nil {
		a.t.Errorf("%s %s: %v", method, path, err)
	}
	return res.StatusCode, string(text)
}

// memory returns the most memory that the process has had from the operating system: this figure
// never decreases.
func (a *target) memory() int64 {
	a.t.Helper()
	return int64(a.metric("go_memstats_sys_bytes"))
}

// metric returns the value of a metric, given with its labels.
func (a *target) metric(name string) float64 {
	a.t.Helper()
	_, text := a.send(http.MethodGet, "/metrics", "")
	for line := range strings.Lines(text) {
		if value, ok := strings.CutPrefix(strings.TrimSpace(line), name+" "); ok {
			number, err := strconv.ParseFloat(value, 64)
			if err != nil {
				a.t.Fatal(err)
			}
			return number
		}
	}
	a.t.Fatalf("the metrics have no %s", name)
	return 0
}

// while runs attackers until each has returned, and an everyday client all the time: health is
// reported, and objects are created, read and deleted, each at the first attempt.
func (a *target) while(attackers ...func()) {
	a.t.Helper()
	var busy sync.WaitGroup
	var ended atomic.Bool
	for _, attack := range attackers {
		busy.Go(attack)
	}
	go func() { busy.Wait(); ended.Store(true) }()
	for rounds := 0; rounds < 2 || !ended.Load(); rounds++ {
		a.everyday(rounds)
	}
}

func (a *target) everyday(round int) {
	a.t.Helper()
	name := fmt.Sprintf("everyday-%d", round)
	for _, step := range []struct {
		method, path, body string
		code               int
	}{
		{http.MethodGet, "/readyz", "", http.StatusOK},
		{http.MethodPost, configMapsPath, `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"` + name + `"}}`, http.StatusCreated},
		{http.MethodGet, configMapsPath + "/" + name, "", http.StatusOK},
		{http.MethodDelete, configMapsPath + "/" + name, "", http.StatusOK},
	} {
		if code, body := a.send(step.method, step.path, step.body, asJSON); code != step.code {
			a.t.Errorf("%s %s is answered with %d %.300s; want %d", step.method, step.path, code, body, step.code)
		}
	}
}

const (
	configMapsPath = "/api/v1/namespaces/default/configmaps"
	podsPath       = "/api/v1/namespaces/default/pods"
	asJSON         = "Content-Type: application/json"
)

// repeated joins n pieces, each made from its number.
func repeated(n int, piece string) string {
	all := make([]string, n)
	for i := range all {
		all[i] = strings.ReplaceAll(piece, "#", strconv.Itoa(i))
	}
	return strings.Join(all, ",")
}

// TestAttack_Reader: a user who may only read requests long lists in the expensive forms, many at
// once, and watches that it never reads. Lists are answered or put off, their memory is bounded,
// and others are served.
func TestAttack_Reader(t *testing.T) {
	a := newTarget(t)
	const megabytes, lists, watches = 2, 60, 150
	for i := range megabytes {
		body := fmt.Sprintf(`{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"large-%d"},"data":{"a":"%s"}}`, i, strings.Repeat("x", 1<<20-64))
		if code, text := a.send(http.MethodPost, configMapsPath, body, asJSON); code != http.StatusCreated {
			t.Fatalf("answered %d %.300s", code, text)
		}
	}
	before := a.memory()
	for range watches {
		conn, err := net.Dial("tcp", strings.TrimPrefix(a.url, "http://"))
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = conn.Close() }) // the server may have closed it first
		_, err = fmt.Fprintf(conn, "GET /api/v1/configmaps?watch=true HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
		if err == nil {
			_, err = bufio.NewReaderSize(conn, 16).ReadByte() // the watch has begun
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	var answered, putOff atomic.Int64
	attackers := make([]func(), 0, lists)
	for i := range lists {
		attackers = append(attackers, func() {
			path, header := "/api/v1/configmaps", "Accept: application/yaml"
			if i%2 == 1 {
				path, header = "/api/v1/configmaps?pretty=true", "Accept: application/json"
			}
			switch code, body := a.send(http.MethodGet, path, "", header); code {
			case http.StatusOK:
				answered.Add(1)
			case http.StatusTooManyRequests:
				putOff.Add(1)
			default:
				t.Errorf("a list is answered with %d %.300s", code, body)
			}
		})
	}
	a.while(attackers...)
	grown := a.memory() - before
	t.Logf("%d lists answered, %d put off, %d MB of memory", answered.Load(), putOff.Load(), grown>>20)
	if answered.Load() == 0 {
		t.Error("no list was answered")
	}
	if most := int64(350 << 20); grown > most {
		t.Errorf("the readers made the process take %d MB", grown>>20)
	}
}

// TestAttack_Writer: bodies and patches whose cost could grow with the square of their length are
// refused, or processed at a bounded cost, and others are served.
func TestAttack_Writer(t *testing.T) {
	a := newTarget(t)
	const (
		services  = "/api/v1/namespaces/default/services"
		strategic = "Content-Type: application/strategic-merge-patch+json"
		jsonPatch = "Content-Type: application/json-patch+json"
		dry       = "?dryRun=All"
	)
	pod := func(containers string) string {
		return `{"apiVersion":"v1","kind":"Pod","metadata":{"name":"victim"},"spec":{"containers":[` + containers + `]}}`
	}
	service := func(ports int) string {
		return `{"apiVersion":"v1","kind":"Service","metadata":{"name":"a"},"spec":{"type":"NodePort","ports":[` + repeated(ports, `{"name":"p#","port":1#}`) + `]}}`
	}
	named := func(n int) string { return `{"spec":{"containers":[` + repeated(n, `{"name":"c#"}`) + `]}}` }
	if code, text := a.send(http.MethodPost, podsPath, pod(`{"name":"c","image":"example.com/a"}`), asJSON); code != http.StatusCreated {
		t.Fatalf("answered %d %.300s", code, text)
	}
	before := a.memory()
	attackers := make([]func(), 0, 24)
	for _, tt := range []struct {
		name, method, path, body, header string
		code                             int
	}{
		{"errors of 60,000 containers", http.MethodPost, podsPath + dry, pod(repeated(60_000, `{}`)), asJSON, 422},
		{"10,000 wrong keys", http.MethodPost, configMapsPath + dry, `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a"},"data":{` + repeated(10_000, `"!#":""`) + `}}`, asJSON, 422},
		{"10,000 containers by a strategic merge patch", http.MethodPatch, podsPath + "/victim" + dry, named(10_000), strategic, 413},
		{"900 containers by a strategic merge patch", http.MethodPatch, podsPath + "/victim" + dry, named(900), strategic, 422},
		{"10,000 operations of a JSON patch at the front", http.MethodPatch, podsPath + "/victim" + dry,
			`[{"op":"add","path":"/metadata/finalizers","value":[]},` + repeated(9_999, `{"op":"add","path":"/metadata/finalizers/0","value":"example.com/f"}`) + `]`, jsonPatch, 200},
		{"all node ports", http.MethodPost, services + dry, service(2768), asJSON, 201},
		{"one node port too many", http.MethodPost, services + dry, service(2769), asJSON, 422},
	} {
		for range 3 {
			attackers = append(attackers, func() {
				if code, body := a.send(tt.method, tt.path, tt.body, tt.header); code != tt.code {
					t.Errorf("%s: answered %d %.300s; want %d", tt.name, code, body, tt.code)
				}
			})
		}
	}
	a.while(attackers...)
	grown := a.memory() - before
	t.Logf("%d MB of memory", grown>>20)
	if grown > 800<<20 { // three bodies of 60,000 containers at a time take 350 to 520 MB
		t.Errorf("the writers made the process take %d MB", grown>>20)
	}
}

// poisons are scripts that each kept a worker busy for seconds to hours, in a single step of a
// program, when steps did not measure the work done.
var poisons = []string{
	`s=$(head -c 200000 /dev/zero | tr "\0" a); t=${s//a*b/}`,
	`s=$(head -c 200000 /dev/zero | tr "\0" a); t=${s/b*b/}`,
	`head -c 1000000 /dev/zero | tr "\0" a | grep -E '(a|b){1000}(a|c){1000}z'`,
	`head -c 2000 /dev/zero | tr "\0" a | grep -E "$(printf '.{0,1000}%.0s' $(seq 40))b"`,
	`echo x | sed ':a;s/$/x/;ta' | wc -c`,
	`echo x | sed ':a;s/x/xx/;ta'`,
	`head -c 1000000 /dev/zero | tr "\0" a | sed ':a;y/ab/ba/;ba'`,
	`head -c 1000000 /dev/zero | tr "\0" x | awk '{ for (i = 0; i < 60000; i++) if (match($0, /x*z/)) exit }'`,
	`head -c 1000000 /dev/zero | tr "\0" x | awk '{ for (i = 0; i < 60000; i++) $1 = i }'`,
	`awk 'BEGIN { for (i = 0; i < 60000; i++) if ("x" ~ ("a" i "(b|c){90}")) exit }'`,
	`i=0; while [ $i -lt 20000 ]; do mkdir d; cd d; i=$((i+1)); done`,
	`i=0; while [ $i -lt 3000 ]; do : > /tmp/f$i; i=$((i+1)); done; echo /*/../*/../*/../*/../*/../*/../*/../*/../*/..`,
	`while :; do :; done`,
}

// TestAttack_Pods: Pods that want all of the kubelet's time get a share of it. Pods that are
// created after them run and end.
func TestAttack_Pods(t *testing.T) {
	a := newTarget(t)
	const good = 5
	for i, script := range poisons {
		a.createPod(fmt.Sprintf("poison-%d", i), script)
	}
	a.await("a poison runs", func(pods []corev1.Pod) bool { return started(pods, "poison-") > 0 })
	for i := range good {
		a.createPod(fmt.Sprintf("good-%d", i), "echo hello")
	}
	a.while(func() {
		a.await("all other Pods have ended well", func(pods []corev1.Pod) bool {
			return succeeded(pods, "good-") == good
		})
	})
	for i := range poisons {
		ctx, cancel := context.WithTimeout(context.Background(), attackTimeout)
		if err := a.any().CoreV1().Pods(namespace).Delete(ctx, fmt.Sprintf("poison-%d", i), metav1.DeleteOptions{}); err != nil && !apierrors.IsNotFound(err) {
			t.Error(err)
		}
		cancel()
	}
	a.await("the poisons are gone", func(pods []corev1.Pod) bool {
		for _, p := range pods {
			if strings.HasPrefix(p.Name, "poison-") {
				return false
			}
		}
		return true
	})
}

// createPod creates a Pod that runs a script once.
func (a *target) createPod(name, script string) {
	a.t.Helper()
	pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: name}, Spec: corev1.PodSpec{
		RestartPolicy: corev1.RestartPolicyNever, TerminationGracePeriodSeconds: new(int64(0)),
		Containers: []corev1.Container{{Name: "c", Image: "bash:5", Command: []string{"bash", "-c", script}}},
	}}
	ctx, cancel := context.WithTimeout(context.Background(), attackTimeout)
	defer cancel()
	if _, err := a.any().CoreV1().Pods(namespace).Create(ctx, pod, metav1.CreateOptions{}); err != nil {
		a.t.Fatal(err)
	}
}

// succeeded counts the Pods with a name prefix that have succeeded.
func succeeded(pods []corev1.Pod, prefix string) (n int) {
	for _, p := range pods {
		if strings.HasPrefix(p.Name, prefix) && p.Status.Phase == corev1.PodSucceeded {
			n++
		}
	}
	return n
}

// started counts the Pods with a name prefix that are beyond Pending.
func started(pods []corev1.Pod, prefix string) (n int) {
	for _, p := range pods {
		if strings.HasPrefix(p.Name, prefix) && p.Status.Phase != corev1.PodPending {
			n++
		}
	}
	return n
}

// await lists the Pods until they are as wanted. Any goroutine may call it.
func (a *target) await(what string, wanted func([]corev1.Pod) bool) {
	for deadline := time.Now().Add(patience); time.Now().Before(deadline); time.Sleep(50 * time.Millisecond) {
		ctx, cancel := context.WithTimeout(context.Background(), attackTimeout)
		list, err := a.any().CoreV1().Pods(namespace).List(ctx, metav1.ListOptions{})
		cancel()
		if err != nil {
			a.t.Errorf("%s: %v", what, err)
			return
		}
		if wanted(list.Items) {
			return
		}
	}
	a.t.Errorf("%s: not after %s", what, patience)
}
