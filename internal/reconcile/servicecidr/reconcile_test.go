package servicecidr_test

import (
	"fmt"
	"net/netip"
	"testing"
	"time"

	networkingv1 "k8s.io/api/networking/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/rowlock/rowlock/internal/plan"
	"github.com/rowlock/rowlock/internal/reconcile/laws"
	"github.com/rowlock/rowlock/internal/reconcile/servicecidr"
)

var noon = time.Date(2026, 1, 2, 12, 0, 0, 0, time.UTC)

func ranges(cidrs ...string) *networkingv1.ServiceCIDR {
	return &networkingv1.ServiceCIDR{ObjectMeta: metav1.ObjectMeta{Name: "more", UID: "more"}, Spec: networkingv1.ServiceCIDRSpec{CIDRs: cidrs}}
}

// said is a plan with what its update makes of the ServiceCIDR.
func said(p plan.Plan) string {
	text := p.String()
	for _, u := range p.Updates {
		c := u.Object.(*networkingv1.ServiceCIDR)
		text += fmt.Sprintln(c.Finalizers, c.Status.Conditions[0].Status, c.Status.Conditions[0].Reason)
	}
	return text
}

// Source: kubernetes v1.36 pkg/controller/servicecidrs/servicecidrs_controller_test.go, TestControllerSync
func TestReconcile(t *testing.T) {
	t.Parallel()
	ready := func(at time.Duration) *networkingv1.ServiceCIDR {
		c := servicecidr.NewReady("more", "10.1.0.0/24", noon)
		if at >= 0 {
			c.DeletionTimestamp = &metav1.Time{Time: noon.Add(-at)}
		}
		return c
	}
	told := ready(0)
	told.Status.Conditions[0].Status, told.Status.Conditions[0].Reason = metav1.ConditionFalse, "Terminating"
	told.Status.Conditions[0].Message = "There are still IPAddresses referencing the ServiceCIDR, please remove them or create a new ServiceCIDR"
	free := ready(0)
	free.Finalizers = []string{"example.com/other"}
	parent := []*networkingv1.ServiceCIDR{ranges("10.1.0.0/16")}
	leaving := ranges("10.1.0.128/25")
	leaving.DeletionTimestamp = &metav1.Time{Time: noon}
	tests := []struct {
		name   string
		s      servicecidr.Snapshot
		want   string
		wakeAt time.Time
		wakes  int
	}{
		{"a new one", servicecidr.Snapshot{ServiceCIDR: ranges("10.1.0.0/24")}, "update ServiceCIDR more\n[networking.k8s.io/service-cidr-finalizer] True \n", time.Time{}, 0},
		{"one that another waits for", servicecidr.Snapshot{ServiceCIDR: ranges("10.1.0.0/24"), Others: []*networkingv1.ServiceCIDR{leaving, parent[0]}},
			"update ServiceCIDR more\n[networking.k8s.io/service-cidr-finalizer] True \n", time.Time{}, 1},
		{"one that is ready", servicecidr.Snapshot{ServiceCIDR: ready(-1)}, "", time.Time{}, 0},
		{"deleted while it is in use", servicecidr.Snapshot{ServiceCIDR: ready(time.Hour), InUse: true},
			"update ServiceCIDR more status\n[networking.k8s.io/service-cidr-finalizer] False Terminating\n", time.Time{}, 0},
		{"which is said once", servicecidr.Snapshot{ServiceCIDR: told, InUse: true}, "", time.Time{}, 0},
		{"deleted while another covers it", servicecidr.Snapshot{ServiceCIDR: ready(10 * time.Second), Others: parent, InUse: true},
			"update ServiceCIDR more\n[] True \n", time.Time{}, 0},
		{"just deleted", servicecidr.Snapshot{ServiceCIDR: ready(4 * time.Second)}, "", noon.Add(6 * time.Second), 0},
		{"deleted ten seconds ago", servicecidr.Snapshot{ServiceCIDR: ready(10 * time.Second)}, "update ServiceCIDR more\n[] True \n", time.Time{}, 0},
		{"kept by somebody else alone", servicecidr.Snapshot{ServiceCIDR: free}, "", time.Time{}, 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			tt.s.Now, tt.s.Waker = noon, "servicecidr"
			p := laws.Check(t, servicecidr.Reconcile, tt.s)
			if !p.WakeAt.Equal(tt.wakeAt) || len(p.Wakes) != tt.wakes {
				t.Errorf("it wakes %v at %v", p.Wakes, p.WakeAt)
			}
			p.WakeAt, p.Wakes = time.Time{}, nil
			if got := said(p); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
			for _, u := range p.Updates {
				tt.s.ServiceCIDR = u.Object.(*networkingv1.ServiceCIDR)
			}
			if again := servicecidr.Reconcile(tt.s); !again.Empty() {
				t.Errorf("once applied, it plans %s", again)
			}
		})
	}
}

func TestCovered(t *testing.T) {
	t.Parallel()
	tests := []struct {
		cidrs, others []string
		want          bool
	}{
		{[]string{"10.1.0.0/24"}, nil, false},
		{[]string{"10.1.0.0/24"}, []string{"10.1.0.0/24"}, true},
		{[]string{"10.1.0.0/24"}, []string{"10.1.0.0/25", "10.1.0.128/25"}, false},
		{[]string{"10.1.0.0/24", "2001:db8::/64"}, []string{"10.0.0.0/8"}, false},
		{[]string{"10.1.0.0/24", "2001:db8::/64"}, []string{"10.0.0.0/8", "2001:db8::/32"}, true},
	}
	for _, tt := range tests {
		var others []*networkingv1.ServiceCIDR
		for _, cidr := range tt.others {
			others = append(others, ranges(cidr))
		}
		if got := servicecidr.Covered(ranges(tt.cidrs...), others); got != tt.want {
			t.Errorf("%v in %v: %v", tt.cidrs, tt.others, got)
		}
	}
}

func TestAlone(t *testing.T) {
	t.Parallel()
	c, others := ranges("10.1.0.0/24"), []*networkingv1.ServiceCIDR{ranges("10.1.0.128/25")}
	for ip, want := range map[string]bool{"10.1.0.7": true, "10.1.0.200": false, "10.2.0.7": false} {
		if got := servicecidr.Alone(c, others, netip.MustParseAddr(ip)); got != want {
			t.Errorf("%s: %v", ip, got)
		}
	}
}
