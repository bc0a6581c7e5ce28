package daemonset

import (
	"github.com/rowlock/rowlock/internal/reconcile/podstate"
)

// count sets the status from the Pods in the snapshot. What this plan creates or deletes is counted
// by the next plan.
//
// Source: kubernetes v1.36 pkg/controller/daemon/daemon_controller.go, updateDaemonSetStatus
func (d *daemons) count() {
	s := &d.status
	s.DesiredNumberScheduled, s.CurrentNumberScheduled, s.NumberMisscheduled = 0, 0, 0
	s.NumberReady, s.UpdatedNumberScheduled, s.NumberAvailable = 0, 0, 0
	for _, n := range d.Nodes {
		pods, run := d.pods[n.Name], d.fits[n.Name].run
		if run {
			s.DesiredNumberScheduled++
		}
		switch {
		case len(pods) == 0:
			continue
		case !run:
			s.NumberMisscheduled++
			continue
		}
		s.CurrentNumberScheduled++
		if podstate.Ready(pods[0]) {
			s.NumberReady++
		}
		if d.available(pods[0]) {
			s.NumberAvailable++
		}
		if d.updated(pods[0]) {
			s.UpdatedNumberScheduled++
		}
	}
	s.NumberUnavailable = s.DesiredNumberScheduled - s.NumberAvailable
	s.ObservedGeneration = d.DaemonSet.Generation
	d.wakeAt(podstate.NextAvailable(d.held, d.DaemonSet.Spec.MinReadySeconds, d.Now))
}
