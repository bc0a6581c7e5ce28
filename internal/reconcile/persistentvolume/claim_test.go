package persistentvolume_test

import (
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	storagev1 "k8s.io/api/storage/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/rowlock/rowlock/internal/plan"
	"github.com/rowlock/rowlock/internal/reconcile/laws"
	"github.com/rowlock/rowlock/internal/reconcile/persistentvolume"
	"github.com/rowlock/rowlock/internal/reconcile/volumestate"
)

var now = time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)

func size(amount string) corev1.ResourceList {
	return corev1.ResourceList{corev1.ResourceStorage: resource.MustParse(amount)}
}

func newClaim(name string, options ...func(*corev1.PersistentVolumeClaim)) *corev1.PersistentVolumeClaim {
	c := &corev1.PersistentVolumeClaim{
		ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: name, UID: types.UID("uid-" + name), Finalizers: []string{"kubernetes.io/pvc-protection"}},
		Spec: corev1.PersistentVolumeClaimSpec{
			AccessModes: []corev1.PersistentVolumeAccessMode{corev1.ReadWriteOnce}, StorageClassName: new("manual"),
			Resources: corev1.VolumeResourceRequirements{Requests: size("1Gi")},
		},
		Status: corev1.PersistentVolumeClaimStatus{Phase: corev1.ClaimPending},
	}
	for _, o := range options {
		o(c)
	}
	return c
}

func ofClass(class *string) func(*corev1.PersistentVolumeClaim) {
	return func(c *corev1.PersistentVolumeClaim) { c.Spec.StorageClassName = class }
}

func naming(volume string) func(*corev1.PersistentVolumeClaim) {
	return func(c *corev1.PersistentVolumeClaim) { c.Spec.VolumeName = volume }
}

func boundTo(volume string) func(*corev1.PersistentVolumeClaim) {
	return func(c *corev1.PersistentVolumeClaim) {
		c.Spec.VolumeName = volume
		c.Annotations = map[string]string{volumestate.BindCompleted: "yes"}
		c.Status = corev1.PersistentVolumeClaimStatus{Phase: corev1.ClaimBound, AccessModes: c.Spec.AccessModes, Capacity: size("1Gi")}
	}
}

func leaving(c *corev1.PersistentVolumeClaim) { c.DeletionTimestamp = &metav1.Time{Time: now} }

func newVolume(name string, options ...func(*corev1.PersistentVolume)) *corev1.PersistentVolume {
	v := &corev1.PersistentVolume{
		ObjectMeta: metav1.ObjectMeta{Name: name, UID: types.UID("uid-" + name), Finalizers: []string{"kubernetes.io/pv-protection"}},
		Spec: corev1.PersistentVolumeSpec{
			Capacity: size("1Gi"), AccessModes: []corev1.PersistentVolumeAccessMode{corev1.ReadWriteOnce}, StorageClassName: "manual",
			PersistentVolumeReclaimPolicy: corev1.PersistentVolumeReclaimRetain,
			PersistentVolumeSource:        corev1.PersistentVolumeSource{NFS: &corev1.NFSVolumeSource{Server: "s", Path: "/"}},
		},
		Status: corev1.PersistentVolumeStatus{Phase: corev1.VolumeAvailable},
	}
	for _, o := range options {
		o(v)
	}
	return v
}

func of(capacity string) func(*corev1.PersistentVolume) {
	return func(v *corev1.PersistentVolume) { v.Spec.Capacity = size(capacity) }
}

func claimedBy(claim *corev1.PersistentVolumeClaim) func(*corev1.PersistentVolume) {
	return func(v *corev1.PersistentVolume) {
		v.Spec.ClaimRef, v.Status.Phase = volumestate.Reference(claim), corev1.VolumeBound
	}
}

func newClass(provisioner string, mode storagev1.VolumeBindingMode) *storagev1.StorageClass {
	return &storagev1.StorageClass{
		ObjectMeta: metav1.ObjectMeta{Name: "fast", UID: "uid-fast"}, Provisioner: provisioner, VolumeBindingMode: &mode,
		ReclaimPolicy: new(corev1.PersistentVolumeReclaimDelete),
	}
}

func newUser(options ...func(*corev1.Pod)) *corev1.Pod {
	p := &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: "p", UID: "uid-p"},
		Spec: corev1.PodSpec{NodeName: "node-1", Volumes: []corev1.Volume{{Name: "v", VolumeSource: corev1.VolumeSource{
			PersistentVolumeClaim: &corev1.PersistentVolumeClaimVolumeSource{ClaimName: "c"},
		}}}},
	}
	for _, o := range options {
		o(p)
	}
	return p
}

func ephemeral(p *corev1.Pod) {
	p.Name = "p"
	p.Spec.Volumes[0].VolumeSource = corev1.VolumeSource{Ephemeral: &corev1.EphemeralVolumeSource{}}
}

