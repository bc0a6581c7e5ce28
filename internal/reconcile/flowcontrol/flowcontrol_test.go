package flowcontrol_test

import (
	"testing"
	"time"

	flowcontrolv1 "k8s.io/api/flowcontrol/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	flowcontrolkind "github.com/rowlock/rowlock/internal/kind/flowcontrol"
	"github.com/rowlock/rowlock/internal/reconcile/flowcontrol"
	"github.com/rowlock/rowlock/internal/reconcile/laws"
)

var now = time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)

// settled is a cluster in which all is as it should be.
func settled() flowcontrol.Snapshot {
	s := flowcontrol.Snapshot{
		Schemas: flowcontrolkind.FlowSchemas(), OwnSchemas: flowcontrolkind.FlowSchemas(),
		Levels: flowcontrolkind.PriorityLevels(), OwnLevels: flowcontrolkind.PriorityLevels(), Now: now,
	}
	for _, schema := range s.Schemas {
		schema.Status.Conditions = []flowcontrolv1.FlowSchemaCondition{flowcontrol.Dangling(schema, true, now)}
	}
	return s
}

func schemaOf(s *flowcontrol.Snapshot, name string) *flowcontrolv1.FlowSchema {
	for _, schema := range s.Schemas {
		if schema.Name == name {
			return schema
		}
	}
	return nil
}

func TestReconcile(t *testing.T) {
	t.Parallel()
	added := func(level string) *flowcontrolv1.FlowSchema {
		schema := flowcontrolkind.FlowSchemas()[0]
		schema.ObjectMeta = metav1.ObjectMeta{Name: "mine", Generation: 1}
		schema.Spec.PriorityLevelConfiguration.Name = level
		return schema
	}
	for _, tt := range []struct {
		name   string
		change func(s *flowcontrol.Snapshot)
		want   string // by verbs and names
	}{
		{"all is there", func(*flowcontrol.Snapshot) {}, ""},
		{
			"nothing is", func(s *flowcontrol.Snapshot) { s.Levels, s.Schemas = s.Levels[:1], s.Schemas[:9] },
			"+exempt +system +node-high +leader-election +workload-high +workload-low +global-default +service-accounts " +
				"+global-default ",
		},
		{"a spec is changed", func(s *flowcontrol.Snapshot) { schemaOf(s, "probes").Spec.MatchingPrecedence = 3 }, "probes/ "},
		{"by who looks after it", func(s *flowcontrol.Snapshot) {
			schemaOf(s, "probes").Spec.MatchingPrecedence = 3
			schemaOf(s, "probes").Annotations[flowcontrolv1.AutoUpdateAnnotationKey] = "false"
		}, ""},
		{"an annotation is removed", func(s *flowcontrol.Snapshot) { schemaOf(s, "probes").Annotations = nil }, "probes/ "},
		{"exempt may be changed", func(s *flowcontrol.Snapshot) { s.Levels[1].Spec.Exempt.LendablePercent = new(int32(50)) }, ""},
		{"a user's", func(s *flowcontrol.Snapshot) { s.Schemas = append(s.Schemas, added("system")) }, "mine/status "},
		{"a user's without its level", func(s *flowcontrol.Snapshot) { s.Schemas = append(s.Schemas, added("none")) }, "mine/status "},
		{"one that clusters had once", func(s *flowcontrol.Snapshot) {
			s.Levels[7].Name = "old"
			s.Schemas = s.Schemas[:10]
		}, "+global-default +global-default -old "},
		{"one that is going", func(s *flowcontrol.Snapshot) {
			schema := added("none")
			schema.DeletionTimestamp = &metav1.Time{Time: now}
			s.Schemas = append(s.Schemas, schema)
		}, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s := settled()
			tt.change(&s)
			p, got := laws.Check(t, flowcontrol.Reconcile, s), ""
			for _, c := range p.Creates {
				got += "+" + c.Object.GetName() + " "
			}
			for _, u := range p.Updates {
				got += u.Object.GetName() + "/" + u.Subresource + " "
			}
			for _, d := range p.Deletes {
				got += "-" + d.Object.GetName() + " "
			}
			if got != tt.want {
				t.Errorf("the plan is %q, want %q", got, tt.want)
			}
		})
	}
}

// The condition says whether the level is there, and a plan changes a hundred objects at most.
func TestReconcile_Conditions(t *testing.T) {
	t.Parallel()
	s := settled()
	for i := range 250 {
		schema := flowcontrolkind.FlowSchemas()[0]
		schema.ObjectMeta = metav1.ObjectMeta{Name: "mine", UID: "mine", Generation: int64(i)}
		schema.Spec.PriorityLevelConfiguration.Name = "none"
		s.Schemas = append(s.Schemas, schema)
	}
	p := flowcontrol.Reconcile(s)
	if len(p.Updates) != 100 || !p.WakeAt.Equal(now) {
		t.Fatalf("%d changes, and then at %s", len(p.Updates), p.WakeAt)
	}
	want := flowcontrolv1.FlowSchemaCondition{
		Type: "Dangling", Status: "True", Reason: "NotFound", LastTransitionTime: metav1.NewTime(now),
		Message: `This FlowSchema references the PriorityLevelConfiguration object named "none" but there is no such object`,
	}
	if got := p.Updates[0].Object.(*flowcontrolv1.FlowSchema).Status.Conditions[0]; got != want {
		t.Errorf("the condition is %+v", got)
	}
}
