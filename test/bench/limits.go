package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/kubernetes"

	"github.com/rowlock/rowlock/api/v1"
)

// The sizes up to which Kubernetes is tested, and how they are divided here: Deployments of 5,000
// Pods each, and one node of a hundred that fails.
//
// Source: https://kubernetes.io/docs/setup/best-practices/cluster-large, and the thresholds of
// kubernetes/community sig-scalability
const (
	limitNodes, limitPods, limitServices = 5000, 150_000, 10_000
	limitDeployments                     = 30
	limitFailing                         = 100
)

// How nodes that fail lose their Pods: after 40 seconds they count as lost, every ten seconds one
// of them is tainted, and Pods tolerate that for five minutes. A minute more is for what follows.
//
// Source: kubernetes v1.36 cmd/kube-controller-manager/app/options, NodeMonitorGracePeriod and
// NodeEvictionRate; plugin/pkg/admission/defaulttolerationseconds
func untilReplaced(nodes int) time.Duration {
	return 40*time.Second + time.Duration(nodes)*10*time.Second + 6*time.Minute
}

// measureLimits brings a cluster up to a share of Kubernetes' own limits, rolls out one Deployment,
// has nodes fail until their Pods are replaced, and starts the server again.
func measureLimits(ctx context.Context, o options, r *report) error {
	nodes, services := limitNodes*o.limit/100, limitServices*o.limit/100
	each := limitPods * o.limit / 100 / limitDeployments // Pods of a Deployment
	s, dataDir, err := startFresh(ctx, o, fmt.Sprintf("--nodes=%d", nodes), "--max-objects=0")
	defer func() { s.end() }()
	if err != nil {
		return err
	}
	if err := defaultServiceAccount(ctx, s.client, namespace); err != nil {
		return err
	}
	r.duration(fmt.Sprintf("limits: first start with %s nodes", rounded(float64(nodes))), s.took)
	if err := fillUp(ctx, o, r, s, services, each); err != nil {
		return err
	}
	bytes, err := s.memory(ctx)
	if err != nil {
		return err
	}
	pods := rounded(float64(each * limitDeployments))
	r.memory(fmt.Sprintf("limits: resident memory with %s Pods", pods), bytes)

	used := s.cpu()
	took, err := allReady(ctx, s.client, each, func() error {
		_, err := s.client.AppsV1().Deployments(namespace).Patch(ctx, limitName(0), types.StrategicMergePatchType, []byte(otherImage), metav1.PatchOptions{})
		return err
	})
	if err != nil {
		return err
	}
	r.rate(fmt.Sprintf("limits: rolling update of a Deployment of %s", rounded(float64(each))), each, "Pods", took, s.cpu().minus(used))

	if err := loseNodes(ctx, o, r, s, max(1, nodes/limitFailing), each); err != nil {
		return err
	}
	if err := s.stop(); err != nil {
		return err
	}
	if s, err = start(ctx, o, "--data-dir="+dataDir, "--max-objects=0"); err != nil {
		return err
	}
	r.duration(fmt.Sprintf("limits: start again over %s Pods", pods), s.took)
	return s.stop()
}

// fillUp creates the Services, and then the Deployments, of this many Pods each.
func fillUp(ctx context.Context, o options, r *report, s *instance, services, each int) error {
	used := s.cpu()
	_, took, err := together(ctx, o.clients, services, func(ctx context.Context, i int) error {
		_, err := s.client.CoreV1().Services(namespace).Create(ctx, limitService(i), metav1.CreateOptions{})
		return err
	})
	if err != nil {
		return err
	}
	r.rate(fmt.Sprintf("limits: %s Services created", rounded(float64(services))), services, "Services", took, s.cpu().minus(used))

	used = s.cpu()
	took, err = allReady(ctx, s.client, each, func() error {
		_, _, err := together(ctx, o.clients, limitDeployments, func(ctx context.Context, i int) error {
			_, err := s.client.AppsV1().Deployments(namespace).Create(ctx, deployment(limitName(i), each), metav1.CreateOptions{})
			return err
		})
		return err
	})
	if err != nil {
		return err
	}
	r.rate(fmt.Sprintf("limits: %d Deployments of %s created → all Ready", limitDeployments, rounded(float64(each))),
		each*limitDeployments, "Pods", took, s.cpu().minus(used))
	return nil
}

