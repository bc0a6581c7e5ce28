package e2e_test

import (
	"fmt"
	"net/http"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
)

// TestServiceTraffic sends requests to Services from inside Pods.
func TestServiceTraffic(t *testing.T) {
	t.Parallel()
	onEach(t, func(f *front) {
		f.run("POD-009 only ready Pods are behind a Service", func(f *front) { serviceFollowsReadiness(f, f.namespace("pod-009")) })
		f.run("a Service has its name before anybody is behind it", func(f *front) { initWaitsForService(f, f.namespace("names")) })
	})
}

// service returns the manifest of a Service for port 80 of the Pods app=web.
func service(name, spec string) string {
	return "apiVersion: v1\nkind: Service\nmetadata: {name: " + name + "}\nspec: {selector: {app: web}, ports: [{port: 8080, targetPort: 80}]" + spec + "}\n"
}

// serviceFollowsReadiness lets a Pod become ready, become unready again and be deleted, and sends
// requests to it all the time. A headless Service with publishNotReadyAddresses has it from
// beginning to end.
func serviceFollowsReadiness(f *front, ns string) {
	f.must(f.create(ns, service("web", "")))
	f.must(f.create(ns, service("peers", ", clusterIP: None")))
	f.must(f.create(ns, service("all", ", clusterIP: None, publishNotReadyAddresses: true")))
	f.must(f.create(ns, pod("client", script(`
      say() { test "$1" = "$last" || echo "$1"; last=$1; };
      while true; do
        if wget -T 2 -q -O /dev/null http://web:8080 2>/dev/null; then at=answers; else at=refuses; fi;
        if nslookup peers.`+ns+`.svc.cluster.local >/dev/null 2>/dev/null; then name=named; else name=nameless; fi;
        if nslookup all.`+ns+`.svc.cluster.local >/dev/null 2>/dev/null; then all=there; else all=gone; fi;
        if test $at$name = answersnamed -o $at$name = refusesnameless; then say "$at $name $all"; fi;
        sleep 1;
      done`), "")))
	f.awaitLog(ns, "client", "", "refuses nameless gone\n")
	f.must(f.create(ns, `apiVersion: v1
kind: Pod
metadata: {name: web, labels: {app: web}}
spec:
  terminationGracePeriodSeconds: 0
  readinessGates: [{conditionType: example.com/on}]
  containers: [{name: web, image: nginx}]
`))
	turn := func(status string) {
		f.must(judged(f.send(http.MethodPatch, listPath(pods, ns)+"/web/status", string(types.StrategicMergePatchType), `{"status":{"conditions":[{"type":"example.com/on","status":"`+status+`"}]}}`)))
	}
	want := "refuses nameless gone\n"
	next := func(line string) {
		want += line
		f.awaitLog(ns, "client", "", want)
	}
	next("refuses nameless there\n")
	turn("True")
	next("answers named there\n")
	turn("False")
	next("refuses nameless there\n")
	f.must(f.remove(pods, ns, "web", ""))
	next("refuses nameless gone\n")
	if log := f.logOf(ns, "client", ""); log != want {
		f.Errorf("the log is\n%s", log)
	}
}

// initWaitsForService is the documentation's example: init containers look names up until their
// Services exist.
func initWaitsForService(f *front, ns string) {
	wait := func(name string) string {
		return fmt.Sprintf("{name: init-%s, image: 'busybox:1.28', command: [sh, -c, 'until nslookup %s; do echo waiting for %[1]s; sleep 1; done']}", name, name)
	}
	f.must(f.create(ns, pod("p", script("echo The app is running! && sleep 3600"), "initContainers: ["+wait("myservice")+", "+wait("mydb")+"]")))
	f.awaitLog(ns, "p", "container=init-myservice", "waiting for myservice\n")
	f.must(f.create(ns, service("myservice", "")))
	f.awaitLog(ns, "p", "container=init-mydb", "waiting for mydb\n")
	f.must(f.create(ns, service("mydb", "")))
	awaitOne(f, pods, ns, "p", func(p *corev1.Pod) bool { return ready(*p) })
	f.awaitLog(ns, "p", "", "The app is running!\n")
}
