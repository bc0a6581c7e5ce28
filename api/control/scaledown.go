package control

import (
	"context"
	"fmt"
	"net/http"

	"github.com/danielgtaylor/huma/v2"
	corev1 "k8s.io/api/core/v1"

	"github.com/rowlock/rowlock/api/auth"
	"github.com/rowlock/rowlock/api/v1"
	"github.com/rowlock/rowlock/internal/preview"
	"github.com/rowlock/rowlock/internal/reconcile/podstate"
)

type previewScaleDown struct {
	Resource string `query:"resource" required:"true" doc:"The workload's resource: deployments.apps, replicasets.apps, replicationcontrollers, statefulsets.apps or jobs.batch."`
	Previewed
	Replicas int32 `query:"replicas" required:"true" minimum:"0" maximum:"2147483647" doc:"The number of replicas to scale to; for a Job, its parallelism."`
}

// Resolve implements huma.Resolver.
func (in *previewScaleDown) Resolve(c huma.Context) []error {
	return in.read(c, in.Resource, preview.Scalable)
}

func (s *Server) scaleDownOperation(a *typed) {
	register(a, huma.Operation{
		Method: http.MethodGet, Path: v1.ScaleDownPath, OperationID: "getRowlockV1ScaleDown", Summary: "Preview a scale-down",
		Description: "Lists the Pods that a scale-down would delete, without changing anything. " +
			"The preview applies the controllers' own rules to the current state; " +
			"for a Deployment during a rollout, it covers the next step.",
	}, s.scaleDown)
}

func (s *Server) scaleDown(ctx context.Context, in *previewScaleDown) (v1.ScaleDown, error) {
	about := in.about
	if err := s.mayGet(ctx, about); err != nil {
		return v1.ScaleDown{}, err
	}
	d, err := s.Previews.ScaleDown(ctx, about.key, in.Replicas)
	if err != nil {
		return v1.ScaleDown{}, about.failure(err)
	}
	out := v1.ScaleDown{ResourceVersion: d.Revision.ResourceVersion(), UID: d.UID, From: d.From, To: in.Replicas, Shrinks: []v1.Shrink{}, Victims: []v1.Victim{}}
	// Names need the right to list Pods; counts do not.
	seesPods := s.Authorizer.Allows(auth.FromContext(ctx), auth.Attributes{
		Verb: "list", Version: "v1", Resource: "pods", Namespace: about.key.Namespace,
	})
	for _, shrink := range d.Shrinks {
		out.Shrinks = append(out.Shrinks, v1.Shrink{
			Name: shrink.Name, UID: shrink.UID, From: shrink.From, To: shrink.To, VictimsCount: len(shrink.Victims),
		})
		out.VictimsCount += len(shrink.Victims)
		if !seesPods {
			continue
		}
		for _, v := range shrink.Victims[:min(len(shrink.Victims), in.Limit-len(out.Victims))] {
			shown := v1.Victim{Name: v.Pod.Name, UID: v.Pod.UID, Owner: shrink.Name, Reason: string(v.Rule), Message: whyIt(v)}
			if v.Than != nil {
				shown.Than = v.Than.Name
			}
			out.Victims = append(out.Victims, shown)
		}
	}
	return out, nil
}

// whyIt explains, for people, why a Pod is deleted.
func whyIt(v podstate.Victim) string {
	switch v.Rule {
	case podstate.NotAssigned:
		return "it is not assigned to a node"
	case podstate.Phase:
		return fmt.Sprintf("its phase is %s", v.Pod.Status.Phase)
	case podstate.NotReady:
		return "it is not ready"
	case podstate.DeletionCost:
		return "its " + corev1.PodDeletionCost + " is lower"
	case podstate.DoubledUp:
		return "more Pods of the workload are on its node, " + v.Pod.Spec.NodeName
	case podstate.ReadyLater:
		return "it has been ready for a shorter time"
	case podstate.MoreRestarts:
		return "its containers have restarted more often"
	case podstate.CreatedLater:
		return "it was created later"
	case podstate.SmallerUID:
		return "no rule parts it from the others, so its uid decides"
	case podstate.NoIndex:
		return "it has no index of the Job"
	case podstate.SameIndex:
		return "another Pod has its index"
	case podstate.OtherOrdinal:
		return "its ordinal is not asked for"
	case podstate.NoneIsToStay:
		return "all go"
	case podstate.OwnerHasEnded:
		return "the Job has ended or is suspended"
	}
	return string(v.Rule)
}