// loseNodes makes nodes fail, and lets time pass until all their Pods are replaced.
func loseNodes(ctx context.Context, o options, r *report, s *instance, failing, each int) error {
	used := s.cpu()
	begin := time.Now()
	if err := failNodes(ctx, s.client, o.clients, failing); err != nil {
		return err
	}
	by := untilReplaced(failing)
	if _, err := allReady(ctx, s.client, each, func() error {
		_, err := advance(ctx, s.client, by)
		return err
	}); err != nil {
		return err
	}
	r.durationOf(fmt.Sprintf("limits: %d nodes fail, %s pass, and their Pods are replaced", failing, by), failing, time.Since(begin), s.cpu().minus(used))
	return nil
}

func limitName(i int) string { return fmt.Sprintf("limits-%d", i) }

// limitService makes a Service: each of the first selects a Deployment, the others select nothing.
func limitService(i int) *corev1.Service {
	return &corev1.Service{
		ObjectMeta: metav1.ObjectMeta{Name: limitName(i)},
		Spec:       corev1.ServiceSpec{Selector: map[string]string{"app": limitName(i)}, Ports: []corev1.ServicePort{{Port: 80}}},
	}
}

// allReady acts, and returns how long it took from then until all Deployments had been seen with
// every Pod updated and ready, and no other.
func allReady(ctx context.Context, client *kubernetes.Clientset, each int, act func() error) (time.Duration, error) {
	changes, err := client.AppsV1().Deployments(namespace).Watch(ctx, metav1.ListOptions{})
	if err != nil {
		return 0, err
	}
	defer changes.Stop()
	begin := time.Now()
	acted := make(chan error, 1)
	go func() { acted <- act() }()
	ready := map[string]bool{}
	see := func(d *appsv1.Deployment) {
		if settled(d, each) {
			ready[d.Name] = true
		} else {
			delete(ready, d.Name)
		}
	}
	for acted != nil || len(ready) < limitDeployments {
		select {
		case err := <-acted:
			if err != nil {
				return 0, err
			}
			acted = nil
			// What was seen before may be from before.
			list, err := client.AppsV1().Deployments(namespace).List(ctx, metav1.ListOptions{})
			if err != nil {
				return 0, err
			}
			for i := range list.Items {
				see(&list.Items[i])
			}
		case e, ok := <-changes.ResultChan():
			if !ok {
				return 0, errors.Join(ctx.Err(), errors.New("the watch of the Deployments ended early"))
			}
			if d, ok := e.Object.(*appsv1.Deployment); ok {
				see(d)
			}
		}
	}
	return time.Since(begin), nil
}

// settled reports whether a Deployment has this many Pods, all updated and ready, and no other.
func settled(d *appsv1.Deployment, pods int) bool {
	wanted := int32(pods)
	return d.Status.ObservedGeneration >= d.Generation && d.Status.UpdatedReplicas == wanted && d.Status.Replicas == wanted && d.Status.ReadyReplicas == wanted
}

// failNodes makes the first nodes fail, with the containers on them.
func failNodes(ctx context.Context, client *kubernetes.Clientset, clients, n int) error {
	_, _, err := together(ctx, clients, n, func(ctx context.Context, i int) error {
		body, err := json.Marshal(v1.FaultRequest{Node: &v1.NodeFault{Name: fmt.Sprintf("node-%d", i+1), State: "failed"}})
		if err != nil {
			return err
		}
		return client.RESTClient().Post().AbsPath(v1.FaultsPath).SetHeader("Content-Type", "application/json").Body(body).Do(ctx).Error()
	})
	return err
}
