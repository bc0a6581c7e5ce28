package exercise

import (
	"context"
	"fmt"
	"strconv"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/kubernetes"

	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/test/history"
)

const (
	podsOf        = "pods"
	deploymentsOf = "deployments.apps"
	setsOf        = "replicasets.apps"
	daemonsOf     = "daemonsets.apps"
	jobsOf        = "jobs.batch"
	statefulOf    = "statefulsets.apps"
	claimsOf      = "persistentvolumeclaims"
	configMapsOf  = "configmaps"
)

// actors are the clients of the load, by name.
func actors() map[string]func(*actor) {
	all := map[string]func(*actor){"jobs": runJobs, "stateful": runStateful, "cronjobs": runCronJobs, "nodes": failNodes, "services": serve, "namespaces": comeAndGo, "adoption": bringPods, "daemons": runDaemons,
		"lists": readLists, "definitions": defineWidgets}
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

// never accepts no error.
func never(error) bool { return false }

// gone accepts the error of changing an object that others may have deleted.
func gone(err error) bool { return apierrors.IsNotFound(err) }

func goneOrMoved(err error) bool { return apierrors.IsNotFound(err) || apierrors.IsConflict(err) }

func exists(err error) bool { return apierrors.IsAlreadyExists(err) }

// applyDeployment creates a Deployment if it does not exist, after waiting for one that is being
// deleted.
func (a *actor) applyDeployment(namespace, name string, n int32) {
	do(a, deploymentsOf, exists, func(ctx context.Context, client kubernetes.Interface) (*appsv1.Deployment, error) {
		return client.AppsV1().Deployments(namespace).Create(ctx, deploymentOf(namespace, name, n), metav1.CreateOptions{})
	})
}

func (a *actor) patchDeployment(namespace, name, patch string, expected func(error) bool) (*appsv1.Deployment, bool) {
	return do(a, deploymentsOf, expected, func(ctx context.Context, client kubernetes.Interface) (*appsv1.Deployment, error) {
		return client.AppsV1().Deployments(namespace).Patch(ctx, name, types.StrategicMergePatchType, []byte(patch), metav1.PatchOptions{})
	})
}

// somePod returns one of the Pods that a selector selects, nil if there is none or no replica
// answers.
func (a *actor) somePod(namespace, selector string) *corev1.Pod {
	client := a.somebody()
	if client == nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(a.ctx, ClientTimeout)
	defer cancel()
	pods, err := client.CoreV1().Pods(namespace).List(ctx, metav1.ListOptions{LabelSelector: selector})
	if err != nil || len(pods.Items) == 0 {
		return nil
	}
	return &pods.Items[a.IntN(len(pods.Items))]
}

func (a *actor) deletePod(namespace, name string) {
	do(a, podsOf, gone, func(ctx context.Context, client kubernetes.Interface) (*metav1.ObjectMeta, error) {
		return &metav1.ObjectMeta{}, client.CoreV1().Pods(namespace).Delete(ctx, name, metav1.DeleteOptions{})
	})
}

func (a *actor) label(pod *corev1.Pod, app string) {
	do(a, podsOf, gone, func(ctx context.Context, client kubernetes.Interface) (*corev1.Pod, error) {
		return client.CoreV1().Pods(pod.Namespace).Patch(ctx, pod.Name, types.MergePatchType, []byte(`{"metadata":{"labels":{"app":"`+app+`"}}}`), metav1.PatchOptions{})
	})
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

func (a *actor) createNamespace(name string) {
	do(a, "namespaces", exists, func(ctx context.Context, client kubernetes.Interface) (*corev1.Namespace, error) {
		return client.CoreV1().Namespaces().Create(ctx, &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: name}}, metav1.CreateOptions{})
	})
}

func (a *actor) deleteNamespace(name string) {
	do(a, "namespaces", goneOrMoved, func(ctx context.Context, client kubernetes.Interface) (*metav1.ObjectMeta, error) {
		return &metav1.ObjectMeta{}, client.CoreV1().Namespaces().Delete(ctx, name, metav1.DeleteOptions{})
	})
}

// counted is the outcome of the attempts to increment a number.
type counted struct {
	done    []object.Revision
	unknown int
}

// bounds returns the least and the most that the number can be.
func (n *counted) bounds(lost history.Losses) (least, most int) {
	for _, at := range n.done {
		if !lost.Has(at) {
			least++
		}
	}
	return least, least + n.unknown
}

// count increments a number in a ConfigMap by reading it and writing the next, which fails if
// another client was faster.
func count(a *actor, name string) {
	name += "-" + a.round
	a.rest(200 * time.Millisecond)
	maps := func(client kubernetes.Interface) kubernetesConfigMaps { return client.CoreV1().ConfigMaps(hot) }
	read, ok := do(a, configMapsOf, gone, func(ctx context.Context, client kubernetes.Interface) (*corev1.ConfigMap, error) {
		return maps(client).Get(ctx, name, metav1.GetOptions{})
	})
	if !ok {
		do(a, configMapsOf, exists, func(ctx context.Context, client kubernetes.Interface) (*corev1.ConfigMap, error) {
			return maps(client).Create(ctx, &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: name}, Data: map[string]string{"n": "0"}}, metav1.CreateOptions{})
		})
		return
	}
	n, _ := strconv.Atoi(read.Data["n"])
	read.Data["n"] = strconv.Itoa(n + 1)
	client := a.somebody()
	if client == nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(a.ctx), ClientTimeout)
	defer cancel()
	asked := time.Now()
	written, err := maps(client).Update(ctx, read, metav1.UpdateOptions{})
	doubled := a.Doubled != nil && a.Doubled(asked) // the conflict may be with itself
	if err == nil {
		a.acknowledge(configMapsOf, written)
	} else if !a.refusals.Retryable(err) && !apierrors.IsConflict(err) && !a.isLoss(err) {
		a.Wrong("%s was told: %v", a.name, err)
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.counted[name] == nil {
		a.counted[name] = &counted{}
	}
	switch {
	case err == nil:
		a.counted[name].done = append(a.counted[name].done, object.RevisionOf(written))
	case history.Uncertain(err), doubled:
		a.counted[name].unknown++
	}
}
