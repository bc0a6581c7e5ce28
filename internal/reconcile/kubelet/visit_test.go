package kubelet_test

import (
	"errors"
	"net/url"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/rowlock/rowlock/internal/emulator"
	"github.com/rowlock/rowlock/internal/reconcile/kubelet"
	"github.com/rowlock/rowlock/internal/reconcile/kubelet/podtest"
)

// TestVisit_RunsACommand runs commands in a Pod that has a machine and in one in closed form, which
// has one from then on.
func TestVisit_RunsACommand(t *testing.T) {
	t.Parallel()
	for _, c := range []corev1.Container{podtest.Nginx(), podtest.Named("nginx", podtest.Sh("sleep 3600"))} {
		w := podtest.New(t, podtest.Bound(c))
		w.Live(time.Minute)
		o := w.Command("nginx", "echo one; echo two >&2; echo kept >/tmp/f; exit 3")
		if string(o.Stdout) != "one\n" || string(o.Stderr) != "two\n" || !o.Ended || o.ExitCode != 3 {
			t.Errorf("%s: %q %q, ended %t with %d", c.Image, o.Stdout, o.Stderr, o.Ended, o.ExitCode)
		}
		w.Live(2 * time.Minute)
		if o := w.Command("nginx", "cat /tmp/f"); string(o.Stdout) != "kept\n" {
			t.Errorf("%s: the file holds %q", c.Image, o.Stdout)
		}
		w.Want("  0s Running ready 1/1 nginx=Running | Pulled, Created, Started")
	}
}

// TestVisit_TellsTheKubelet: what a command does to its Pod, the kubelet finds out.
func TestVisit_TellsTheKubelet(t *testing.T) {
	t.Parallel()
	w := podtest.New(t, podtest.Bound(podtest.Named("c", podtest.Sh("trap 'exit 4' TERM; while :; do sleep 1; done")), podtest.Restarting(corev1.RestartPolicyNever)))
	w.Live(time.Minute)
	left := w.Visit(func(v *kubelet.Visit) {
		if _, err := v.Machine.Execute(v.At, "c", emulator.Command{Argv: []string{"sh", "-c", "sleep 5; kill 1"}}); err != nil {
			t.Fatal(err)
		}
		v.Run()
	})
	if want := w.Now.Add(6 * time.Second); left.Wake.Before(want.Add(-time.Second)) || left.Wake.After(want.Add(time.Second)) {
		t.Errorf("the kubelet is woken %s from now", left.Wake.Sub(w.Now))
	}
	w.Live(2 * time.Minute)
	if s := w.Pod.Status.ContainerStatuses[0].State.Terminated; s == nil || s.ExitCode != 4 {
		t.Errorf("the container is %+v", w.Pod.Status.ContainerStatuses[0].State)
	}
	if _, err := kubelet.NewVisit(w.Snapshot()); !errors.Is(err, kubelet.ErrNotRunning) {
		t.Errorf("a Pod that has ended: %v", err)
	}
}

// TestVisit_FlowsAndListens has a command write more than its pipes hold.
func TestVisit_FlowsAndListens(t *testing.T) {
	t.Parallel()
	w := podtest.New(t, podtest.Bound(podtest.Named("c", podtest.Sh("sleep 3600"))))
	w.Live(time.Minute)
	id, got := 0, 0
	left := w.Visit(func(v *kubelet.Visit) {
		id, _ = v.Machine.Execute(v.At, "c", emulator.Command{Argv: []string{"sh", "-c", "sleep 10; yes | head -c 300000"}})
		v.Run()
		if o := v.Machine.Collect(v.At, id, 1000); o.Ended || len(o.Stdout) > 0 {
			t.Errorf("at first %q", o.Stdout)
		}
	})
	if d := left.Heard[id].Sub(w.Now); d < 10*time.Second || d > 11*time.Second {
		t.Errorf("something to hear after %s", d)
	}
	w.Now = w.Now.Add(11 * time.Second)
	ended := false
	for range 100 {
		w.Visit(func(v *kubelet.Visit) {
			o := v.Machine.Collect(v.At, id, 20_000)
			got, ended = got+len(o.Stdout), o.Ended
			v.Run()
		})
		if ended {
			break
		}
	}
	if got != 300_000 || !ended {
		t.Errorf("%d bytes, ended %t", got, ended)
	}
}

