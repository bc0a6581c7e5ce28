package e2e_test

import (
	"net/http"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
)

// initialized returns the manifest of a Pod with one container that sleeps and these init
// containers.
func initialized(name, policy, inits string) string {
	return pod(name, sleeps, "restartPolicy: "+policy+"\n  initContainers: ["+inits+"]")
}

// initState returns the state of the Pod's init containers, in order: "Running", or the reason why
// one waits or has ended.
func initState(p *corev1.Pod) (states []string) {
	for _, s := range p.Status.InitContainerStatuses {
		switch {
		case s.State.Running != nil:
			states = append(states, "Running")
		case s.State.Terminated != nil:
			states = append(states, s.State.Terminated.Reason)
		case s.State.Waiting != nil:
			states = append(states, s.State.Waiting.Reason)
		}
	}
	return states
}

func TestInit(t *testing.T) {
	t.Parallel()
	onEach(t, func(f *front) {
		f.run("INIT-001 INIT-002 INIT-003 INIT-005 one after the other", func(f *front) { initInOrder(f, f.namespace("init-001")) })
		f.run("INIT-006 INIT-007 one that fails is run again, one that succeeds is not", func(f *front) { initAgain(f, f.namespace("init-006")) })
		f.run("INIT-008 INIT-009 one that fails fails a Pod that is never restarted", func(f *front) {
			ns := f.namespace("init-008")
			f.must(f.create(ns, initialized("p", "Never", `{name: i, image: busybox, command: ["false"]}`)))
			p := awaitOne(f, pods, ns, "p", func(p *corev1.Pod) bool { return p.Status.Phase == corev1.PodFailed })
			s := p.Status.InitContainerStatuses[0]
			if s.RestartCount != 0 || s.State.Terminated == nil || s.State.Terminated.ExitCode != 1 {
				f.Errorf("the init container: %+v", s)
			}
			if c := podCondition(p, corev1.PodInitialized); c != corev1.ConditionFalse {
				f.Errorf("Initialized is %q", c)
			}
		})
		f.run("INIT-011 INIT-012 INIT-013 what is refused", func(f *front) { initRefused(f, f.namespace("init-011")) })
		f.run("INIT-014 a new image of one that is done restarts nothing", func(f *front) {
			ns := f.namespace("init-014")
			f.must(f.create(ns, initialized("p", "Always", `{name: i, image: busybox, command: ["true"]}`)))
			before := await(f, pods, ns, allReady(1))[0]
			f.must(judged(f.send(http.MethodPatch, listPath(pods, ns)+"/p", "application/strategic-merge-patch+json",
				`{"spec":{"initContainers":[{"name":"i","image":"busybox:1.36"}]}}`)))
			after := awaitOne(f, pods, ns, "p", func(p *corev1.Pod) bool { return p.Generation > before.Generation })
			if diff := cmp.Diff(before.Status.InitContainerStatuses, after.Status.InitContainerStatuses); diff != "" || after.Status.ContainerStatuses[0].RestartCount != 0 {
				f.Errorf("(-before +after):\n%s", diff)
			}
		})
		f.run("INIT-017 INIT-018 the largest init container counts, or the sum of the others", func(f *front) { initResources(f, f.namespace("init-017")) })
		f.run("INIT-019 what only an init container needed stays reserved", func(f *front) { initReserved(f, f.namespace("init-019")) })
		f.run("INIT-020 all containers make one class of quality", func(f *front) {
			ns := f.namespace("init-020")
			const limited = `, resources: {limits: {cpu: 100m, memory: 10Mi}}`
			f.must(f.create(ns, pod("guaranteed", limited, "initContainers: [{name: i, image: busybox"+limited+"}]")))
			f.must(f.create(ns, pod("burstable", limited, "initContainers: [{name: i, image: busybox}]")))
			for name, want := range map[string]corev1.PodQOSClass{"guaranteed": corev1.PodQOSGuaranteed, "burstable": corev1.PodQOSBurstable} {
				if got := get[corev1.Pod](f, pods, ns, name).Status.QOSClass; got != want {
					f.Errorf("%s is %s", name, got)
				}
			}
		})
	})
}

