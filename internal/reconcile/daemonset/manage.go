package daemonset

import (
	"fmt"
	"maps"
	"slices"
	"strconv"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/rowlock/rowlock/internal/plan"
	"github.com/rowlock/rowlock/internal/reconcile/podstate"
	"github.com/rowlock/rowlock/internal/reconcile/podtemplate"
)

// Burst is the maximum number of Pods that one plan creates, and the maximum that it deletes; later
// plans do the rest.
//
// Source: kubernetes v1.36 pkg/controller/daemon/daemon_controller.go, BurstReplicas
const Burst = 250

// generationLabel is the label of a Pod that holds the generation of its template.
//
// Source: kubernetes v1.36 staging/src/k8s.io/api/extensions/v1beta1/types.go, DaemonSetTemplateGenerationKey
const generationLabel = "pod-template-generation"

// manage creates Pods on the nodes that must have one. It deletes Pods that are surplus, that have
// ended, or whose node may no longer have one. A Pod that is not bound and whose target node is
// gone would wait forever, because only Pods on nodes are collected.
//
// Source: kubernetes v1.36 pkg/controller/daemon/daemon_controller.go, manage and getUnscheduledPodsWithoutNode
func (d *daemons) manage() {
	surges := scaled(d.maxSurge(), 1) > 0
	for _, n := range d.Nodes {
		pods, has := d.pods[n.Name]
		switch fit := d.fits[n.Name]; {
		case fit.run && !has:
			d.create(n.Name)
		case fit.stay && surges:
			d.keepTwo(n.Name, fit, d.keepRunning(n.Name, pods))
		case fit.stay:
			if running := d.keepRunning(n.Name, pods); len(running) > 1 {
				d.delete(running[1:]...)
			}
		default:
			d.delete(pods...)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(d.pods)) {
		if _, exists := d.fits[name]; exists {
			continue
		}
		for _, p := range d.pods[name] {
			if p.Spec.NodeName == "" {
				d.delete(p)
			}
		}
	}
	d.managed = d.created+d.deleted > 0 || d.refused
}

// keepRunning deletes the Pods of a node that have ended, and returns the others that are not being
// deleted. A Pod that fails repeatedly is replaced after a pause that doubles each time, because a
// kubelet may reject each new one at once.
//
// Source: kubernetes v1.36 pkg/controller/daemon/daemon_controller.go, podsShouldBeOnNode
//
// Differs: upstream waits for the whole pause whenever it finds the failed Pod; here the pause
// counts from the last replacement.
func (d *daemons) keepRunning(node string, pods []*corev1.Pod) (running []*corev1.Pod) {
	for _, p := range pods {
		tell := func(eventType, reason, format string) {
			if d.delete(p) {
				e := d.event(eventType, reason, fmt.Sprintf(format, p.Namespace, p.Name, node))
				e.OfDelete = len(d.plan.Deletes)
				last := len(d.plan.Events) - 1 // before the event of the deletion itself
				d.plan.Events = slices.Insert(d.plan.Events, last, e)
			}
		}
		switch {
		case p.DeletionTimestamp != nil:
		case p.Status.Phase == corev1.PodFailed:
			if until := d.retries.until(node, d.Now); until.After(d.Now) {
				d.wakeAt(until)
				continue
			}
			if d.deletable(p) {
				d.retries.next(node, d.Now)
			}
			tell(corev1.EventTypeWarning, "FailedDaemonPod", "Found failed daemon pod %s/%s on node %s, will try to kill it")
		case p.Status.Phase == corev1.PodSucceeded:
			tell(corev1.EventTypeNormal, "SucceededDaemonPod", "Found succeeded daemon pod %s/%s on node %s, will try to delete it")
		default:
			running = append(running, p)
		}
	}
	return running
}

// keepTwo keeps at most two of a node's running Pods: the oldest of the current revision, and the
// oldest of earlier revisions as long as it is ready and the new one is not available. A node
// without any gets one.
//
// Source: kubernetes v1.36 pkg/controller/daemon/daemon_controller.go, podsShouldBeOnNode
func (d *daemons) keepTwo(node string, fit fit, running []*corev1.Pod) {
	if len(running) == 0 && fit.run {
		d.create(node)
	}
	if len(running) < 2 {
		return
	}
	var oldestNew, oldestOld *corev1.Pod
	for _, p := range running {
		switch isNew := p.Labels[appsv1.ControllerRevisionHashLabelKey] == d.hash(); {
		case isNew && oldestNew == nil:
			oldestNew = p
		case !isNew && oldestOld == nil:
			oldestOld = p
		default:
			d.delete(p)
		}
	}
	if oldestNew != nil && oldestOld != nil && (!podstate.Ready(oldestOld) || d.available(oldestNew)) {
		d.delete(oldestOld)
	}
}

// create plans a Pod for a node, unless the plan is full or the applier admits no more.
func (d *daemons) create(node string) {
	if d.created == Burst {
		return
	}
	if r := d.Refused; r != nil && len(d.plan.Creates) >= r.Admitted {
		d.refused = true
		return
	}
	pod := podtemplate.NewPod(&d.DaemonSet.Spec.Template, d.DaemonSet, d.by.Reference())
	pod.Spec.Tolerations = tolerations(&pod.Spec)
	bind(pod, node)
	if generation, ok := d.generation(); ok {
		metav1.SetMetaDataLabel(&pod.ObjectMeta, generationLabel, generation)
	}
	metav1.SetMetaDataLabel(&pod.ObjectMeta, appsv1.ControllerRevisionHashLabelKey, d.hash())
	d.plan.Creates = append(d.plan.Creates, plan.Create{Object: pod})
	e := d.event(corev1.EventTypeNormal, "SuccessfulCreate", "Created pod: %s")
	e.MessageOfCreate = len(d.plan.Creates)
	d.plan.Events = append(d.plan.Events, e)
	d.created++
}

// tellRefusal emits an event that says why Pods could not be created. In a namespace that is being
// terminated nothing can be created, and no event is emitted.
func (d *daemons) tellRefusal() {
	if d.refused && !d.Refused.NamespaceTerminating {
		d.plan.Events = append(d.plan.Events, d.event(corev1.EventTypeWarning, "FailedCreate", "Error creating: "+d.Refused.Message))
	}
}

// deletable reports whether this plan can delete a Pod: the Pod is not being deleted, the plan has
// room, and it does not already change the Pod. A Pod that it changes is deleted by the next plan,
// which the change triggers.
func (d *daemons) deletable(p *corev1.Pod) bool {
	return p.DeletionTimestamp == nil && d.deleted < Burst && !d.edited[p.UID]
}

// delete plans the deletion of those Pods that this plan can delete, and reports whether it can
// delete the last one.
func (d *daemons) delete(pods ...*corev1.Pod) (deleted bool) {
	for _, p := range pods {
		if deleted = d.deletable(p); !deleted {
			continue
		}
		d.plan.Deletes = append(d.plan.Deletes, plan.Delete{Object: p})
		e := d.event(corev1.EventTypeNormal, "SuccessfulDelete", "Deleted pod: "+p.Name)
		e.OfDelete = len(d.plan.Deletes)
		d.plan.Events = append(d.plan.Events, e)
		d.deleted++
	}
	return deleted
}

func (d *daemons) available(p *corev1.Pod) bool {
	return podstate.Available(p, d.DaemonSet.Spec.MinReadySeconds, d.Now)
}

// updated reports whether a Pod was made from the current template.
//
// Source: kubernetes v1.36 pkg/controller/daemon/util/daemonset_util.go, IsPodUpdated
func (d *daemons) updated(p *corev1.Pod) bool {
	generation, ok := d.generation()
	return p.Labels[appsv1.ControllerRevisionHashLabelKey] == d.hash() || ok && p.Labels[generationLabel] == generation
}

// generation is the generation of the template; false if none exists or it is not a number.
//
// Source: kubernetes v1.36 pkg/controller/daemon/util/daemonset_util.go, GetTemplateGeneration
func (d *daemons) generation() (string, bool) {
	n, err := strconv.ParseInt(d.DaemonSet.Annotations[appsv1.DeprecatedTemplateGeneration], 10, 64)
	return strconv.FormatInt(n, 10), err == nil
}

// maxSurge is how many Pods may exist beyond the number of nodes; nil without a rolling update.
func (d *daemons) maxSurge() *intstr.IntOrString {
	if r := d.DaemonSet.Spec.UpdateStrategy.RollingUpdate; r != nil && d.DaemonSet.Spec.UpdateStrategy.Type == appsv1.RollingUpdateDaemonSetStrategyType {
		return r.MaxSurge
	}
	return nil
}

// scaled is a number, or a percentage of a number rounded up; 0 if v is neither, which validation
// rejects.
//
// Source: kubernetes v1.36 pkg/controller/daemon/util/daemonset_util.go, SurgeCount and UnavailableCount
func scaled(v *intstr.IntOrString, of int) int {
	if v == nil {
		return 0
	}
	n, err := intstr.GetScaledValueFromIntOrPercent(v, of, true)
	if err != nil {
		return 0
	}
	return n
}