func TestReconcileClaim(t *testing.T) {
	t.Parallel()
	immediate, waits := newClass("rowlock.io/emulated", storagev1.VolumeBindingImmediate), newClass("rowlock.io/emulated", storagev1.VolumeBindingWaitForFirstConsumer)
	fast := ofClass(new("fast"))
	made := newClaim("p-v", boundTo("v"), leaving, func(c *corev1.PersistentVolumeClaim) {
		c.OwnerReferences = []metav1.OwnerReference{{APIVersion: "v1", Kind: "Pod", Name: "p", UID: "uid-p", Controller: new(true)}}
	})
	const (
		told        = "event PersistentVolumeClaim default/c "
		updated     = "update PersistentVolumeClaim default/c\n"
		bindsV      = "update PersistentVolume v\n" + updated
		provisioned = updated + "create PersistentVolume pvc-uid-c\n" +
			told + "Normal ExternalProvisioning \"Waiting for a volume to be created either by the external provisioner " +
			"'rowlock.io/emulated' or manually by the system administrator. " +
			"If volume creation is delayed, please verify that the provisioner is running and correctly registered.\"\n" +
			told + `Normal Provisioning "External provisioner is provisioning volume for claim \"default/c\""` + "\n" +
			told + `Normal ProvisioningSucceeded "Successfully provisioned volume pvc-uid-c"` + "\n"
	)
	for _, tt := range []struct {
		name string
		s    persistentvolume.ClaimSnapshot
		want string
	}{
		{"of no class, and there is no volume", persistentvolume.ClaimSnapshot{Claim: newClaim("c", ofClass(new("")))},
			told + `Normal FailedBinding "no persistent volumes available for this claim and no storage class is set"` + "\nremember\n"},
		{"what was told is not told again", persistentvolume.ClaimSnapshot{Claim: newClaim("c", ofClass(new(""))),
			Memory: []byte("FailedBinding no persistent volumes available for this claim and no storage class is set")}, ""},
		{"of a class that does not exist", persistentvolume.ClaimSnapshot{Claim: newClaim("c", fast)},
			told + `Warning ProvisioningFailed "storageclass.storage.k8s.io \"fast\" not found"` + "\nremember\n"},
		{"STS-012 it gets the default class", persistentvolume.ClaimSnapshot{Claim: newClaim("c", ofClass(nil)), Default: immediate}, updated},
		{"a volume is made", persistentvolume.ClaimSnapshot{Claim: newClaim("c", fast), Class: immediate}, provisioned},
		{"or is not, while it waits for its first Pod", persistentvolume.ClaimSnapshot{Claim: newClaim("c", fast), Class: waits},
			told + `Normal WaitForFirstConsumer "waiting for first consumer to be created before binding"` + "\nremember\n"},
		{"whose node is to be chosen", persistentvolume.ClaimSnapshot{Claim: newClaim("c", fast), Class: waits,
			Pods: []*corev1.Pod{newUser(func(p *corev1.Pod) { p.Spec.NodeName = "" })}},
			told + `Normal WaitForPodScheduled "waiting for pod p to be scheduled"` + "\nremember\n"},
		{"and is made once it is", persistentvolume.ClaimSnapshot{Claim: newClaim("c", fast, func(c *corev1.PersistentVolumeClaim) {
			c.Annotations = map[string]string{volumestate.SelectedNode: "node-1"}
		}), Class: waits, Node: &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: "node-1"}}}, provisioned},
		{"the volume is refused", persistentvolume.ClaimSnapshot{Claim: newClaim("c", fast), Class: immediate, Refused: &plan.Refusal{Message: "no"}},
			told + `Warning ProvisioningFailed "failed to provision volume with StorageClass \"fast\": no"` + "\nremember\nretry\n"},
		{"STS-042 nobody makes volumes", persistentvolume.ClaimSnapshot{Claim: newClaim("c", fast), Class: newClass("kubernetes.io/no-provisioner", storagev1.VolumeBindingImmediate)},
			told + `Warning ProvisioningFailed "no volume plugin matched name: kubernetes.io/no-provisioner"` + "\nremember\n"},
		{"STS-042 the smallest that will do", persistentvolume.ClaimSnapshot{Claim: newClaim("c"),
			Volumes: []*corev1.PersistentVolume{newVolume("large", of("9Gi")), newVolume("tiny", of("1Mi")), newVolume("v", of("2Gi"))}}, bindsV},
		{"one that is set aside comes first", persistentvolume.ClaimSnapshot{Claim: newClaim("c"),
			Volumes: []*corev1.PersistentVolume{newVolume("small"), newVolume("v", of("9Gi"), func(v *corev1.PersistentVolume) {
				v.Spec.ClaimRef = &corev1.ObjectReference{Namespace: "default", Name: "c"}
			})}}, bindsV},
		{"the one that it names", persistentvolume.ClaimSnapshot{Claim: newClaim("c", naming("v")), Volume: newVolume("v")}, bindsV},
		{"which does not exist", persistentvolume.ClaimSnapshot{Claim: newClaim("c", naming("v"))}, ""},
		{"which is another's", persistentvolume.ClaimSnapshot{Claim: newClaim("c", naming("v")), Volume: newVolume("v", claimedBy(newClaim("d")))},
			told + `Warning FailedBinding "volume \"v\" already bound to a different claim."` + "\nremember\n"},
		{"which is too small", persistentvolume.ClaimSnapshot{Claim: newClaim("c", naming("v")), Volume: newVolume("v", of("1Mi"))},
			told + `Warning VolumeMismatch "Cannot bind to requested volume \"v\": requested PV is too small"` + "\nremember\n"},
		{"it is bound", persistentvolume.ClaimSnapshot{Claim: newClaim("c", boundTo("v")), Volume: newVolume("v", claimedBy(newClaim("c")))}, ""},
		{"its volume is gone", persistentvolume.ClaimSnapshot{Claim: newClaim("c", boundTo("v"))},
			"update PersistentVolumeClaim default/c status\n" + told + `Warning ClaimLost "Bound claim has lost its PersistentVolume. Data on the volume is lost!"` + "\n"},
		{"its volume is another's", persistentvolume.ClaimSnapshot{Claim: newClaim("c", boundTo("v")), Volume: newVolume("v", claimedBy(newClaim("d")))},
			"update PersistentVolumeClaim default/c status\n" + told + `Warning ClaimMisbound "Two claims are bound to the same volume, this one is bound incorrectly"` + "\n"},
		{"deleted, and no Pod uses it", persistentvolume.ClaimSnapshot{Claim: newClaim("c", leaving)}, updated},
		{"deleted, of a class that does not exist", persistentvolume.ClaimSnapshot{Claim: newClaim("c", fast, leaving)}, updated},
		{"deleted, while it waits for its first Pod", persistentvolume.ClaimSnapshot{Claim: newClaim("c", fast, leaving), Class: waits}, updated},
		{"deleted, and a Pod without a node waits for it", persistentvolume.ClaimSnapshot{Claim: newClaim("c", leaving),
			Pods: []*corev1.Pod{newUser(func(p *corev1.Pod) { p.Spec.NodeName = "" })}}, updated},
		{"deleted, and a Pod uses it", persistentvolume.ClaimSnapshot{Claim: newClaim("c", boundTo("v"), leaving),
			Volume: newVolume("v", claimedBy(newClaim("c"))), Pods: []*corev1.Pod{newUser()}}, ""},
		{"deleted, and a Pod that has ended used it", persistentvolume.ClaimSnapshot{Claim: newClaim("c", boundTo("v"), leaving),
			Volume: newVolume("v", claimedBy(newClaim("c"))), Pods: []*corev1.Pod{newUser(func(p *corev1.Pod) { p.Status.Phase = corev1.PodSucceeded })}}, ""},
		{"deleted, and made for a Pod that has ended", persistentvolume.ClaimSnapshot{Claim: made, Volume: newVolume("v", claimedBy(made)),
			Pods: []*corev1.Pod{newUser(ephemeral, func(p *corev1.Pod) { p.Status.Phase = corev1.PodSucceeded })}}, ""},
		{"deleted, and made for a Pod that is shut down", persistentvolume.ClaimSnapshot{Claim: made, Volume: newVolume("v", claimedBy(made)),
			Pods: []*corev1.Pod{newUser(ephemeral, func(p *corev1.Pod) {
				p.DeletionTimestamp, p.DeletionGracePeriodSeconds = &metav1.Time{Time: now}, new(int64(0))
			})}}, "update PersistentVolumeClaim default/p-v\n"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			tt.s.Now = now
			if got := laws.Check(t, persistentvolume.ReconcileClaim, tt.s).String(); got != tt.want {
				t.Errorf("the plan is\n%s\nwant\n%s", got, tt.want)
			}
		})
	}
}

