// Package flowcontrol maintains the FlowSchemas and PriorityLevelConfigurations that every cluster
// has, and sets a condition on each FlowSchema that says whether its priority level exists.
//
// Missing objects are created again. The cluster's own objects are kept unchanged, unless the
// annotation apf.kubernetes.io/autoupdate-spec says that a user manages them. For those that must
// not change, upstream's validation ensures that.
//
// Source: kubernetes v1.36 pkg/registry/flowcontrol/ensurer/strategy.go; pkg/registry/flowcontrol/rest/storage_flowcontrol.go, ensure
// Differs: syncs happen when something has changed, not once a minute.
package flowcontrol

import (
	"fmt"
	"strconv"
	"time"

	flowcontrolv1 "k8s.io/api/flowcontrol/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/plan"
)

// MaxObjects is how many objects of each kind a sync reads. Objects after these, by name, have no
// condition.
const MaxObjects = 1000

// maxChanges is the maximum number of objects that a plan changes.
const maxChanges = 100

// Snapshot is the existing objects, and those that every cluster has. Reconcile does not modify it.
type Snapshot struct {
	Schemas, OwnSchemas []*flowcontrolv1.FlowSchema
	Levels, OwnLevels   []*flowcontrolv1.PriorityLevelConfiguration
	Now                 time.Time
}

// Reconcile creates missing objects, corrects changed ones, removes those that a cluster used to
// have, and sets conditions.
func Reconcile(s Snapshot) (p plan.Plan) {
	keep(&p, s.Levels, s.OwnLevels, func(next, own *flowcontrolv1.PriorityLevelConfiguration) bool {
		want := own.Spec.DeepCopy()
		if own.Spec.Exempt != nil && next.Spec.Exempt != nil {
			want.Exempt = next.Spec.Exempt // a user may choose it
		}
		changed := !equality.Semantic.DeepEqual(next.Spec, *want)
		next.Spec = *want
		return changed
	})
	keep(&p, s.Schemas, s.OwnSchemas, func(next, own *flowcontrolv1.FlowSchema) bool {
		changed := !equality.Semantic.DeepEqual(next.Spec, own.Spec)
		next.Spec = *own.Spec.DeepCopy()
		return changed
	})
	levels := map[string]bool{}
	for _, l := range s.Levels {
		levels[l.Name] = true
	}
	for _, l := range s.OwnLevels {
		levels[l.Name] = true // exists once this plan is applied
	}
	touched := map[string]bool{}
	for _, u := range p.Updates {
		if schema, ok := u.Object.(*flowcontrolv1.FlowSchema); ok {
			touched[schema.Name] = true // the next sync sets its condition
		}
	}
	for _, schema := range s.Schemas {
		if len(p.Updates) >= maxChanges {
			p.WakeAt = s.Now
			break
		}
		if touched[schema.Name] || schema.DeletionTimestamp != nil {
			continue
		}
		if next := judged(schema, levels[schema.Spec.PriorityLevelConfiguration.Name], s.Now); next != nil {
			p.Updates = append(p.Updates, plan.Update{Object: next, Subresource: "status"})
		}
	}
	return p
}

// configuration is a FlowSchema or a PriorityLevelConfiguration.
type configuration[T any] interface {
	object.Object
	DeepCopy() T
}

// keep makes the cluster's own objects exist in their proper form, and removes those that it used
// to have. correct changes the spec of one, and reports whether it did.
func keep[T configuration[T]](p *plan.Plan, there, own []T, correct func(next, own T) bool) {
	missing := map[string]T{}
	for _, o := range own {
		missing[o.GetName()] = o
	}
	for _, o := range there {
		mine, known := missing[o.GetName()]
		delete(missing, o.GetName())
		automatic, says := automatic(o)
		if o.GetDeletionTimestamp() != nil {
			continue
		}
		if !known {
			if says && automatic && len(p.Deletes) < maxChanges {
				p.Deletes = append(p.Deletes, plan.Delete{Object: o, Propagation: metav1.DeletePropagationBackground})
			}
			continue
		}
		next := o.DeepCopy()
		changed := automatic && correct(next, mine)
		if changed {
			next.SetGeneration(o.GetGeneration() + 1)
		}
		if !says {
			metav1.SetMetaDataAnnotation(metaOf(next), flowcontrolv1.AutoUpdateAnnotationKey, strconv.FormatBool(automatic))
		}
		if changed || !says {
			p.Updates = append(p.Updates, plan.Update{Object: next})
		}
	}
	for _, o := range own {
		if _, is := missing[o.GetName()]; is {
			p.Creates = append(p.Creates, plan.Create{Object: o.DeepCopy()})
		}
	}
}

// automatic reports whether the cluster manages the object, and whether its annotation says so.
// Without the annotation, the cluster manages an object until its first change.
//
// Source: kubernetes v1.36 pkg/registry/flowcontrol/ensurer/strategy.go, shouldUpdateSpec
func automatic(o object.Object) (is, says bool) {
	is, err := strconv.ParseBool(o.GetAnnotations()[flowcontrolv1.AutoUpdateAnnotationKey])
	if err != nil {
		return o.GetGeneration() == 1, false
	}
	return is, true
}

func metaOf(o object.Object) *metav1.ObjectMeta {
	return o.(metav1.ObjectMetaAccessor).GetObjectMeta().(*metav1.ObjectMeta)
}

// judged is the FlowSchema with the condition that says whether its priority level exists; nil if
// it already has the condition.
//
// Source: kubernetes v1.36 staging/src/k8s.io/apiserver/pkg/util/flowcontrol/apf_controller.go, presyncFlowSchemaStatus
func judged(s *flowcontrolv1.FlowSchema, found bool, now time.Time) *flowcontrolv1.FlowSchema {
	want := Dangling(s, found, now)
	for i, c := range s.Status.Conditions {
		if c.Type != want.Type {
			continue
		}
		if c.Status == want.Status && c.Reason == want.Reason && c.Message == want.Message {
			return nil
		}
		next := s.DeepCopy()
		next.Status.Conditions[i] = want
		return next
	}
	next := s.DeepCopy()
	next.Status.Conditions = append(next.Status.Conditions, want)
	return next
}

// Dangling is the condition of a FlowSchema whose priority level was found or not.
func Dangling(s *flowcontrolv1.FlowSchema, found bool, now time.Time) flowcontrolv1.FlowSchemaCondition {
	c := flowcontrolv1.FlowSchemaCondition{
		Type: flowcontrolv1.FlowSchemaConditionDangling, Status: flowcontrolv1.ConditionTrue, Reason: "NotFound",
		Message: fmt.Sprintf(
			"This FlowSchema references the PriorityLevelConfiguration object named %q but there is no such object",
			s.Spec.PriorityLevelConfiguration.Name,
		),
		LastTransitionTime: metav1.Time{Time: now.Truncate(time.Second)},
	}
	if found {
		c.Status, c.Reason = flowcontrolv1.ConditionFalse, "Found"
		c.Message = fmt.Sprintf("This FlowSchema references the PriorityLevelConfiguration object named %q and it exists", s.Spec.PriorityLevelConfiguration.Name)
	}
	return c
}
