package wakeup_test

import (
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/wakeup"
)

// ref makes an owner reference, to a controller or to another owner.
func ref(kind string, uid types.UID, controller bool) metav1.OwnerReference {
	return metav1.OwnerReference{Kind: kind, Name: string(uid), UID: uid, Controller: &controller}
}

// owned makes an object with owners.
func owned(refs ...metav1.OwnerReference) object.Object {
	return &metav1.PartialObjectMetadata{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: "o", UID: "o", OwnerReferences: refs}}
}

func finalized(o object.Object) object.Object {
	o.SetFinalizers([]string{"example.com/f"})
	return o
}

func labelled(o object.Object, value string) object.Object {
	o.SetLabels(map[string]string{"app": value})
	return o
}

func TestOwnersChanged(t *testing.T) {
	t.Parallel()
	web := ref("ReplicaSet", "rs", true)
	explicit, implicit, named := web, web, web
	explicit.BlockOwnerDeletion, named.Name = new(false), "another name"
	implicit.BlockOwnerDeletion = nil
	tests := []struct {
		name   string
		change wakeup.Diff
		want   bool
	}{
		{"created with an owner", wakeup.Diff{New: owned(web)}, true},
		{"created without", wakeup.Diff{New: owned()}, false},
		{"removed with an owner", wakeup.Diff{Old: owned(web)}, true},
		{"removed without", wakeup.Diff{Old: owned()}, false},
		{"the same owners", wakeup.Diff{Old: owned(web), New: labelled(owned(web), "other")}, false},
		{"what is false is what is not said", wakeup.Diff{Old: owned(explicit), New: owned(implicit)}, false},
		{"an owner is known by its uid", wakeup.Diff{Old: owned(web), New: owned(named)}, false},
		{"one owner more", wakeup.Diff{Old: owned(web), New: owned(web, ref("ConfigMap", "c", false))}, true},
		{"a controller no more", wakeup.Diff{Old: owned(web), New: owned(ref("ReplicaSet", "rs", false))}, true},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			if got := test.change.OwnersChanged(); got != test.want {
				t.Errorf("changed is %v, want %v", got, test.want)
			}
		})
	}
}
