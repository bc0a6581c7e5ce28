package exercise

import (
	"context"
	"fmt"
	"strconv"
	"sync"
	"time"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/kubernetes"
)

// Load is the work of the actors until it is stopped.
type Load struct {
	*Clients
	cancel context.CancelFunc
	all    sync.WaitGroup
}

// Stop lets every actor finish its current operation, and waits for all.
func (l *Load) Stop() {
	l.cancel()
	l.all.Wait()
	l.watchPauses(time.Time{})
}

// watchPauses begins to measure the time between acknowledged writes, or ends it with zero.
func (c *Clients) watchPauses(since time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.lastWrite = since
}

// Start starts all actors. round names their objects.
func (c *Clients) Start(ctx context.Context, round string) *Load {
	ctx, cancel := context.WithCancel(ctx)
	l := &Load{Clients: c, cancel: cancel}
	c.watchPauses(time.Now())
	for name, act := range actors() {
		a := &actor{Clients: c, Rand: c.draw(round + "/" + name), name: name, ctx: ctx, round: round}
		l.all.Go(func() {
			for ctx.Err() == nil && c.Failed() == nil {
				act(a)
			}
		})
	}
	return l
}

// actors are the clients of the load, by name.
func actors() map[string]func(*actor) {
	all := map[string]func(*actor){
		"jobs": runJobs, "stateful": runStateful, "cronjobs": runCronJobs, "daemons": runDaemons,
		"nodes": failNodes, "services": serve, "namespaces": comeAndGo, "adoption": bringPods,
		"lists": readLists, "definitions": defineWidgets,
	}
	for i := range 3 {
		all["calm-"+strconv.Itoa(i)] = func(a *actor) { rollCalmly(a, "web-"+strconv.Itoa(i)) }
		all["storm-"+strconv.Itoa(i)] = func(a *actor) { rollInStorm(a, "app-"+strconv.Itoa(i)) }
		all["counter-"+strconv.Itoa(i)] = func(a *actor) { count(a, "counter") }
	}
	for i := range 2 {
		all["evictions-"+strconv.Itoa(i)] = evictPods
		all["edge-"+strconv.Itoa(i)] = fillQuota
		all["widgets-"+strconv.Itoa(i)] = writeWidgets
	}
	for i := range 3 {
		all["lock-"+strconv.Itoa(i)] = func(a *actor) { takeLock(a, i) }
	}
	for i := range 5 {
		all["hot-"+strconv.Itoa(i)] = func(a *actor) { touch(a, i) }
	}
	return all
}

// rollCalmly scales and updates a Deployment whose bounds are all checked.
func rollCalmly(a *actor, name string) {
	a.applyDeployment(calm, name, 4)
	for a.ctx.Err() == nil {
		patch := rollTo("nginx:1." + strconv.Itoa(20+a.IntN(10)))
		if a.IntN(2) == 0 {
			patch = scaleTo(2 + a.IntN(8))
		}
		if _, ok := a.patchDeployment(calm, name, patch, never); !ok {
			a.applyDeployment(calm, name, 4) // its creation was lost
		}
		a.rest(6 * time.Second)
	}
}

// rollInStorm does anything to a Deployment that users do.
func rollInStorm(a *actor, name string) {
	a.applyDeployment(storm, name, 4)
	switch a.IntN(10) {
	case 0, 1:
		a.patchDeployment(storm, name, scaleTo(a.IntN(8)), gone)
	case 2, 3:
		a.patchDeployment(storm, name, rollTo("httpd:2.4."+strconv.Itoa(50+a.IntN(10))), gone)
	case 4, 5:
		if p := a.somePod(storm, "app="+name); p != nil {
			a.deletePod(storm, p.Name)
		}
	case 6: // one is removed by its labels, and perhaps returned
		if p := a.somePod(storm, "app="+name); p != nil {
			a.label(p, "stray")
			a.rest(2 * time.Second)
			if a.IntN(2) == 0 {
				a.label(p, name)
			}
		}
	case 7: // the workload is deleted, with or without its dependents
		policy := []metav1.DeletionPropagation{metav1.DeletePropagationBackground, metav1.DeletePropagationForeground, metav1.DeletePropagationOrphan}[a.IntN(3)]
		do(a, deploymentsOf, gone, func(ctx context.Context, client kubernetes.Interface) (*metav1.ObjectMeta, error) {
			return &metav1.ObjectMeta{}, client.AppsV1().Deployments(storm).Delete(ctx, name, metav1.DeleteOptions{PropagationPolicy: &policy})
		})
		a.rest(time.Second)
	case 8: // paused and resumed
		a.patchDeployment(storm, name, `{"spec":{"paused":true}}`, gone)
		a.rest(2 * time.Second)
		a.patchDeployment(storm, name, `{"spec":{"paused":false}}`, gone)
	case 9:
		if p := a.somePod(storm, "app=stray"); p != nil {
			a.deletePod(storm, p.Name)
		}
	}
	a.rest(3 * time.Second)
}

