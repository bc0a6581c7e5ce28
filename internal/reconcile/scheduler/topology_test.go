package scheduler

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/rowlock/rowlock/internal/plan"
	"github.com/rowlock/rowlock/internal/reconcile/laws"
)

// zoned is a node in a zone.
func zoned(name, zone string, options ...nodeOption) fixture {
	return node(name, append([]nodeOption{labelled(corev1.LabelTopologyZone, zone)}, options...)...)
}

func app(name string) podOption {
	return func(p *corev1.Pod) { p.Labels = map[string]string{"app": name} }
}

func in(namespace string) podOption { return func(p *corev1.Pod) { p.Namespace = namespace } }

func going(p *corev1.Pod) { p.DeletionTimestamp = &metav1.Time{Time: noon} }

func selects(app string) *metav1.LabelSelector {
	return &metav1.LabelSelector{MatchLabels: map[string]string{"app": app}}
}

func affinityOf(p *corev1.Pod) *corev1.Affinity {
	if p.Spec.Affinity == nil {
		p.Spec.Affinity = &corev1.Affinity{}
	}
	return p.Spec.Affinity
}

// near and far are required terms, toward and away preferred ones.
func near(app, key string, options ...func(*corev1.PodAffinityTerm)) podOption {
	return func(p *corev1.Pod) {
		a := affinityOf(p)
		if a.PodAffinity == nil {
			a.PodAffinity = &corev1.PodAffinity{}
		}
		a.PodAffinity.RequiredDuringSchedulingIgnoredDuringExecution = append(
			a.PodAffinity.RequiredDuringSchedulingIgnoredDuringExecution, newTestTerm(app, key, options))
	}
}

func far(app, key string, options ...func(*corev1.PodAffinityTerm)) podOption {
	return func(p *corev1.Pod) {
		a := affinityOf(p)
		if a.PodAntiAffinity == nil {
			a.PodAntiAffinity = &corev1.PodAntiAffinity{}
		}
		a.PodAntiAffinity.RequiredDuringSchedulingIgnoredDuringExecution = append(
			a.PodAntiAffinity.RequiredDuringSchedulingIgnoredDuringExecution, newTestTerm(app, key, options))
	}
}

func toward(app, key string, weight int32) podOption {
	return func(p *corev1.Pod) {
		affinityOf(p).PodAffinity = &corev1.PodAffinity{PreferredDuringSchedulingIgnoredDuringExecution: []corev1.WeightedPodAffinityTerm{
			{Weight: weight, PodAffinityTerm: newTestTerm(app, key, nil)}}}
	}
}

func away(app, key string, weight int32) podOption {
	return func(p *corev1.Pod) {
		affinityOf(p).PodAntiAffinity = &corev1.PodAntiAffinity{PreferredDuringSchedulingIgnoredDuringExecution: []corev1.WeightedPodAffinityTerm{
			{Weight: weight, PodAffinityTerm: newTestTerm(app, key, nil)}}}
	}
}

func newTestTerm(app, key string, options []func(*corev1.PodAffinityTerm)) corev1.PodAffinityTerm {
	t := corev1.PodAffinityTerm{LabelSelector: selects(app), TopologyKey: key}
	for _, o := range options {
		o(&t)
	}
	return t
}

func inNamespaces(names ...string) func(*corev1.PodAffinityTerm) {
	return func(t *corev1.PodAffinityTerm) { t.Namespaces = names }
}

func inNamespacesOf(team string) func(*corev1.PodAffinityTerm) {
	return func(t *corev1.PodAffinityTerm) {
		t.NamespaceSelector = &metav1.LabelSelector{}
		if team != "" {
			t.NamespaceSelector.MatchLabels = map[string]string{"team": team}
		}
	}
}

func spreading(app, key string, maxSkew int32, options ...func(*corev1.TopologySpreadConstraint)) podOption {
	return func(p *corev1.Pod) {
		c := corev1.TopologySpreadConstraint{MaxSkew: maxSkew, TopologyKey: key, LabelSelector: selects(app), WhenUnsatisfiable: corev1.DoNotSchedule}
		for _, o := range options {
			o(&c)
		}
		p.Spec.TopologySpreadConstraints = append(p.Spec.TopologySpreadConstraints, c)
	}
}

