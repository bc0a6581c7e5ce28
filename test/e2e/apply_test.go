package e2e_test

import (
	"fmt"
	"strconv"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	applyapps "k8s.io/client-go/applyconfigurations/apps/v1"
	applycore "k8s.io/client-go/applyconfigurations/core/v1"
	applymeta "k8s.io/client-go/applyconfigurations/meta/v1"
)

// TestApply_Configurations: a controller applies with client-go's configurations: it extracts what
// it has applied, changes that, and applies it again. Its fields and another manager's stay
// separate.
func TestApply_Configurations(t *testing.T) {
	t.Parallel()
	f := open(t)
	ns := f.namespace("configurations")
	deployments := f.AppsV1().Deployments(ns)
	web := applyapps.Deployment("web", ns).WithSpec(applyapps.DeploymentSpec().
		WithReplicas(0).
		WithSelector(applymeta.LabelSelector().WithMatchLabels(map[string]string{"app": "web"})).
		WithTemplate(applycore.PodTemplateSpec().WithLabels(map[string]string{"app": "web"}).
			WithSpec(applycore.PodSpec().WithContainers(applycore.Container().WithName("c").WithImage("nginx:1.29")))))
	made, err := deployments.Apply(f.Context(), web, metav1.ApplyOptions{FieldManager: "controller"})
	if err != nil {
		t.Fatal(err)
	}
	extracted, err := applyapps.ExtractDeployment(made, "controller")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(web, extracted); diff != "" {
		t.Errorf("what was extracted is not what was applied (-want +got):\n%s", diff)
	}
	labelled := applyapps.Deployment("web", ns).WithLabels(map[string]string{"team": "a"})
	if _, err = deployments.Apply(f.Context(), labelled, metav1.ApplyOptions{FieldManager: "labeller"}); err != nil {
		t.Fatal(err)
	}
	extracted.Spec.WithMinReadySeconds(5)
	changed, err := deployments.Apply(f.Context(), extracted, metav1.ApplyOptions{FieldManager: "controller"})
	if err != nil {
		t.Fatal(err)
	}
	if changed.Spec.MinReadySeconds != 5 || changed.Labels["team"] != "a" {
		t.Errorf("applied again: %d seconds, labels %v", changed.Spec.MinReadySeconds, changed.Labels)
	}
	status := applyapps.Deployment("web", ns).WithStatus(applyapps.DeploymentStatus().WithCollisionCount(3))
	if _, err := deployments.ApplyStatus(f.Context(), status, metav1.ApplyOptions{FieldManager: "controller"}); err != nil {
		t.Fatal(err)
	}
	latest, err := deployments.Get(f.Context(), "web", metav1.GetOptions{})
	if err != nil {
		t.Fatal(err)
	}
	extracted, err = applyapps.ExtractDeploymentStatus(latest, "controller")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(status, extracted); diff != "" {
		t.Errorf("of the status was extracted (-want +got):\n%s", diff)
	}
	_, err = deployments.Apply(f.Context(), applyapps.Deployment("web", ns).WithSpec(applyapps.DeploymentSpec().WithMinReadySeconds(6)), metav1.ApplyOptions{FieldManager: "labeller"})
	if cause, ok := apierrors.StatusCause(err, metav1.CauseTypeFieldManagerConflict); !ok || cause.Field != ".spec.minReadySeconds" {
		t.Errorf("a field of another's: %v", err)
	}
}

// TestApply_AtOnce: many clients apply to one new object at once: none gets a conflict, and no
// field is lost.
func TestApply_AtOnce(t *testing.T) {
	t.Parallel()
	onEach(t, func(f *front) {
		const appliers, rounds = 8, 5
		ns := f.namespace("at-once")
		maps := f.dynamic.Resource(schema.GroupVersionResource{Version: "v1", Resource: "configmaps"}).Namespace(ns)
		var all sync.WaitGroup
		for i := range appliers {
			all.Go(func() {
				for round := range rounds {
					mine := &unstructured.Unstructured{Object: map[string]any{
						"apiVersion": "v1", "kind": "ConfigMap", "metadata": map[string]any{"name": "shared"},
						"data": map[string]any{fmt.Sprint("key-", i): strconv.Itoa(round)},
					}}
					if _, err := maps.Apply(f.Context(), "shared", mine, metav1.ApplyOptions{FieldManager: fmt.Sprint("manager-", i)}); err != nil {
						f.Errorf("manager %d, round %d: %v", i, round, err)
					}
				}
			})
		}
		all.Wait()
		got, err := f.CoreV1().ConfigMaps(ns).Get(f.Context(), "shared", metav1.GetOptions{})
		if err != nil {
			f.Fatal(err)
		}
		want := map[string]string{}
		for i := range appliers {
			want[fmt.Sprint("key-", i)] = strconv.Itoa(rounds - 1)
		}
		if diff := cmp.Diff(want, got.Data); diff != "" || len(got.ManagedFields) != appliers {
			f.Errorf("%d managers, data (-want +got):\n%s", len(got.ManagedFields), diff)
		}
	})
}