// podCondition returns the status of one of a Pod's conditions; "" if it does not have it.
func podCondition(p *corev1.Pod, kind corev1.PodConditionType) corev1.ConditionStatus {
	for _, c := range p.Status.Conditions {
		if c.Type == kind {
			return c.Status
		}
	}
	return ""
}

func initInOrder(f *front, ns string) {
	f.must(f.create(ns, initialized("p", "Always",
		`{name: first, image: busybox, command: [sleep, "2"]}, {name: second, image: busybox, command: [sleep, "2"]}`)))
	seen := map[string]string{ // the state of the Pod's container for each state of the init containers
		"Running PodInitializing":   "PodInitializing",
		"Completed Running":         "PodInitializing",
		"Completed PodInitializing": "PodInitializing", // between two
	}
	awaitOne(f, pods, ns, "p", func(p *corev1.Pod) bool {
		if len(p.Status.InitContainerStatuses) < 2 {
			return false
		}
		states := initState(p)
		now, main := states[0]+" "+states[1], p.Status.ContainerStatuses[0].State
		if now == "Completed Completed" {
			return ready(*p)
		}
		if main.Waiting == nil || main.Waiting.Reason != seen[now] || podCondition(p, corev1.PodInitialized) != corev1.ConditionFalse || p.Status.Phase != corev1.PodPending {
			f.Errorf("%s, and then %+v in phase %s", now, main, p.Status.Phase)
		}
		return false
	})
	p := get[corev1.Pod](f, pods, ns, "p")
	first, second := p.Status.InitContainerStatuses[0].State.Terminated, p.Status.InitContainerStatuses[1].State.Terminated
	main := p.Status.ContainerStatuses[0].State.Running
	if second.StartedAt.Before(&first.FinishedAt) || main.StartedAt.Before(&second.FinishedAt) || first.ExitCode != 0 {
		f.Errorf("first %v, second %v, then %v", first, second, main)
	}
	if c := podCondition(&p, corev1.PodInitialized); c != corev1.ConditionTrue {
		f.Errorf("Initialized is %q", c)
	}
}

func initAgain(f *front, ns string) {
	f.must(f.create(ns, initialized("p", "Always", `{name: done, image: busybox, command: ["true"]}, {name: failing, image: busybox, command: ["false"]}`)))
	p := awaitOne(f, pods, ns, "p", func(p *corev1.Pod) bool {
		return len(p.Status.InitContainerStatuses) == 2 && p.Status.InitContainerStatuses[1].RestartCount > 0
	})
	if s := p.Status.InitContainerStatuses[0]; s.RestartCount != 0 || s.State.Terminated == nil || s.State.Terminated.ExitCode != 0 {
		f.Errorf("the one that succeeds: %+v", s)
	}
	if p.Status.Phase != corev1.PodPending || podCondition(p, corev1.PodReady) != corev1.ConditionFalse {
		f.Errorf("phase %s, conditions %v", p.Status.Phase, p.Status.Conditions)
	}
	f.must(f.create(ns, initialized("again", "OnFailure", `{name: i, image: busybox, command: [sh, -c, "test -e /done/it || { touch /done/it; exit 1; }"], volumeMounts: [{name: v, mountPath: /done}]}`)+
		"  volumes: [{name: v, emptyDir: {}}]\n"))
	again := awaitOne(f, pods, ns, "again", func(p *corev1.Pod) bool { return ready(*p) })
	if s := again.Status.InitContainerStatuses[0]; s.RestartCount != 1 || s.LastTerminationState.Terminated == nil || s.LastTerminationState.Terminated.ExitCode != 1 {
		f.Errorf("the one that succeeds when it is run again: %+v", s)
	}
}