func anyway(c *corev1.TopologySpreadConstraint) { c.WhenUnsatisfiable = corev1.ScheduleAnyway }

func atLeast(domains int32) func(*corev1.TopologySpreadConstraint) {
	return func(c *corev1.TopologySpreadConstraint) { c.MinDomains = &domains }
}

func policies(affinity, taints corev1.NodeInclusionPolicy) func(*corev1.TopologySpreadConstraint) {
	return func(c *corev1.TopologySpreadConstraint) {
		c.NodeAffinityPolicy, c.NodeTaintsPolicy = &affinity, &taints
	}
}

// world is a Related made of maps.
type world struct {
	Labels   map[string]map[string]string
	Services map[string][]map[string]string
	Owners   map[types.UID]*metav1.LabelSelector
	Pods     map[types.UID]*corev1.Pod
	PDBs     []*policyv1.PodDisruptionBudget // of the namespace default
}

func (w *world) NamespaceLabels(namespace string) map[string]string    { return w.Labels[namespace] }
func (w *world) ServiceSelectors(namespace string) []map[string]string { return w.Services[namespace] }
func (w *world) Pod(uid types.UID) *corev1.Pod                         { return w.Pods[uid] }

func (w *world) Budgets(namespace string) []*policyv1.PodDisruptionBudget {
	if namespace != metav1.NamespaceDefault {
		return nil
	}
	return w.PDBs
}

func (w *world) OwnerSelector(pod *corev1.Pod) *metav1.LabelSelector {
	if owner := metav1.GetControllerOfNoCopy(pod); owner != nil {
		return w.Owners[owner.UID]
	}
	return nil
}

// outcome is "a=node-1 b=?", and what was said of those without a node.
func outcome(p plan.Plan) (where string, messages []string) {
	var out []string
	for _, u := range p.Updates {
		pod := u.Object.(*corev1.Pod)
		node := pod.Spec.NodeName
		if node == "" {
			node = "?"
			for _, c := range pod.Status.Conditions {
				if c.Type == corev1.PodScheduled {
					messages = append(messages, c.Message)
				}
			}
		}
		out = append(out, pod.Name+"="+node)
	}
	return strings.Join(out, " "), messages
}