// bringPods creates unrequested Pods, which a workload must then adopt or delete.
func bringPods(a *actor) {
	t := withInit(template(storm, "app-"+strconv.Itoa(a.IntN(3)), "nginx:1.29"))
	do(a, podsOf, never, func(ctx context.Context, client kubernetes.Interface) (*corev1.Pod, error) {
		meta := metav1.ObjectMeta{GenerateName: "brought-", Labels: t.Labels}
		return client.CoreV1().Pods(storm).Create(ctx, &corev1.Pod{ObjectMeta: meta, Spec: t.Spec}, metav1.CreateOptions{})
	})
	a.rest(8 * time.Second)
}

// runJobs creates Jobs, deletes some of their Pods, and deletes those that have ended.
func runJobs(a *actor) {
	for i := 0; a.ctx.Err() == nil; i++ {
		name := a.round + "-job-" + strconv.Itoa(i)
		do(a, jobsOf, exists, func(ctx context.Context, client kubernetes.Interface) (*batchv1.Job, error) {
			return client.BatchV1().Jobs(work).Create(ctx, jobOf(name, int32(3+a.IntN(5)), i%2 == 0, i%3 == 0), metav1.CreateOptions{})
		})
		a.rest(6 * time.Second)
		if p := a.somePod(work, "job-name="+name); p != nil && a.IntN(3) == 0 {
			a.deletePod(work, p.Name)
		}
		if i >= 4 {
			old := a.round + "-job-" + strconv.Itoa(i-4)
			do(a, jobsOf, gone, func(ctx context.Context, client kubernetes.Interface) (*metav1.ObjectMeta, error) {
				return &metav1.ObjectMeta{}, client.BatchV1().Jobs(work).Delete(ctx, old, metav1.DeleteOptions{PropagationPolicy: new(metav1.DeletePropagationBackground)})
			})
		}
		a.rest(3 * time.Second)
	}
}

// runCronJobs suspends a CronJob now and then.
func runCronJobs(a *actor) {
	const name = "tick"
	do(a, "cronjobs.batch", exists, func(ctx context.Context, client kubernetes.Interface) (*batchv1.CronJob, error) {
		return client.BatchV1().CronJobs(work).Create(ctx, cronJobOf(name), metav1.CreateOptions{})
	})
	a.rest(20 * time.Second)
	a.suspend(name, a.IntN(4) == 0)
}

func (a *actor) suspend(name string, yes bool) {
	do(a, "cronjobs.batch", gone, func(ctx context.Context, client kubernetes.Interface) (*batchv1.CronJob, error) {
		return client.BatchV1().CronJobs(work).Patch(ctx, name, types.MergePatchType, []byte(fmt.Sprintf(`{"spec":{"suspend":%t}}`, yes)), metav1.PatchOptions{})
	})
}

// failNodes makes one of the last nodes crash, lose its connection or refuse Pods, and repairs it.
func failNodes(a *actor) {
	a.rest(10 * time.Second)
	name := "node-" + strconv.Itoa(failing+a.IntN(nodes-failing+1))
	switch a.IntN(3) {
	case 0:
		a.patchNode(name, `{"metadata":{"annotations":{"emulation.rowlock.io/fault":"unreachable"}}}`)
	case 1:
		a.patchNode(name, `{"metadata":{"annotations":{"emulation.rowlock.io/fault":"failed"}}}`)
	case 2:
		a.patchNode(name, `{"spec":{"unschedulable":true}}`)
	}
	a.rest(30 * time.Second)
	a.mend(name)
}

func (a *actor) mend(node string) {
	a.patchNode(node, `{"metadata":{"annotations":{"emulation.rowlock.io/fault":null}},"spec":{"unschedulable":null}}`)
}

func (a *actor) patchNode(name, patch string) {
	do(a, "nodes", never, func(ctx context.Context, client kubernetes.Interface) (*corev1.Node, error) {
		return client.CoreV1().Nodes().Patch(ctx, name, types.MergePatchType, []byte(patch), metav1.PatchOptions{})
	})
}

// serve creates a Service with an address and a port of its own, and deletes it.
func serve(a *actor) {
	name := "app-" + strconv.Itoa(a.IntN(3))
	do(a, "services", exists, func(ctx context.Context, client kubernetes.Interface) (*corev1.Service, error) {
		return client.CoreV1().Services(storm).Create(ctx, serviceOf(name), metav1.CreateOptions{})
	})
	a.rest(10 * time.Second)
	if a.IntN(2) == 0 {
		do(a, "services", gone, func(ctx context.Context, client kubernetes.Interface) (*metav1.ObjectMeta, error) {
			return &metav1.ObjectMeta{}, client.CoreV1().Services(storm).Delete(ctx, name, metav1.DeleteOptions{})
		})
	}
	a.rest(4 * time.Second)
}

// comeAndGo creates a namespace with contents, and deletes it.
func comeAndGo(a *actor) {
	for i := 0; a.ctx.Err() == nil; i++ {
		name := passing + a.round + "-" + strconv.Itoa(i)
		a.createNamespace(name)
		a.applyDeployment(name, "web", 3)
		a.rest(10 * time.Second)
		a.deleteNamespace(name)
		a.rest(10 * time.Second)
	}
}
