package kind_test

import (
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/rowlock/rowlock/internal/kind"
	"github.com/rowlock/rowlock/internal/object"
)

// toyCluster is a kind.Cluster of a few objects, in their order.
type toyCluster []*object.Version

// cluster makes a cluster of objects, and of the PriorityClasses that every cluster has.
func cluster(objects ...object.Object) toyCluster {
	for _, class := range kind.SystemPriorityClasses() {
		objects = append(objects, class)
	}
	var c toyCluster
	for _, o := range objects {
		var of *kind.Kind
		for _, k := range kind.Default().All() {
			if k.Stored == nil && typeOf(k.New()) == typeOf(o) {
				of = k
			}
		}
		body, err := object.Encode(&of.Type, o)
		if err != nil {
			panic(err)
		}
		v := &object.Version{Type: &of.Type, Namespace: o.GetNamespace(), Name: o.GetName(), UID: o.GetUID(), Revision: 1}
		v.SetBody(body)
		c = append(c, v)
	}
	return c
}

func (c toyCluster) Get(key object.Key) *object.Version {
	for _, v := range c {
		if v.Key() == key {
			return v
		}
	}
	return nil
}

func (c toyCluster) Each(resource, namespace string, f func(*object.Version) bool) {
	for _, v := range c {
		if v.Type.Resource() == resource && (namespace == "" || v.Namespace == namespace) && !f(v) {
			return
		}
	}
}

// refusal is an error's text, "" for none.
func refusal(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

// account is a ServiceAccount in the namespace "default".
func account(name string, shape ...func(*corev1.ServiceAccount)) *corev1.ServiceAccount {
	sa := &corev1.ServiceAccount{ObjectMeta: metav1.ObjectMeta{Name: name, Namespace: "default"}}
	for _, f := range shape {
		f(sa)
	}
	return sa
}

// Source: kubernetes v1.36 plugin/pkg/admission/serviceaccount/admission_test.go, TestAutomountsAPIToken,
// TestDeniesInvalidServiceAccount, TestAutomountIsBackwardsCompatible and TestAddImagePullSecrets
func TestPod_ServiceAccount(t *testing.T) {
	t.Parallel()
	c := cluster(account("default"), account("quiet", func(sa *corev1.ServiceAccount) {
		sa.AutomountServiceAccountToken = new(false)
		sa.ImagePullSecrets = []corev1.LocalObjectReference{{Name: "registry"}}
	}))
	type outcome struct {
		Account, Refused string
		Mounts           int
		Pulls            []corev1.LocalObjectReference
	}
	registry := []corev1.LocalObjectReference{{Name: "registry"}}
	tests := []struct {
		name, account string
		mount         *bool
		pulls         []corev1.LocalObjectReference
		want          outcome
	}{
		{"the default account mounts its token", "", nil, nil, outcome{"default", "", 1, nil}},
		{"unless the Pod does not want it", "", new(false), nil, outcome{"default", "", 0, nil}},
		{"an account may not mount its own", "quiet", nil, nil, outcome{"quiet", "", 0, registry}},
		{"but the Pod's wish counts", "quiet", new(true), nil, outcome{"quiet", "", 1, registry}},
		{"a Pod's own secrets stay", "quiet", nil, []corev1.LocalObjectReference{{Name: "own"}}, outcome{"quiet", "", 0, []corev1.LocalObjectReference{{Name: "own"}}}},
		{"an account that is not there", "robot", nil, nil, outcome{"robot", `error looking up service account default/robot: serviceaccount "robot" not found`, 0, nil}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			p := barePod()
			p.Spec.ServiceAccountName, p.Spec.AutomountServiceAccountToken, p.Spec.ImagePullSecrets = tt.account, tt.mount, tt.pulls
			kind.Pod.Default(p)
			refused := refusal(admit(kind.Pod, p, c))
			diff(t, tt.want, outcome{p.Spec.ServiceAccountName, refused, len(p.Spec.Containers[0].VolumeMounts), p.Spec.ImagePullSecrets})
		})
	}
}
