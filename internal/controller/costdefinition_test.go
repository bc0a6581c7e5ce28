package controller_test

import (
	"fmt"
	"strings"
	"testing"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/rowlock/rowlock/internal/controller"
	"github.com/rowlock/rowlock/internal/controller/names"
	"github.com/rowlock/rowlock/internal/engine"
	"github.com/rowlock/rowlock/internal/mirror"
	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/wakeup"
)

// definition makes one whose names are accepted, or one that was refused the plural that it wants.
func definition(name, state string) *apiextensionsv1.CustomResourceDefinition {
	d := &apiextensionsv1.CustomResourceDefinition{ObjectMeta: meta("", name)}
	d.Spec.Group = "example.com"
	d.Spec.Names = apiextensionsv1.CustomResourceDefinitionNames{Plural: name, Singular: name, Kind: strings.ToUpper(name), ListKind: strings.ToUpper(name) + "List"}
	d.Status.AcceptedNames = d.Spec.Names
	accepted := apiextensionsv1.CustomResourceDefinitionCondition{Type: apiextensionsv1.NamesAccepted, Status: apiextensionsv1.ConditionTrue, Reason: "NoConflicts", Message: "no conflicts found"}
	if state == "Refused" {
		accepted.Status, d.Status.AcceptedNames.Plural = apiextensionsv1.ConditionFalse, ""
	}
	d.Status.Conditions = []apiextensionsv1.CustomResourceDefinitionCondition{accepted}
	return d
}

// TestCost_OfReleasedNames: of the definitions that wait for names, those that can have them get
// them, in pieces. Those that cannot are not read, and block no others, however many they are and
// wherever they are in the order.
//
//nolint:paralleltest // bodies are counted that the whole process decodes
func TestCost_OfReleasedNames(t *testing.T) {
	var costs [2]cost
	for i, refused := range []int{30, 600} {
		c := newCostWorld(t, 0)
		c.made = nil
		c.add(definition("held", "Accepted"))
		for i := range refused {
			d := definition(fmt.Sprintf("a-%04d", i), "Refused")
			d.Spec.Names.Plural = "held"
			c.add(d)
		}
		for i := range 25 {
			c.add(definition(fmt.Sprintf("b-%04d", i), "Refused"))
		}
		for i, v := range c.made {
			v.Revision = c.mirror.Revision() + object.Revision(i+1)
		}
		c.mirror.Committed(c.made)
		for _, one := range controller.Controllers(c.world) {
			if one.Name != names.CustomResourceDefinition {
				continue
			}
			look := engine.Request{UID: wakeup.HousekeepingLock}
			costs[i] = c.sync(one, look) // first, as definitions that were decoded are kept only until memory is collected
			c.mirror.Read(func(v mirror.View) {
				p := one.Reconcile(v, []engine.Request{look}, start)[0].Plan
				if len(p.Updates) != 20 || p.Updates[0].Object.GetName() != "b-0000" || !p.WakeAt.Equal(start) {
					t.Errorf("beside %d that are refused, %d get their names, and the next sync is at %v", refused, len(p.Updates), p.WakeAt)
				}
			})
		}
	}
	if costs[0].Decodes != costs[1].Decodes || costs[0].Writes != 20 {
		t.Errorf("the cost grows with those that are refused: %+v", costs)
	}
}
