package fieldmanager_test

import (
	"bytes"
	"fmt"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/rowlock/rowlock/internal/fieldmanager"
)

// TestUpdated_OfCrowds records objects as large as a request can make them. A cost that grows with
// the square of the entries would take minutes; each of these takes part of a second.
func TestUpdated_OfCrowds(t *testing.T) {
	t.Parallel()
	const crowd = 50_000
	for name, fill := range map[string]func(p *corev1.Pod, i int){
		"finalizers": func(p *corev1.Pod, i int) { p.Finalizers = append(p.Finalizers, fmt.Sprint("example.com/", i)) },
		"owners": func(p *corev1.Pod, i int) {
			p.OwnerReferences = append(p.OwnerReferences, metav1.OwnerReference{UID: types.UID(fmt.Sprint(i))})
		},
		"labels": func(p *corev1.Pod, i int) { p.Labels[fmt.Sprint(i)] = "" },
		"containers": func(p *corev1.Pod, i int) {
			p.Spec.Containers = append(p.Spec.Containers, corev1.Container{Name: fmt.Sprint(i)})
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Labels: map[string]string{}}}
			for i := range crowd {
				fill(pod, i)
			}
			if !fieldmanager.Quickly(kinds[1], pod, kinds[1].New(), fieldmanager.Writer{Manager: "a", At: noon}) {
				t.Fatal("not the quick way")
			}
			if owned := bytes.Count(pod.ManagedFields[0].FieldsV1.Raw, []byte(`":{`)); owned < crowd {
				t.Errorf("%d elements are owned, want %d", owned, crowd)
			}
			pod.UID = "1"
			next := pod.DeepCopy()
			next.Spec.NodeName = "a"
			if !fieldmanager.Quickly(kinds[1], next, pod, fieldmanager.Writer{Manager: "b", At: noon}) || len(next.ManagedFields) != 2 {
				t.Errorf("the next write left %d entries, want 2", len(next.ManagedFields))
			}
		})
	}
}

// TestUpdated_OfCrowdsThatOnlyUpstreamsCodeKnows: upstream's code does not get them.
func TestUpdated_OfCrowdsThatOnlyUpstreamsCodeKnows(t *testing.T) {
	t.Parallel()
	const crowd = 100_000
	odd, claimed := &corev1.Pod{}, &corev1.Pod{}
	fields := []byte("{")
	for i := range crowd {
		odd.Finalizers = append(odd.Finalizers, fmt.Sprintf("ü%06d", crowd-i))
		fields = fmt.Appendf(fields, `"f:%06d":{},`, crowd-i)
	}
	fields[len(fields)-1] = '}'
	claimed.ManagedFields = []metav1.ManagedFieldsEntry{{
		Manager: "a", Operation: metav1.ManagedFieldsOperationUpdate, APIVersion: "v1", FieldsType: "FieldsV1", FieldsV1: &metav1.FieldsV1{Raw: fields},
	}}
	for name, pod := range map[string]*corev1.Pod{"elements": odd, "managedFields": claimed} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if err := fieldmanager.Created(kinds[1], pod, fieldmanager.Writer{Manager: "a", At: noon}); err != nil || pod.ManagedFields != nil {
				t.Errorf("recorded %d entries, with %v", len(pod.ManagedFields), err)
			}
		})
	}
}
