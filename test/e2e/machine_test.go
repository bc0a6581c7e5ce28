package e2e_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
)

// script returns the end of a container's manifest that runs a shell script.
func script(text string) string { return ", command: [sh, -c, '" + text + "']" }

// logOf returns the output of a Pod's container so far, "" for none.
func (f *front) logOf(ns, name, query string) string {
	f.Helper()
	code, body := f.send(http.MethodGet, listPath(pods, ns)+"/"+name+"/log?"+query, "", "")
	if code != http.StatusOK {
		return ""
	}
	return string(body)
}

// awaitLog waits until a Pod's container has written something.
func (f *front) awaitLog(ns, name, query, want string) {
	f.Helper()
	got := ""
	for deadline := time.Now().Add(patience); time.Now().Before(deadline); time.Sleep(50 * time.Millisecond) {
		if got = f.logOf(ns, name, query); strings.Contains(got, want) {
			return
		}
	}
	f.Fatalf("the log of %s does not have %q within %v, but:\n%s", name, want, patience, got)
}

func TestMachine(t *testing.T) {
	t.Parallel()
	onEach(t, func(f *front) {
		f.run("POD-010 a hook that outlasts the grace gets two seconds more", func(f *front) { podHook(f, f.namespace("pod-010")) })
		f.run("POD-011 TERM for all, and KILL for what is left", func(f *front) { podTerm(f, f.namespace("pod-011")) })
		f.run("POD-017 a Pod's name is its hostname", func(f *front) {
			ns := f.namespace("pod-017")
			f.must(f.create(ns, pod("p", script(`echo "$HOSTNAME $(cat /etc/hostname) $(hostname)"; exec sleep 3600`), "")))
			f.must(f.create(ns, pod("other", script(`echo "$HOSTNAME $(hostname)"; exec sleep 3600`), "hostname: chosen")))
			f.awaitLog(ns, "p", "", "p p p\n")
			f.awaitLog(ns, "other", "", "chosen chosen\n")
		})
		f.run("POD-018 a volume is as old as the Pod", func(f *front) {
			ns := f.namespace("pod-018")
			manifest := pod("p", script(`if test -e /v/f; then echo old; exec sleep 3600; fi; echo fresh; touch /v/f; exit 1`)+
				`, volumeMounts: [{name: v, mountPath: /v}]`, "volumes: [{name: v, emptyDir: {}}]")
			for range 2 {
				f.must(f.create(ns, manifest))
				f.awaitLog(ns, "p", "previous=true", "fresh\n")
				f.awaitLog(ns, "p", "", "old\n")
				f.must(f.remove(pods, ns, "p", force))
			}
		})
		f.run("two containers share a volume and an address", func(f *front) {
			ns := f.namespace("shared")
			f.must(f.create(ns, `apiVersion: v1
kind: Pod
metadata: {name: p}
spec:
  restartPolicy: Never
  volumes: [{name: v, emptyDir: {}}]
  containers:
  - {name: writer, image: debian, command: [sh, -c, "sleep 2; echo Hello from the debian container > /pod-data/index.html"], volumeMounts: [{name: v, mountPath: /pod-data}]}
  - {name: reader, image: busybox, command: [sh, -c, "until cat /data/index.html 2>/dev/null; do sleep 1; done"], volumeMounts: [{name: v, mountPath: /data}]}
  - {name: web, image: nginx, volumeMounts: [{name: v, mountPath: /usr/share/nginx/html}]}
  - {name: client, image: busybox, command: [sh, -c, "until wget -qO- http://localhost/; do sleep 1; done"]}
`))
			f.awaitLog(ns, "p", "container=reader", "Hello from the debian container\n")
			f.awaitLog(ns, "p", "container=client", "Hello from the debian container\n")
		})
		f.run("a Secret that changes is refreshed in its volume", func(f *front) { podRefreshes(f, f.namespace("refresh")) })
		f.run("a container waits for what its environment is made of", func(f *front) { podLacks(f, f.namespace("lacks")) })
		f.run("Pods share the files of their node", func(f *front) { podHostPath(f, f.namespace("hostpath")) })
		f.run("probes read what programs do", func(f *front) { podProbes(f, f.namespace("probes")) })
	})
}

