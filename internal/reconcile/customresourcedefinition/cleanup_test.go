package customresourcedefinition_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
	v1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/reconcile/customresourcedefinition"
	"github.com/rowlock/rowlock/internal/reconcile/laws"
)

// objects are custom resources.
func objects(n int) (all []object.Object) {
	for i := range n {
		o := object.NewCustom()
		o.SetName(fmt.Sprintf("w%d", i))
		all = append(all, o)
	}
	return all
}

// deleted marks a definition as being deleted.
func deleted(d *v1.CustomResourceDefinition) {
	d.DeletionTimestamp, d.Finalizers = &metav1.Time{Time: at}, []string{v1.CustomResourceCleanupFinalizer}
}

func TestClean(t *testing.T) {
	t.Parallel()
	terminating := "Terminating=True InstanceDeletionInProgress: CustomResource deletion is in progress"
	inProgress := func(d *v1.CustomResourceDefinition) {
		d.Status.Conditions = append(d.Status.Conditions, v1.CustomResourceDefinitionCondition{
			Type: v1.Terminating, Status: v1.ConditionTrue, Reason: "InstanceDeletionInProgress", Message: "CustomResource deletion is in progress",
		})
	}
	established := accepted(v1.Established)
	for _, tt := range []struct {
		name       string
		definition *v1.CustomResourceDefinition
		live, left int
		deletes    int
		again      bool
		released   bool
		want       []string // nil if the definition is left alone
	}{
		{name: "one that is not being deleted", definition: widgets(established), live: 1, left: 1},
		{name: "one without the finalizer", definition: widgets(established, deleted, func(d *v1.CustomResourceDefinition) { d.Finalizers = nil }), live: 1, left: 1},
		{name: "the first piece", definition: widgets(deleted), live: customresourcedefinition.Burst, left: 700, deletes: customresourcedefinition.Burst, again: true, want: []string{terminating}},
		{name: "the last piece", definition: widgets(deleted, inProgress), live: 200, left: 200, deletes: 200},
		{name: "objects that finalizers hold", definition: widgets(deleted, inProgress), left: 3},
		{name: "nothing is left", definition: widgets(established, deleted), released: true,
			want: []string{"Established=True : ", "Terminating=False InstanceDeletionCompleted: removed all instances"}},
		{name: "it was never established", definition: widgets(deleted), released: true, want: []string{"Terminating=False NeverEstablished: resource was never established"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			p := laws.Check(t, customresourcedefinition.Clean, customresourcedefinition.Cleanup{Definition: tt.definition, Live: objects(tt.live), Left: tt.left, Now: at})
			if len(p.Deletes) != tt.deletes || p.WakeAt.Equal(at) != tt.again || len(p.Creates) != 0 {
				t.Errorf("it deletes %d and asks for %v: %s", len(p.Deletes), p.WakeAt, p)
			}
			for _, d := range p.Deletes {
				if d.Propagation != metav1.DeletePropagationBackground {
					t.Fatalf("it deletes %s by the policy %q", d.Object.GetName(), d.Propagation)
				}
			}
			var got []string
			for _, u := range p.Updates {
				next := u.Object.(*v1.CustomResourceDefinition)
				got = conditions(next)
				if released := len(next.Finalizers) == 0; released != tt.released || released == (u.Subresource == "status") {
					t.Errorf("an update of %q leaves the finalizers %v", u.Subresource, next.Finalizers)
				}
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}