func TestReconcileVolume(t *testing.T) {
	t.Parallel()
	claim := newClaim("c", boundTo("v"))
	policy := func(p corev1.PersistentVolumeReclaimPolicy) func(*corev1.PersistentVolume) {
		return func(v *corev1.PersistentVolume) { v.Spec.PersistentVolumeReclaimPolicy = p }
	}
	phase := func(p corev1.PersistentVolumePhase) func(*corev1.PersistentVolume) {
		return func(v *corev1.PersistentVolume) { v.Status.Phase = p }
	}
	provisioned := func(v *corev1.PersistentVolume) {
		v.Annotations = map[string]string{volumestate.ProvisionedBy: "rowlock.io/emulated"}
		v.Spec.PersistentVolumeSource = corev1.PersistentVolumeSource{CSI: &corev1.CSIPersistentVolumeSource{Driver: "d", VolumeHandle: "h"}}
		v.Finalizers = append(v.Finalizers, "external-provisioner.volume.kubernetes.io/finalizer")
	}
	at := func(path string) func(*corev1.PersistentVolume) {
		return func(v *corev1.PersistentVolume) {
			v.Spec.PersistentVolumeSource = corev1.PersistentVolumeSource{HostPath: &corev1.HostPathVolumeSource{Path: path}}
		}
	}
	gone := func(v *corev1.PersistentVolume) { v.DeletionTimestamp = &metav1.Time{Time: now} }
	const status, told = "update PersistentVolume v status\n", "event PersistentVolume v "
	files := []plan.File{{Node: "persistentvolume/uid-v", Path: "/volume/f"}}
	for _, tt := range []struct {
		name   string
		volume *corev1.PersistentVolume
		claim  *corev1.PersistentVolumeClaim
		files  []plan.File
		want   string
	}{
		{name: "a new one", volume: newVolume("v", phase(corev1.VolumePending)), want: status},
		{name: "one that is free", volume: newVolume("v")},
		{name: "set aside for a claim that is not there", volume: newVolume("v", phase(corev1.VolumePending), func(v *corev1.PersistentVolume) {
			v.Spec.ClaimRef = &corev1.ObjectReference{Namespace: "default", Name: "c"}
		}), want: status},
		{name: "a claim's", volume: newVolume("v", claimedBy(claim)), claim: claim},
		{name: "its claim is gone, and it is retained", volume: newVolume("v", claimedBy(claim)), want: status},
		{name: "another claim of that name is no better", volume: newVolume("v", claimedBy(claim)), claim: newClaim("c", func(c *corev1.PersistentVolumeClaim) { c.UID = "other" }), want: status},
		{name: "recycled", volume: newVolume("v", claimedBy(claim), policy(corev1.PersistentVolumeReclaimRecycle)), files: files,
			want: "update PersistentVolume v status\n" + told + `Normal VolumeRecycled "Volume recycled"` + "\nremove /volume/f on node persistentvolume/uid-v\n"},
		{name: "deleted with what it holds", volume: newVolume("v", claimedBy(claim), provisioned, policy(corev1.PersistentVolumeReclaimDelete)), files: files,
			want: "delete PersistentVolume v changed\nremove /volume/f on node persistentvolume/uid-v\n"},
		{name: "no other volumes of CSI drivers are", volume: newVolume("v", claimedBy(claim), provisioned, func(v *corev1.PersistentVolume) { v.Annotations = nil },
			policy(corev1.PersistentVolumeReclaimDelete)), want: status},
		{name: "of directories only temporary ones", volume: newVolume("v", claimedBy(claim), at("/tmp/x"), policy(corev1.PersistentVolumeReclaimDelete)),
			want: "delete PersistentVolume v changed\n"},
		{name: "and no others", volume: newVolume("v", claimedBy(claim), at("/data"), policy(corev1.PersistentVolumeReclaimDelete)),
			want: status + told + `Warning VolumeFailedDelete "host_path deleter only supports /tmp/.+ but received provided /data"` + "\n"},
		{name: "nor those of other types", volume: newVolume("v", claimedBy(claim), policy(corev1.PersistentVolumeReclaimDelete)),
			want: status + told + `Warning VolumeFailedDelete "error getting deleter volume plugin for volume \"v\": no deletable volume plugin matched"` + "\n"},
		{name: "one that has failed stays", volume: newVolume("v", claimedBy(claim), phase(corev1.VolumeFailed), policy(corev1.PersistentVolumeReclaimDelete))},
		{name: "it is deleted while it is a claim's", volume: newVolume("v", claimedBy(claim), gone), claim: claim},
		{name: "and while it is free", volume: newVolume("v", gone), want: "update PersistentVolume v\n"},
		{name: "whatever its policy", volume: newVolume("v", gone, policy(corev1.PersistentVolumeReclaimRecycle)), want: "update PersistentVolume v\n"},
		{name: "and when it is released", volume: newVolume("v", claimedBy(claim), phase(corev1.VolumeReleased), gone), want: "update PersistentVolume v\n"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s := persistentvolume.VolumeSnapshot{Volume: tt.volume, Claim: tt.claim, Files: tt.files, Now: now}
			if got := laws.Check(t, persistentvolume.ReconcileVolume, s).String(); got != tt.want {
				t.Errorf("the plan is\n%s\nwant\n%s", got, tt.want)
			}
		})
	}
}