func TestReconcile_NearAndFar(t *testing.T) {
	t.Parallel()
	const zone, host = corev1.LabelTopologyZone, corev1.LabelHostname
	related := &world{Labels: map[string]map[string]string{"default": {"team": "red"}, "shop": {"team": "blue"}}}
	web, db := pod("web", app("web")), pod("db", app("db"))
	tests := []struct {
		name     string
		pods     []*corev1.Pod
		nodes    []fixture
		want     string
		messages []string
	}{
		{
			name: "affinity goes where such a Pod is, by the label of the nodes",
			pods: []*corev1.Pod{pod("a", near("db", zone))}, nodes: []fixture{zoned("node-1", "x"), zoned("node-2", "y", cordoned), with(zoned("node-3", "y"), db)},
			want: "a=node-3",
		}, {
			name: "nobody to be near to", pods: []*corev1.Pod{pod("a", near("db", zone))}, nodes: []fixture{zoned("node-1", "x"), zoned("node-2", "y")},
			want: "a=?", messages: []string{"0/2 nodes are available: 2 node(s) didn't match pod affinity rules. preemption: 0/2 nodes are available: 2 Preemption is not helpful for scheduling."},
		}, {
			name:  "the first of a kind that looks for its own may go anywhere that has the label, and the others follow",
			pods:  []*corev1.Pod{pod("a", app("db"), near("db", zone)), pod("b", app("db"), near("db", zone)), pod("c", app("db"), near("db", zone))},
			nodes: []fixture{node("node-1"), zoned("node-2", "x"), zoned("node-3", "y")},
			want:  "a=node-2 b=node-2 c=node-2",
		}, {
			name: "but not where the label is missing", pods: []*corev1.Pod{pod("a", app("db"), near("db", zone))}, nodes: []fixture{node("node-1")},
			want: "a=?", messages: []string{"0/1 nodes are available: 1 node(s) didn't match pod affinity rules. preemption: 0/1 nodes are available: 1 Preemption is not helpful for scheduling."},
		}, {
			name: "all terms must be met by the same Pods", pods: []*corev1.Pod{pod("a", near("db", zone), near("web", zone))},
			nodes: []fixture{with(zoned("node-1", "x"), db, web)},
			want:  "a=?", messages: []string{"0/1 nodes are available: 1 node(s) didn't match pod affinity rules. preemption: 0/1 nodes are available: 1 Preemption is not helpful for scheduling."},
		}, {
			name: "whoever follows another of its batch is tried again when that one is placed",
			pods: []*corev1.Pod{pod("a", near("db", host)), pod("b", app("db"))}, nodes: []fixture{node("node-1"), node("node-2")},
			want: "b=node-1 a=node-1",
		}, {
			name: "anti-affinity keeps Pods of a kind apart", pods: []*corev1.Pod{pod("a", app("web"), far("web", host)), pod("b", app("web"), far("web", host)), pod("c", app("web"), far("web", host))},
			nodes: []fixture{node("node-1"), node("node-2")},
			want:  "a=node-1 b=node-2 c=?",
			messages: []string{
				"0/2 nodes are available: 2 node(s) didn't match pod anti-affinity rules. " +
					"preemption: 0/2 nodes are available: 2 No preemption victims found for incoming pod.",
			},
		}, {
			name: "a node without the label is far from everybody", pods: []*corev1.Pod{pod("a", far("web", zone))}, nodes: []fixture{with(zoned("node-1", "x"), web), with(node("node-2"), web)},
			want: "a=node-2",
		}, {
			name: "the anti-affinity of Pods that are there counts too", pods: []*corev1.Pod{pod("a", app("web")), pod("b", app("db"))},
			nodes: []fixture{with(zoned("node-1", "x"), pod("loner", far("web", zone))), zoned("node-2", "x")},
			want:  "a=? b=node-2",
			messages: []string{
				"0/2 nodes are available: 2 node(s) didn't satisfy existing pods anti-affinity rules. " +
					"preemption: 0/2 nodes are available: 2 No preemption victims found for incoming pod.",
			},
		}, {
			name: "as does that of Pods of the same batch", pods: []*corev1.Pod{pod("a", far("web", zone)), pod("b", app("web")), pod("c")},
			nodes: []fixture{zoned("node-1", "x"), zoned("node-2", "y")}, want: "a=node-1 b=node-2 c=node-1",
		}, {
			name: "a Pod that is being deleted is still there", pods: []*corev1.Pod{pod("a", far("web", host))},
			nodes: []fixture{with(node("node-1"), pod("x", app("web"), going)), with(node("node-2"), pod("y"), pod("z"))},
			want:  "a=node-2",
		}, {
			name: "terms are about the Pod's own namespace", pods: []*corev1.Pod{pod("a", far("web", host))},
			nodes: []fixture{with(node("node-1"), pod("x", app("web"), in("shop"))), with(node("node-2"), web)},
			want:  "a=node-1",
		}, {
			name: "or those that they name", pods: []*corev1.Pod{pod("a", far("web", host, inNamespaces("shop")))},
			nodes: []fixture{with(node("node-1"), pod("x", app("web"), in("shop"))), with(node("node-2"), web)},
			want:  "a=node-2",
		}, {
			name: "or whose labels they ask for", pods: []*corev1.Pod{pod("a", far("web", host, inNamespacesOf("blue")))},
			nodes: []fixture{with(node("node-1"), pod("x", app("web"), in("shop"))), with(node("node-2"), web)},
			want:  "a=node-2",
		}, {
			name: "an empty selector is all namespaces", pods: []*corev1.Pod{pod("a", far("web", host, inNamespacesOf("")))},
			nodes: []fixture{with(node("node-1"), pod("x", app("web"), in("shop"))), with(node("node-2"), web), with(node("node-3"), pod("y"), pod("z"))}, want: "a=node-3",
		}, {
			name: "preferred affinity outweighs room", pods: []*corev1.Pod{pod("a", toward("db", zone, 10))},
			nodes: []fixture{zoned("node-1", "x"), with(zoned("node-2", "y"), db), with(zoned("node-3", "y"), web, pod("w"))},
			want:  "a=node-2",
		}, {
			name: "preferred anti-affinity too", pods: []*corev1.Pod{pod("a", away("db", zone, 10))},
			nodes: []fixture{zoned("node-1", "y"), with(zoned("node-2", "y"), db), with(zoned("node-3", "x"), web, pod("w"))},
			want:  "a=node-3",
		}, {
			name: "Pods that are there have preferences as well", pods: []*corev1.Pod{pod("a", app("web"))},
			nodes: []fixture{
				with(zoned("node-1", "x"), pod("x", away("web", zone, 5))), with(zoned("node-2", "y"), pod("y"), pod("z")),
			},
			want: "a=node-2",
		}, {
			name: "and what they need to be near to is drawn to them", pods: []*corev1.Pod{pod("a", app("web"))},
			nodes: []fixture{zoned("node-1", "x"), with(zoned("node-2", "y"), web, pod("x", near("web", zone)))},
			want:  "a=node-2",
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got, messages := outcome(laws.Check(t, Reconcile, Snapshot{Pods: tt.pods, Cluster: cluster(tt.nodes...), Related: related, Now: noon}))
			if got != tt.want {
				t.Errorf("got %s, want %s", got, tt.want)
			}
			if diff := cmp.Diff(tt.messages, messages); diff != "" {
				t.Errorf("messages (-want +got):\n%s", diff)
			}
		})
	}
}

