package scheduler

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	storagev1 "k8s.io/api/storage/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/rowlock/rowlock/internal/kind/core"
	storagekind "github.com/rowlock/rowlock/internal/kind/storage"
	"github.com/rowlock/rowlock/internal/reconcile/laws"
	"github.com/rowlock/rowlock/internal/reconcile/volumestate"
)

// shelf is a Storage made of maps.
type shelf struct {
	Claims  map[string]*corev1.PersistentVolumeClaim
	Users   map[string][]*corev1.Pod
	Given   map[string]*corev1.PersistentVolume
	Classes map[string]*storagev1.StorageClass
	Full    bool
}

func (s *shelf) Claim(_, name string) (*corev1.PersistentVolumeClaim, []*corev1.Pod) {
	return s.Claims[name], s.Users[name]
}
func (s *shelf) Volume(name string) *corev1.PersistentVolume { return s.Given[name] }
func (s *shelf) Class(name string) *storagev1.StorageClass   { return s.Classes[name] }
func (s *shelf) HasRoom(*storagev1.StorageClass, *corev1.PersistentVolumeClaim, *corev1.Node) bool {
	return !s.Full
}

func (s *shelf) Volumes(claim *corev1.PersistentVolumeClaim) (free []*corev1.PersistentVolume) {
	for _, name := range []string{"v", "w"} {
		if v := s.Given[name]; v != nil && v.Spec.ClaimRef == nil && v.Spec.StorageClassName == core.ClassOfClaim(claim) {
			free = append(free, v)
		}
	}
	return free
}

func using(claim string) podOption {
	return func(p *corev1.Pod) {
		p.Spec.Volumes = append(p.Spec.Volumes, corev1.Volume{Name: claim, VolumeSource: corev1.VolumeSource{
			PersistentVolumeClaim: &corev1.PersistentVolumeClaimVolumeSource{ClaimName: claim},
		}})
	}
}

func withOwn(volume string) podOption {
	return func(p *corev1.Pod) {
		p.Spec.Volumes = append(p.Spec.Volumes, corev1.Volume{Name: volume, VolumeSource: corev1.VolumeSource{Ephemeral: &corev1.EphemeralVolumeSource{}}})
	}
}

func storage(amount string) corev1.ResourceList {
	return corev1.ResourceList{corev1.ResourceStorage: resource.MustParse(amount)}
}

func claimOf(name, class string, options ...func(*corev1.PersistentVolumeClaim)) *corev1.PersistentVolumeClaim {
	c := &corev1.PersistentVolumeClaim{
		ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: name, UID: types.UID("uid-" + name)},
		Spec: corev1.PersistentVolumeClaimSpec{StorageClassName: &class, AccessModes: []corev1.PersistentVolumeAccessMode{corev1.ReadWriteOnce},
			Resources: corev1.VolumeResourceRequirements{Requests: storage("1Gi")}},
		Status: corev1.PersistentVolumeClaimStatus{Phase: corev1.ClaimPending},
	}
	for _, o := range options {
		o(c)
	}
	return c
}

func boundTo(volume string) func(*corev1.PersistentVolumeClaim) {
	return func(c *corev1.PersistentVolumeClaim) {
		c.Spec.VolumeName, c.Status.Phase = volume, corev1.ClaimBound
		c.Annotations = map[string]string{volumestate.BindCompleted: "yes"}
	}
}

func volumeOn(name, class, node string, zones ...string) *corev1.PersistentVolume {
	v := &corev1.PersistentVolume{
		ObjectMeta: metav1.ObjectMeta{Name: name, UID: types.UID("uid-" + name)},
		Spec: corev1.PersistentVolumeSpec{Capacity: storage("1Gi"), StorageClassName: class, AccessModes: []corev1.PersistentVolumeAccessMode{corev1.ReadWriteOnce},
			PersistentVolumeSource: corev1.PersistentVolumeSource{NFS: &corev1.NFSVolumeSource{Server: "s", Path: "/"}}},
		Status: corev1.PersistentVolumeStatus{Phase: corev1.VolumeAvailable},
	}
	if node != "" {
		v.Spec.NodeAffinity = &corev1.VolumeNodeAffinity{Required: &corev1.NodeSelector{NodeSelectorTerms: []corev1.NodeSelectorTerm{{
			MatchExpressions: []corev1.NodeSelectorRequirement{{Key: corev1.LabelHostname, Operator: corev1.NodeSelectorOpIn, Values: []string{node}}},
		}}}}
	}
	if len(zones) > 0 {
		v.Labels = map[string]string{corev1.LabelTopologyZone: strings.Join(zones, "__")}
	}
	return v
}

