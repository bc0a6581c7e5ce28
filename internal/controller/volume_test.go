package controller_test

import (
	"fmt"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/rowlock/rowlock/internal/controller"
	"github.com/rowlock/rowlock/internal/controller/names"
	"github.com/rowlock/rowlock/internal/controller/world"
	"github.com/rowlock/rowlock/internal/engine"
	"github.com/rowlock/rowlock/internal/kind/builtin"
	"github.com/rowlock/rowlock/internal/mirror"
	"github.com/rowlock/rowlock/internal/object"
)

// TestClaims_RaceForVolumes: three replicas bind many PersistentVolumeClaims to fewer volumes, and
// in every version of every object no PersistentVolumeClaim has two volumes and no volume two
// PersistentVolumeClaims. Those that come too late get what the others leave.
func TestClaims_RaceForVolumes(t *testing.T) {
	t.Parallel()
	const claims, volumes = 24, 16
	r := newReplica(t)
	replicas := []replica{r, joinReplica(t, r.URL, mirror.Config{}), joinReplica(t, r.URL, mirror.Config{})}
	size := corev1.ResourceList{corev1.ResourceStorage: resource.MustParse("1Gi")}
	for i := range volumes {
		r.Create(&corev1.PersistentVolume{
			ObjectMeta: metav1.ObjectMeta{Name: fmt.Sprint("volume-", i)},
			Spec: corev1.PersistentVolumeSpec{
				Capacity: size, AccessModes: []corev1.PersistentVolumeAccessMode{corev1.ReadWriteOnce}, StorageClassName: "manual",
				PersistentVolumeReclaimPolicy: corev1.PersistentVolumeReclaimRetain,
				PersistentVolumeSource:        corev1.PersistentVolumeSource{NFS: &corev1.NFSVolumeSource{Server: "s", Path: "/"}},
			},
			Status: corev1.PersistentVolumeStatus{Phase: corev1.VolumeAvailable},
		})
	}
	for i := range claims {
		r.Create(&corev1.PersistentVolumeClaim{
			ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: fmt.Sprint("claim-", i)},
			Spec: corev1.PersistentVolumeClaimSpec{
				AccessModes: []corev1.PersistentVolumeAccessMode{corev1.ReadWriteOnce}, StorageClassName: new("manual"),
				Resources: corev1.VolumeResourceRequirements{Requests: size},
			},
			Status: corev1.PersistentVolumeClaimStatus{Phase: corev1.ClaimPending},
		})
	}
	for _, replica := range replicas {
		for _, c := range controller.Controllers(world.World{Kinds: builtin.Catalogue(), Nodes: world.NewNodes(), Expiry: &world.Expiry{}}) {
			if c.Name == names.PersistentVolumeClaim || c.Name == names.PersistentVolume {
				c.Batch = 2
				replica.Run(engine.New(replica.Deps, c).Run)
			}
		}
	}
	eventually(t, "every volume is bound", func() bool { return boundClaims(r) == volumes })
	judgeBindings(t, r, volumes)
}

func boundClaims(r replica) (n int) {
	r.View(func(v mirror.View) {
		v.Each("persistentvolumeclaims", "", func(o *object.Version) bool {
			if o.Object().(*corev1.PersistentVolumeClaim).Status.Phase == corev1.ClaimBound {
				n++
			}
			return true
		})
	})
	return n
}

// judgeBindings reads every version in the log: once bound, both stay bound to each other.
func judgeBindings(t *testing.T, r replica, want int) {
	t.Helper()
	versions, err := r.Store.After(t.Context(), 0, 10_000)
	if err != nil {
		t.Fatal(err)
	}
	volumeOf, claimOf := map[string]string{}, map[string]string{}
	same := func(of map[string]string, name, other string) {
		if was := of[name]; was != "" && was != other {
			t.Errorf("%s is bound to %s and to %s", name, was, other)
		}
		of[name] = other
	}
	for _, v := range versions {
		switch o := v.Object().(type) {
		case *corev1.PersistentVolumeClaim:
			if o.Spec.VolumeName != "" {
				same(volumeOf, o.Name, o.Spec.VolumeName)
			}
		case *corev1.PersistentVolume:
			if o.Spec.ClaimRef != nil {
				same(claimOf, o.Name, o.Spec.ClaimRef.Name)
			}
		}
	}
	if len(volumeOf) != want || len(claimOf) != want {
		t.Errorf("%d claims have a volume and %d volumes a claim, want %d", len(volumeOf), len(claimOf), want)
	}
	for claim, volume := range volumeOf {
		if claimOf[volume] != claim {
			t.Errorf("%s names %s, which names %s", claim, volume, claimOf[volume])
		}
	}
}