// finished returns when a container has ended, and its exit code.
func finished(p *corev1.Pod, container string) (at time.Time, code int32) {
	for _, s := range p.Status.ContainerStatuses {
		if s.Name == container && s.State.Terminated != nil {
			return s.State.Terminated.FinishedAt.Time, s.State.Terminated.ExitCode
		}
	}
	return time.Time{}, -1
}

// stays keeps a stopped Pod for the test to inspect.
const stays = "finalizers: [example.com/stay]"

func podHook(f *front, ns string) {
	const hook = `, lifecycle: {preStop: {exec: {command: [sleep, "3600"]}}}`
	f.must(f.create(ns, strings.Replace(pod("p", sleeps+hook, "terminationGracePeriodSeconds: 2"), "{name: p}", "{name: p, "+stays+"}", 1)))
	await(f, pods, ns, allReady(1))
	f.must(f.remove(pods, ns, "p", ""))
	p := awaitOne(f, pods, ns, "p", func(p *corev1.Pod) bool { _, code := finished(p, "c"); return code >= 0 })
	at, code := finished(p, "c")
	if late := at.Sub(p.DeletionTimestamp.Time); code != 137 || late < 2*time.Second || late > 3*time.Second {
		f.Errorf("it ended with %d, %v after the grace", code, late)
	}
	f.must(f.patch(pods, ns, "p", `{"metadata":{"finalizers":null}}`))
}

func podTerm(f *front, ns string) {
	f.must(f.create(ns, `apiVersion: v1
kind: Pod
metadata: {name: p, `+stays+`}
spec:
  terminationGracePeriodSeconds: 3
  containers:
  - {name: polite, image: busybox, command: [sh, -c, "trap 'echo bye; exit 0' TERM; echo ready; while true; do sleep 1; done"]}
  - {name: deaf, image: busybox, command: [sh, -c, "trap '' TERM; echo ready; while true; do sleep 1; done"]}
`))
	f.awaitLog(ns, "p", "container=polite", "ready")
	f.awaitLog(ns, "p", "container=deaf", "ready")
	f.must(f.remove(pods, ns, "p", ""))
	p := awaitOne(f, pods, ns, "p", func(p *corev1.Pod) bool { _, code := finished(p, "deaf"); return code >= 0 })
	first, polite := finished(p, "polite")
	last, deaf := finished(p, "deaf")
	if polite != 0 || deaf != 137 || last.Sub(first) < time.Second || last.Before(p.DeletionTimestamp.Time) {
		f.Errorf("the polite one ended with %d at %v, the deaf one with %d at %v, the grace at %v", polite, first, deaf, last, p.DeletionTimestamp)
	}
	if log := f.logOf(ns, "p", "container=polite"); log != "ready\nbye\n" {
		f.Errorf("the polite one has said %q", log)
	}
	f.must(f.patch(pods, ns, "p", `{"metadata":{"finalizers":null}}`))
}

func podRefreshes(f *front, ns string) {
	secret := func(value string) string {
		return "apiVersion: v1\nkind: Secret\nmetadata: {name: s}\nstringData: {key: " + value + "}\n"
	}
	f.must(f.create(ns, secret("one")))
	f.must(f.create(ns, pod("p", script(`cat /s/key; echo; until test "$(cat /s/key)" = two; do sleep 1; done; cat /s/key; echo; exec sleep 3600`)+
		`, volumeMounts: [{name: v, mountPath: /s}]`, "volumes: [{name: v, secret: {secretName: s}}]")))
	f.awaitLog(ns, "p", "", "one\n")
	f.must(judged(f.send(http.MethodPatch, listPath(corev1.SchemeGroupVersion.WithResource("secrets"), ns)+"/s", "application/merge-patch+json", `{"stringData":{"key":"two"}}`)))
	f.awaitLog(ns, "p", "", "one\ntwo\n")
}