func initRefused(f *front, ns string) {
	const why = "may not be set for init containers without restartPolicy=Always"
	for _, tt := range []struct{ inits, want string }{
		{`{name: i, image: busybox, readinessProbe: {tcpSocket: {port: 80}}}`, `Pod "p" is invalid: spec.initContainers[0].readinessProbe: Forbidden: ` + why},
		{`{name: i, image: busybox, lifecycle: {preStop: {sleep: {seconds: 1}}}}`, `Pod "p" is invalid: spec.initContainers[0].lifecycle: Forbidden: ` + why},
		{`{name: c, image: busybox}`, `Pod "p" is invalid: spec.initContainers[0].name: Duplicate value: "c"`},
		{`{name: i, image: busybox}, {name: i, image: busybox}`, `Pod "p" is invalid: spec.initContainers[1].name: Duplicate value: "i"`},
	} {
		if diff := cmp.Diff(invalid(tt.want), f.create(ns, initialized("p", "Always", tt.inits))); diff != "" {
			f.Errorf("%s (-want +got):\n%s", tt.inits, diff)
		}
	}
	f.must(f.create(ns, initialized("p", "Always", `{name: i, image: busybox, restartPolicy: Always, readinessProbe: {tcpSocket: {port: 80}}}`)))
	code, _ := f.send(http.MethodPatch, listPath(pods, ns)+"/p", "application/strategic-merge-patch+json", `{"spec":{"initContainers":[{"name":"i","command":["x"]}]}}`)
	if code != http.StatusUnprocessableEntity {
		f.Errorf("another command: %d", code)
	}
	f.must(judged(f.send(http.MethodPatch, listPath(pods, ns)+"/p", "application/strategic-merge-patch+json", `{"spec":{"initContainers":[{"name":"i","image":"busybox:1.36"}]}}`)))
}

// initResources requests more and less than nodes with 64 CPUs have.
func initResources(f *front, ns string) {
	cpu := func(name, n string) string {
		return "{name: " + name + ", image: busybox, resources: {requests: {cpu: " + n + "}}}"
	}
	for _, tt := range []struct {
		name, inits, containers string
		fits                    bool
	}{
		{"large-init", cpu("i", "'65'"), cpu("c", "'1'"), false},
		{"large-sum", cpu("i", "'1'"), cpu("c", "'40'") + ", " + cpu("d", "'25'"), false},
		{"large-init-sum", cpu("i", "'20'") + ", " + cpu("j", "'21'") + ", " + cpu("k", "'22'") + ", " + cpu("l", "'23'"), cpu("c", "'10'") + ", " + cpu("d", "'12'"), true},
	} {
		f.must(f.create(ns, "apiVersion: v1\nkind: Pod\nmetadata: {name: "+tt.name+"}\nspec:\n  initContainers: ["+tt.inits+"]\n  containers: ["+tt.containers+"]\n"))
		p := awaitOne(f, pods, ns, tt.name, func(p *corev1.Pod) bool { return podCondition(p, corev1.PodScheduled) != "" })
		if fits := p.Spec.NodeName != ""; fits != tt.fits {
			f.Errorf("%s is on node %q: %v", tt.name, p.Spec.NodeName, p.Status.Conditions)
		}
	}
}

// initReserved has a node with four CPUs to itself.
func initReserved(f *front, ns string) {
	node := "apiVersion: v1\nkind: Node\nmetadata: {name: " + ns + ", labels: {for: " + ns + "}}\n" +
		"status: {capacity: {cpu: 4, memory: 1Gi, pods: 10}, allocatable: {cpu: 4, memory: 1Gi, pods: 10}}"
	f.must(judged(f.send(http.MethodPost, "/api/v1/nodes", "application/yaml", node)))
	request := func(n string) string { return ", resources: {requests: {cpu: '" + n + "'}}" }
	on := "nodeSelector: {for: " + ns + "}"
	f.must(f.create(ns, pod("first", sleeps+request("1"), on+"\n  initContainers: [{name: i, image: busybox, command: ['true']"+request("3")+"}]")))
	awaitOne(f, pods, ns, "first", func(p *corev1.Pod) bool { return ready(*p) })
	f.must(f.create(ns, pod("too-large", sleeps+request("2"), on)))
	p := awaitOne(f, pods, ns, "too-large", func(p *corev1.Pod) bool { return podCondition(p, corev1.PodScheduled) != "" })
	if p.Spec.NodeName != "" {
		f.Errorf("what an init container needed was given to another Pod")
	}
	f.must(f.create(ns, pod("fits", sleeps+request("1"), on)))
	awaitOne(f, pods, ns, "fits", func(p *corev1.Pod) bool { return ready(*p) })
}