func TestReconcile_Spread(t *testing.T) {
	t.Parallel()
	const zone, host = corev1.LabelTopologyZone, corev1.LabelHostname
	web := func(name string, options ...podOption) *corev1.Pod {
		return pod(name, append([]podOption{app("web")}, options...)...)
	}
	several := func(n int, options ...podOption) (pods []*corev1.Pod) {
		for i := range n {
			pods = append(pods, web(fmt.Sprintf("p%d", i), options...))
		}
		return pods
	}
	const skewed = "didn't match pod topology spread constraints"
	tests := []struct {
		name     string
		pods     []*corev1.Pod
		nodes    []fixture
		related  *world
		want     string
		messages []string
	}{
		{
			name: "no zone gets more than one Pod more than another", pods: several(4, spreading("web", zone, 1)),
			nodes: []fixture{zoned("node-1", "x"), with(zoned("node-2", "x"), web("there")), zoned("node-3", "y"), zoned("node-4", "z")},
			want:  "p0=node-3 p1=node-4 p2=node-1 p3=node-3",
		}, {
			name: "a zone that is full holds up the others", pods: several(2, spreading("web", zone, 1)), nodes: []fixture{zoned("node-1", "x"), zoned("node-2", "y", offering("pods", "0"))},
			want:     "p0=node-1 p1=?",
			messages: []string{"0/2 nodes are available: 1 Too many pods, 1 node(s) " + skewed + ". preemption: 0/2 nodes are available: 2 No preemption victims found for incoming pod."},
		}, {
			name: "a node without the label is none", pods: several(1, spreading("web", zone, 1)), nodes: []fixture{node("node-1"), with(zoned("node-2", "y"), web("there"), web("too"))},
			want: "p0=node-2",
		}, {
			name: "no node has the label", pods: several(1, spreading("web", zone, 1)), nodes: []fixture{node("node-1")}, want: "p0=?",
			messages: []string{"0/1 nodes are available: 1 node(s) " + skewed + " (missing required label). preemption: 0/1 nodes are available: 1 Preemption is not helpful for scheduling."},
		}, {
			name: "too few zones count as an empty one more", pods: several(3, spreading("web", zone, 1, atLeast(3))), nodes: []fixture{zoned("node-1", "x"), zoned("node-2", "y")},
			want:     "p0=node-1 p1=node-2 p2=?",
			messages: []string{"0/2 nodes are available: 2 node(s) " + skewed + ". preemption: 0/2 nodes are available: 2 No preemption victims found for incoming pod."},
		}, {
			name: "enough zones do not", pods: several(3, spreading("web", zone, 1, atLeast(2))), nodes: []fixture{zoned("node-1", "x"), zoned("node-2", "y")},
			want: "p0=node-1 p1=node-2 p2=node-1",
		}, {
			name: "Pods that go, and those of other namespaces, do not count", pods: several(1, spreading("web", zone, 1)),
			nodes: []fixture{with(zoned("node-1", "x"), web("y"), web("z", going), web("w", in("shop"))), with(zoned("node-2", "y"), web("u"), web("v"))}, want: "p0=node-1",
		}, {
			name: "nodes that the Pod's selector rules out are not domains", pods: several(2, spreading("web", zone, 1), selecting("disk", "ssd")),
			nodes: []fixture{zoned("node-1", "x", labelled("disk", "ssd")), zoned("node-2", "y")}, want: "p0=node-1 p1=node-1",
		}, {
			name: "unless affinity is to be ignored", pods: several(2, spreading("web", zone, 1, policies("Ignore", "Ignore")), selecting("disk", "ssd")),
			nodes: []fixture{zoned("node-1", "x", labelled("disk", "ssd")), zoned("node-2", "y")}, want: "p0=node-1 p1=?",
			messages: []string{
				"0/2 nodes are available: 1 node(s) didn't match Pod's node affinity/selector, 1 node(s) " + skewed +
					". preemption: 0/2 nodes are available: 1 No preemption victims found for incoming pod, " +
					"1 Preemption is not helpful for scheduling.",
			},
		}, {
			name: "tainted nodes are domains", pods: several(2, spreading("web", zone, 1)), nodes: []fixture{zoned("node-1", "x"), zoned("node-2", "y", tainted(corev1.TaintEffectNoSchedule))},
			want: "p0=node-1 p1=?",
			messages: []string{
				"0/2 nodes are available: 1 node(s) " + skewed + ", 1 node(s) had untolerated taint(s). " +
					"preemption: 0/2 nodes are available: 1 No preemption victims found for incoming pod, " +
					"1 Preemption is not helpful for scheduling.",
			},
		}, {
			name: "unless taints are to be honoured", pods: several(2, spreading("web", zone, 1, policies("Honor", "Honor"))),
			nodes: []fixture{zoned("node-1", "x"), zoned("node-2", "y", tainted(corev1.TaintEffectNoSchedule))},
			want:  "p0=node-1 p1=node-1",
		}, {
			name: "two constraints", pods: several(4, spreading("web", zone, 1), spreading("web", host, 1)), nodes: []fixture{zoned("node-1", "x"), zoned("node-2", "x"), zoned("node-3", "y")},
			want: "p0=node-1 p1=node-3 p2=node-2 p3=node-3",
		}, {
			name: "a preference yields", pods: several(2, spreading("web", zone, 1, anyway)), nodes: []fixture{with(zoned("node-1", "x"), web("there")), zoned("node-2", "y", offering("pods", "1"))},
			want: "p0=node-2 p1=node-1",
		}, {
			name: "a preference is stronger than room", pods: several(2, spreading("web", zone, 1, anyway)),
			nodes: []fixture{with(zoned("node-1", "x"), web("there")), with(zoned("node-2", "y"), pod("a"), pod("b"), pod("c"))},
			want:  "p0=node-2 p1=node-1",
		}, {
			name: "Pods of a ReplicaSet spread over hosts without being told", pods: several(3, ownedBy("rs")), related: &world{Owners: map[types.UID]*metav1.LabelSelector{"rs": selects("web")}},
			nodes: []fixture{with(zoned("node-1", "x"), pod("big", requesting("cpu", "1"))), with(zoned("node-2", "y"), web("y"), web("z")), with(zoned("node-3", "z"), web("w"))},
			want:  "p0=node-1 p1=node-3 p2=node-1",
		}, {
			name: "as do those of a Service", pods: several(2), related: &world{Services: map[string][]map[string]string{"default": {{"app": "web"}, {"app": "db"}}}},
			nodes: []fixture{with(node("node-1"), web("x"), web("y")), with(node("node-2"), pod("a", requesting("cpu", "1", "memory", "1Gi")))}, want: "p0=node-2 p1=node-2",
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s := Snapshot{Pods: tt.pods, Cluster: cluster(tt.nodes...), Now: noon}
			if tt.related != nil {
				s.Related = tt.related
			}
			got, messages := outcome(laws.Check(t, Reconcile, s))
			if got != tt.want {
				t.Errorf("got %s, want %s", got, tt.want)
			}
			if diff := cmp.Diff(tt.messages, messages); diff != "" {
				t.Errorf("messages (-want +got):\n%s", diff)
			}
		})
	}
}