func podLacks(f *front, ns string) {
	f.must(f.create(ns, pod("p", script(`echo "it is $VALUE"; exec sleep 3600`)+`, envFrom: [{configMapRef: {name: settings}}]`, "")))
	p := awaitOne(f, pods, ns, "p", func(p *corev1.Pod) bool {
		return len(p.Status.ContainerStatuses) == 1 && p.Status.ContainerStatuses[0].State.Waiting != nil && p.Status.ContainerStatuses[0].State.Waiting.Reason == "CreateContainerConfigError"
	})
	if diff := cmp.Diff(`configmap "settings" not found`, p.Status.ContainerStatuses[0].State.Waiting.Message); diff != "" {
		f.Errorf("message (-want +got):\n%s", diff)
	}
	f.must(f.create(ns, "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: settings}\ndata: {VALUE: here}\n"))
	awaitOne(f, pods, ns, "p", func(p *corev1.Pod) bool { return ready(*p) })
	f.awaitLog(ns, "p", "", "it is here\n")
}

func podHostPath(f *front, ns string) {
	on := func(node, name, text string) string {
		return pod(name, script(text)+`, volumeMounts: [{name: v, mountPath: /v}]`,
			"nodeName: "+node+"\n  restartPolicy: Never\n  volumes: [{name: v, hostPath: {path: /data/"+ns+", type: DirectoryOrCreate}}]")
	}
	f.must(f.create(ns, on("node-1", "waits", `until cat /v/flag 2>/dev/null; do sleep 1; done`)))
	f.must(f.create(ns, on("node-2", "elsewhere", `ls /v; echo nothing; exec sleep 3600`)))
	f.must(f.create(ns, on("node-1", "writes", `sleep 1; echo from the neighbour > /v/flag`)))
	f.awaitLog(ns, "waits", "", "from the neighbour\n")
	f.must(f.remove(pods, ns, "writes", force))
	f.must(f.create(ns, on("node-1", "later", `cat /v/flag`)))
	f.awaitLog(ns, "later", "", "from the neighbour\n")
	f.awaitLog(ns, "elsewhere", "", "nothing\n")
	if log := f.logOf(ns, "elsewhere", ""); log != "nothing\n" {
		f.Errorf("on another node: %q", log)
	}
}

func podProbes(f *front, ns string) {
	const every = ", periodSeconds: 1, failureThreshold: 1"
	f.must(f.create(ns, pod("flips", script(`sleep 2; touch /tmp/ready; sleep 12; rm /tmp/ready; exec sleep 3600`)+
		`, readinessProbe: {exec: {command: [cat, /tmp/ready]}`+every+`}`, "")))
	f.must(f.create(ns, pod("dies", script(`touch /tmp/healthy; sleep 2; rm /tmp/healthy; sleep 3600`)+
		`, livenessProbe: {exec: {command: [cat, /tmp/healthy]}`+every+`}`, "terminationGracePeriodSeconds: 1")))
	f.must(f.create(ns, "apiVersion: v1\nkind: Pod\nmetadata: {name: serves}\nspec: {containers: [{name: c, image: nginx, readinessProbe: {httpGet: {path: /, port: 80}"+every+"}}]}"))
	f.must(f.create(ns, "apiVersion: v1\nkind: Pod\nmetadata: {name: refuses}\nspec: {containers: [{name: c, image: nginx, readinessProbe: {tcpSocket: {port: 81}"+every+"}}]}"))
	awaitOne(f, pods, ns, "flips", func(p *corev1.Pod) bool { return ready(*p) })
	awaitOne(f, pods, ns, "flips", func(p *corev1.Pod) bool { return !ready(*p) })
	dies := awaitOne(f, pods, ns, "dies", func(p *corev1.Pod) bool {
		return len(p.Status.ContainerStatuses) == 1 && p.Status.ContainerStatuses[0].RestartCount > 0
	})
	if last := dies.Status.ContainerStatuses[0].LastTerminationState.Terminated; last == nil || last.ExitCode != 137 {
		f.Errorf("what is not alive ended with %+v", last)
	}
	awaitOne(f, pods, ns, "serves", func(p *corev1.Pod) bool { return ready(*p) })
	await(f, events, ns, func(all []corev1.Event) bool {
		return slices.ContainsFunc(all, func(e corev1.Event) bool {
			return e.Reason == "Unhealthy" && e.InvolvedObject.Name == "refuses" &&
				strings.HasPrefix(e.Message, "Readiness probe failed: dial tcp ") &&
				strings.HasSuffix(e.Message, ":81: connect: connection refused")
		})
	})
	if p := get[corev1.Pod](f, pods, ns, "refuses"); ready(p) {
		f.Error("what takes no connection is ready")
	}
}