// TestVisit_Terminal types on the terminal of a command that reads lines.
func TestVisit_Terminal(t *testing.T) {
	t.Parallel()
	w := podtest.New(t, podtest.Bound(podtest.Named("c", podtest.Sh("sleep 3600"))))
	w.Live(time.Minute)
	var screen strings.Builder
	id, code := 0, 0
	typed := func(keys string) {
		w.Visit(func(v *kubelet.Visit) {
			if id == 0 {
				id, _ = v.Machine.Execute(v.At, "c", emulator.Command{Argv: []string{"sh", "-c", "while read l; do echo [$l]; done; sleep 99"}, Stdin: true, TTY: true})
			}
			v.Machine.Feed(v.At, id, []byte(keys))
			v.Run()
			o := v.Machine.Collect(v.At, id, 1000)
			screen.Write(o.Stdout)
			code = o.ExitCode
		})
	}
	typed("ax\x7fb\r")
	typed("\x04")
	typed("\x03")
	if want := "ax\b \bb\r\n[ab]\r\n^C"; screen.String() != want || code != 130 {
		t.Errorf("the screen has %q, the exit code is %d", screen.String(), code)
	}
}

// TestVisit_ServesNow has a server answer a request at the time of the visit, though nothing has
// happened in its machine for an hour: what it then asks others for has time to be answered.
func TestVisit_ServesNow(t *testing.T) {
	t.Parallel()
	c := podtest.Named("c", corev1.Container{Image: "registry.k8s.io/e2e-test-images/agnhost:2.55", Args: []string{"netexec"}})
	w := podtest.New(t, podtest.Bound(c))
	w.Live(time.Minute)
	w.Command("c", "true") // it has a machine from now on
	w.Live(time.Hour)
	w.Visit(func(v *kubelet.Visit) {
		a := v.Serve(emulator.Query{Kind: emulator.QueryHTTP, Port: 8080, Method: "GET", Path: "/"})
		if now := "NOW: " + v.At.UTC().Format("2006-01-02 15:04:05"); !strings.HasPrefix(string(a.Body), now) {
			t.Errorf("the answer is %q, want %q", a.Body, now)
		}
		v.Serve(emulator.Query{Kind: emulator.QueryHTTP, Port: 8080, Method: "GET", Path: "/dial?host=10.9.9.9&port=80&request=x"})
		v.Run()
		if asked := v.Machine.Queries(); len(asked) != 1 || !v.Waits() {
			t.Errorf("it asks others %v, and waits for the kubelet: %t", asked, v.Waits())
		}
	})
}

// TestVisit_LongSteps: while the clock is stopped, a program whose steps take longer than an
// instant continues in visits and while it serves.
func TestVisit_LongSteps(t *testing.T) {
	t.Parallel()
	c := podtest.Named("c", corev1.Container{Image: "registry.k8s.io/e2e-test-images/agnhost:2.55", Args: []string{"netexec"}})
	w := podtest.New(t, podtest.Bound(c))
	w.Live(time.Minute)
	script := "yes " + strings.Repeat("a", 65) + " | head -c 60000 | sed -n -e s/a*a*a*b/x/p -e s/a*a*b/x/p; echo over"
	request, session := 0, 0
	w.Visit(func(v *kubelet.Visit) {
		request = v.Serve(emulator.Query{Kind: emulator.QueryHTTP, Port: 8080, Method: "GET", Path: "/shell?cmd=" + emulator.Text(url.QueryEscape(script))}).Later
		var err error
		if session, err = v.Machine.Execute(v.At, "c", emulator.Command{Argv: []string{"sh", "-c", script}}); err != nil {
			t.Fatal(err)
		}
	})
	if p := kubelet.Reconcile(w.Snapshot()); p.Memory != nil {
		w.Memory = p.Memory
	}
	var wrote, served string
	for n := 0; wrote == "" || served == ""; n++ {
		if n > 30 {
			t.Fatalf("after %d visits the command has written %q, the server %q", n, wrote, served)
		}
		w.Visit(func(v *kubelet.Visit) {
			v.Run()
			wrote += string(v.Machine.Collect(v.At, session, 1000).Stdout)
			if a, done := v.Machine.Reply(request); done {
				served = string(a.Body)
			}
		})
	}
	if wrote != "over\n" || !strings.Contains(served, "over") {
		t.Errorf("the command has written %q, the server %q", wrote, served)
	}
}