// Source: kubernetes v1.36 pkg/scheduler/framework/plugins/volumebinding/volume_binding_test.go, volumezone/volume_zone_test.go and
// volumerestrictions/volume_restrictions_test.go; the messages are upstream's
func TestReconcile_Volumes(t *testing.T) {
	t.Parallel()
	class := func(name, provisioner string, mode storagev1.VolumeBindingMode) *storagev1.StorageClass {
		return &storagev1.StorageClass{ObjectMeta: metav1.ObjectMeta{Name: name}, Provisioner: provisioner, VolumeBindingMode: &mode}
	}
	classes := map[string]*storagev1.StorageClass{
		"waits":  class("waits", "a.example", storagev1.VolumeBindingWaitForFirstConsumer),
		"manual": class("manual", storagekind.NoProvisioner, storagev1.VolumeBindingWaitForFirstConsumer),
		"now":    class("now", "a.example", storagev1.VolumeBindingImmediate),
	}
	zone := class("zone", "a.example", storagev1.VolumeBindingWaitForFirstConsumer)
	zone.AllowedTopologies = []corev1.TopologySelectorTerm{{MatchLabelExpressions: []corev1.TopologySelectorLabelRequirement{{Key: corev1.LabelTopologyZone, Values: []string{"y"}}}}}
	classes["zone"] = zone
	alone := func(c *corev1.PersistentVolumeClaim) {
		c.Spec.AccessModes = []corev1.PersistentVolumeAccessMode{corev1.ReadWriteOncePod}
	}
	two := []fixture{zoned("node-1", "x"), zoned("node-2", "y")}
	all := func(problem string) []string {
		return []string{"0/2 nodes are available: " + problem + ". preemption: 0/2 nodes are available: 2 Preemption is not helpful for scheduling."}
	}
	selected := func(c *corev1.PersistentVolumeClaim) {
		c.Annotations = map[string]string{volumestate.SelectedNode: "node-2"}
	}
	for _, tt := range []struct {
		name     string
		pods     []*corev1.Pod
		claims   []*corev1.PersistentVolumeClaim
		volumes  []*corev1.PersistentVolume
		users    []*corev1.Pod
		full     bool
		want     string // the Pods' nodes, or the other objects that are changed
		messages []string
	}{
		{name: "no such claim", pods: []*corev1.Pod{pod("a", using("c"))}, want: "a=?", messages: all(`persistentvolumeclaim "c" not found`)},
		{name: "its own is not made yet", pods: []*corev1.Pod{pod("a", withOwn("v"))}, want: "a=?",
			messages: all(`waiting for ephemeral volume controller to create the persistentvolumeclaim "a-v"`)},
		{name: "its own is not its own", pods: []*corev1.Pod{pod("a", withOwn("v"))}, claims: []*corev1.PersistentVolumeClaim{claimOf("a-v", "waits")}, want: "a=?",
			messages: all("PVC default/a-v was not created for pod default/a (pod is not owner)")},
		{name: "the claim is going", pods: []*corev1.Pod{pod("a", using("c"))}, claims: []*corev1.PersistentVolumeClaim{claimOf("c", "waits", func(c *corev1.PersistentVolumeClaim) {
			c.DeletionTimestamp = &metav1.Time{Time: noon}
		})}, want: "a=?", messages: all(`persistentvolumeclaim "c" is being deleted`)},
		{name: "the claim has lost its volume", pods: []*corev1.Pod{pod("a", using("c"))}, claims: []*corev1.PersistentVolumeClaim{claimOf("c", "waits", boundTo("v"), func(c *corev1.PersistentVolumeClaim) {
			c.Status.Phase = corev1.ClaimLost
		})}, want: "a=?", messages: all(`persistentvolumeclaim "c" bound to non-existent persistentvolume "v"`)},
		{name: "the binder has to bind it first", pods: []*corev1.Pod{pod("a", using("c"))}, claims: []*corev1.PersistentVolumeClaim{claimOf("c", "now")}, want: "a=?",
			messages: all("pod has unbound immediate PersistentVolumeClaims")},
		{name: "a volume that all nodes reach", pods: []*corev1.Pod{pod("a", using("c"))}, claims: []*corev1.PersistentVolumeClaim{claimOf("c", "now", boundTo("v"))},
			volumes: []*corev1.PersistentVolume{volumeOn("v", "now", "")}, want: "a=node-1"},
		{name: "a volume of one node", pods: []*corev1.Pod{pod("a", using("c"))}, claims: []*corev1.PersistentVolumeClaim{claimOf("c", "now", boundTo("v"))},
			volumes: []*corev1.PersistentVolume{volumeOn("v", "now", "node-2")}, want: "a=node-2"},
		{name: "a volume of another", pods: []*corev1.Pod{pod("a", using("c"))}, claims: []*corev1.PersistentVolumeClaim{claimOf("c", "now", boundTo("v"))},
			volumes: []*corev1.PersistentVolume{volumeOn("v", "now", "node-3")}, want: "a=?", messages: all("2 node(s) didn't match PersistentVolume's node affinity")},
		{name: "the volume is gone", pods: []*corev1.Pod{pod("a", using("c"))}, claims: []*corev1.PersistentVolumeClaim{claimOf("c", "now", boundTo("v"))}, want: "a=?",
			messages: all("2 node(s) unavailable due to one or more pvc(s) bound to non-existent pv(s)")},
		{name: "a volume of two zones", pods: []*corev1.Pod{pod("a", using("c"))}, claims: []*corev1.PersistentVolumeClaim{claimOf("c", "now", boundTo("v"))},
			volumes: []*corev1.PersistentVolume{volumeOn("v", "now", "", "y", "z")}, want: "a=node-2"},
		{name: "a volume of another zone", pods: []*corev1.Pod{pod("a", using("c"))}, claims: []*corev1.PersistentVolumeClaim{claimOf("c", "now", boundTo("v"))},
			volumes: []*corev1.PersistentVolume{volumeOn("v", "now", "", "z")}, want: "a=?", messages: all("2 node(s) had no available volume zone")},
		{name: "one Pod alone may use it", pods: []*corev1.Pod{pod("a", using("c"))}, claims: []*corev1.PersistentVolumeClaim{claimOf("c", "now", boundTo("v"), alone)},
			volumes: []*corev1.PersistentVolume{volumeOn("v", "now", "")}, want: "a=node-1"},
		{name: "and another does", pods: []*corev1.Pod{pod("a", using("c"))}, claims: []*corev1.PersistentVolumeClaim{claimOf("c", "now", boundTo("v"), alone)},
			volumes: []*corev1.PersistentVolume{volumeOn("v", "now", "")}, users: []*corev1.Pod{pod("b", using("c"), func(p *corev1.Pod) { p.Spec.NodeName = "node-1" })},
			want: "a=?", messages: []string{"0/2 nodes are available: 2 node(s) unavailable due to PersistentVolumeClaim with ReadWriteOncePod access mode already in-use by another pod. " +
				"preemption: 0/2 nodes are available: 2 No preemption victims found for incoming pod."}},
		{name: "its volume will be made for the node", pods: []*corev1.Pod{pod("a", using("c"))}, claims: []*corev1.PersistentVolumeClaim{claimOf("c", "waits")},
			want: "c@node-1 a->node-1"},
		{name: "it is being made", pods: []*corev1.Pod{pod("a", using("c"))}, claims: []*corev1.PersistentVolumeClaim{claimOf("c", "waits", selected)}, want: "a->node-2"},
		{name: "where the class may have it", pods: []*corev1.Pod{pod("a", using("c"))}, claims: []*corev1.PersistentVolumeClaim{claimOf("c", "zone")}, want: "c@node-2 a->node-2"},
		{name: "there is no room for it", pods: []*corev1.Pod{pod("a", using("c"))}, claims: []*corev1.PersistentVolumeClaim{claimOf("c", "waits")}, full: true, want: "a=?",
			messages: all("2 node(s) did not have enough free storage")},
		{name: "STS-042 nobody makes any", pods: []*corev1.Pod{pod("a", using("c"))}, claims: []*corev1.PersistentVolumeClaim{claimOf("c", "manual")}, want: "a=?",
			messages: all("2 node(s) didn't find available persistent volumes to bind")},
		{name: "STS-042 a volume that is there", pods: []*corev1.Pod{pod("a", using("c"))}, claims: []*corev1.PersistentVolumeClaim{claimOf("c", "manual")},
			volumes: []*corev1.PersistentVolume{volumeOn("v", "manual", "node-2")}, want: "v:c a->node-2"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			shelf := &shelf{Claims: map[string]*corev1.PersistentVolumeClaim{}, Users: map[string][]*corev1.Pod{"c": tt.users}, Given: map[string]*corev1.PersistentVolume{}, Classes: classes, Full: tt.full}
			for _, c := range tt.claims {
				shelf.Claims[c.Name] = c
			}
			for _, v := range tt.volumes {
				shelf.Given[v.Name] = v
			}
			p := laws.Check(t, Reconcile, Snapshot{Pods: tt.pods, Cluster: cluster(two...), Related: &world{}, Storage: shelf, Now: noon})
			var got, messages []string
			for _, u := range p.Updates {
				switch o := u.Object.(type) {
				case *corev1.PersistentVolumeClaim:
					got = append(got, o.Name+"@"+o.Annotations[volumestate.SelectedNode])
				case *corev1.PersistentVolume:
					got = append(got, o.Name+":"+o.Spec.ClaimRef.Name)
				case *corev1.Pod:
					switch {
					case o.Spec.NodeName != "":
						got = append(got, o.Name+"="+o.Spec.NodeName)
					case o.Status.NominatedNodeName != "":
						got = append(got, o.Name+"->"+o.Status.NominatedNodeName)
					default:
						got = append(got, o.Name+"=?")
						messages = append(messages, o.Status.Conditions[0].Message)
					}
				}
			}
			if diff := cmp.Diff(fmt.Sprint(tt.want, tt.messages), fmt.Sprint(strings.Join(got, " "), messages)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}
