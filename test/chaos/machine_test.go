package chaos_test

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"

	"github.com/rowlock/rowlock/internal/pg/pgtest"
)

// counts is how far the programs of these tests count, once a second.
const counts = 12

// createCounter creates a Pod that counts into its log, with a number drawn by the Pod after each
// line, and for each sends a request to a URL, to which it appends its name.
func (c *clients) createCounter(name, at string) {
	c.t.Helper()
	script := fmt.Sprintf(`i=0; while [ $i -lt %d ]; do i=$((i+1)); echo "$i" >> /v/count; wget -T 50 -qO /dev/null "%s%s-$i" || echo lost;`+
		` echo "$i $RANDOM $(wc -l < /v/count)"; sleep 1; done`, counts, at, name)
	do(c, "pods", func(ctx context.Context, client kubernetes.Interface) (*corev1.Pod, error) {
		pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: name}, Spec: corev1.PodSpec{
			RestartPolicy: corev1.RestartPolicyNever,
			Volumes:       []corev1.Volume{{Name: "v", VolumeSource: corev1.VolumeSource{EmptyDir: &corev1.EmptyDirVolumeSource{}}}},
			Containers: []corev1.Container{{
				Name: "c", Image: "busybox", Command: []string{"sh", "-c", script}, VolumeMounts: []corev1.VolumeMount{{Name: "v", MountPath: "/v"}},
			}},
		}}
		created, err := client.CoreV1().Pods(namespace).Create(ctx, pod, metav1.CreateOptions{})
		if err != nil {
			if there, lookup := client.CoreV1().Pods(namespace).Get(ctx, name, metav1.GetOptions{}); lookup == nil {
				return there, nil // an attempt whose answer was lost
			}
		}
		return created, err
	})
}

// createServer creates a Pod that serves, and returns its address.
func (c *clients) createServer(name, image string, args ...string) string {
	c.t.Helper()
	pod, ok := do(c, "pods", func(ctx context.Context, client kubernetes.Interface) (*corev1.Pod, error) {
		_, err := client.CoreV1().Pods(namespace).Create(ctx, &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: name}, Spec: corev1.PodSpec{
			Containers: []corev1.Container{{Name: "c", Image: image, Args: args}},
		}}, metav1.CreateOptions{})
		if err != nil && !apierrors.IsAlreadyExists(err) {
			return nil, err
		}
		for {
			pod, err := client.CoreV1().Pods(namespace).Get(ctx, name, metav1.GetOptions{})
			if err != nil || pod.Status.Phase == corev1.PodRunning {
				return pod, err
			}
			time.Sleep(50 * time.Millisecond)
		}
	})
	if !ok {
		c.t.FailNow()
	}
	return pod.Status.PodIP
}

// readLog reads a Pod's log, with its times, from one of the replicas; ok is false if none answers.
func (c *clients) readLog(name string) (log string, ok bool) {
	client := c.any()
	if client == nil {
		return "", false
	}
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	raw, err := client.CoreV1().Pods(namespace).GetLogs(name, &corev1.PodLogOptions{Timestamps: true}).DoRaw(ctx)
	return string(raw), err == nil
}

// TestKill_ProgramsGoOn: programs continue on other replicas as if nothing had happened. Whichever
// replica is asked, and whenever, a log only grows, and in the end each line has been written once,
// at its second, and the server has received each request once, including those that a relay holds
// while it sends them.
func TestKill_ProgramsGoOn(t *testing.T) {
	c := newClients(newFleet(t, pgtest.NewURL(t), 3))
	pods, server := names("counter", 8), c.createServer("server", "nginx:1.28")
	relay := c.createServer("relay", "registry.k8s.io/e2e-test-images/agnhost:2.63.0", "netexec")
	for i, name := range pods {
		at := "http://" + server + "/?"
		if i%2 == 1 {
			at = "http://" + relay + ":8080/dial?host=" + server + "&port=80&request=?"
		}
		c.createCounter(name, at)
	}
	var mu sync.Mutex
	longest := map[string]string{}
	stop := load(pods, func(name string) {
		time.Sleep(20 * time.Millisecond)
		log, ok := c.readLog(name)
		if !ok {
			return
		}
		mu.Lock()
		defer mu.Unlock()
		short, long := log, longest[name]
		if len(short) > len(long) {
			short, long = long, short
		}
		if !strings.HasPrefix(long, short) {
			t.Errorf("the log of %s was once\n%s\nand once\n%s", name, short, long)
		}
		longest[name] = long
	})
	c.killOneAtATime((kills(t) + 1) / 2)
	for _, name := range pods {
		do(c, "pods", func(ctx context.Context, client kubernetes.Interface) (*corev1.Pod, error) {
			for {
				pod, err := client.CoreV1().Pods(namespace).Get(ctx, name, metav1.GetOptions{})
				if err != nil || pod.Status.Phase == corev1.PodSucceeded {
					return pod, err
				}
				if pod.Status.Phase == corev1.PodFailed {
					t.Errorf("%s has failed: %+v", name, pod.Status.ContainerStatuses)
					return pod, nil
				}
				time.Sleep(50 * time.Millisecond)
			}
		})
	}
	stop()
	for n, name := range pods {
		latest := 100 * time.Millisecond
		if n%2 == 1 {
			latest = 10 * time.Second // once a relay has taken a call, its caller pauses for only a second
		}
		log, ok := c.readLog(name)
		lines := strings.Split(strings.TrimSuffix(log, "\n"), "\n")
		if !ok || len(lines) != counts || !strings.HasPrefix(log, longest[name]) {
			t.Errorf("the log of %s is\n%s\nand was\n%s", name, log, longest[name])
			continue
		}
		var last time.Time
		for i, line := range lines {
			stamp, text, _ := strings.Cut(line, " ")
			at, err := time.Parse(time.RFC3339Nano, stamp)
			number, drawn, _ := strings.Cut(text, " ")
			drawn, size, _ := strings.Cut(drawn, " ")
			late := at.Sub(last) - time.Second
			if err != nil || number != fmt.Sprint(i+1) || strings.TrimSpace(size) != number || drawn == "" || i > 0 && (late < 0 || late > latest) {
				t.Errorf("line %d of %s is %q, after %v", i+1, name, line, last)
			}
			last = at
		}
	}
	requests, ok := c.readLog("server")
	for _, name := range pods {
		for i := range counts {
			if n := strings.Count(requests, fmt.Sprintf("GET /?%s-%d HTTP", name, i+1)); !ok || n != 1 {
				t.Errorf("the server has had request %d of %s %d times", i+1, name, n)
			}
		}
	}
}
