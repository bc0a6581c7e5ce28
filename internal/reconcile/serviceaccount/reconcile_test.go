package serviceaccount_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/rowlock/rowlock/internal/plan"
	"github.com/rowlock/rowlock/internal/reconcile/laws"
	"github.com/rowlock/rowlock/internal/reconcile/serviceaccount"
)

const description = "Contains a CA bundle that can be used to verify the kube-apiserver when using internal endpoints " +
	"such as the internal service IP or kubernetes.default.svc. " +
	"No other usage is guaranteed across distributions of Kubernetes clusters."

func active() *corev1.Namespace { return serviceaccount.Bootstrap()[0] }

// rootCA is the ConfigMap as it should be, unless shape changes it.
func rootCA(shape ...func(*corev1.ConfigMap)) *corev1.ConfigMap {
	cm := &corev1.ConfigMap{
		ObjectMeta: metav1.ObjectMeta{
			Namespace: "default", Name: "kube-root-ca.crt",
			Annotations: map[string]string{"kubernetes.io/description": description},
		},
		Data: map[string]string{"ca.crt": "PEM"},
	}
	for _, f := range shape {
		f(cm)
	}
	return cm
}

func TestReconcile(t *testing.T) {
	t.Parallel()
	account := &corev1.ServiceAccount{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: "default"}}
	terminating := active()
	terminating.Status.Phase = corev1.NamespaceTerminating
	deleted := active()
	deleted.DeletionTimestamp = &metav1.Time{}

	const first, second = "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n", "-----BEGIN CERTIFICATE-----\nBBBB\n-----END CERTIFICATE-----\n"
	system := active()
	system.Name = "kube-system"
	published := func(data map[string]string) *corev1.ConfigMap {
		return &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Namespace: "kube-system", Name: "extension-apiserver-authentication"}, Data: data}
	}
	trusting := func(cm *corev1.ConfigMap) serviceaccount.Snapshot {
		return serviceaccount.Snapshot{Namespace: system, HasDefault: true, RootCA: rootCA(func(cm *corev1.ConfigMap) { cm.Namespace = "kube-system" }), Trust: cm, ClientCA: second}
	}
	indifferent := trusting(published(map[string]string{"client-ca-file": first}))
	indifferent.ClientCA = ""
	updates := func(data string) plan.Plan {
		return plan.Plan{Updates: []plan.Update{{Object: published(map[string]string{"client-ca-file": data, "other": "x"})}}}
	}

	tests := []struct {
		name string
		s    serviceaccount.Snapshot
		want plan.Plan
	}{
		{"a new namespace gets both", serviceaccount.Snapshot{Namespace: active()},
			plan.Plan{Creates: []plan.Create{{Object: account}, {Object: rootCA()}}}},
		{"clients' certificates are known by nothing", trusting(nil), plan.Plan{Creates: []plan.Create{{Object: published(map[string]string{"client-ca-file": second})}}}},
		{"they are known", trusting(published(map[string]string{"client-ca-file": first + second})), plan.Plan{}},
		{"others are known", trusting(published(map[string]string{"client-ca-file": first, "other": "x"})), updates(first + second)},
		{"nothing readable is known", trusting(published(map[string]string{"client-ca-file": "x", "other": "x"})), updates(second)},
		{"a server that knows nobody by certificates", indifferent, plan.Plan{}},
		{"all is there", serviceaccount.Snapshot{Namespace: active(), HasDefault: true, RootCA: rootCA()}, plan.Plan{}},
		{"the account was deleted", serviceaccount.Snapshot{Namespace: active(), RootCA: rootCA()},
			plan.Plan{Creates: []plan.Create{{Object: account}}}},
		{"the data was changed", serviceaccount.Snapshot{Namespace: active(), HasDefault: true,
			RootCA: rootCA(func(cm *corev1.ConfigMap) { cm.Data["more"] = "data" })},
			plan.Plan{Updates: []plan.Update{{Object: rootCA()}}}},
		{"the description was removed", serviceaccount.Snapshot{Namespace: active(), HasDefault: true,
			RootCA: rootCA(func(cm *corev1.ConfigMap) { cm.Annotations = nil })},
			plan.Plan{Updates: []plan.Update{{Object: rootCA()}}}},
		{"another description may stay", serviceaccount.Snapshot{Namespace: active(), HasDefault: true,
			RootCA: rootCA(func(cm *corev1.ConfigMap) { cm.Annotations["kubernetes.io/description"] = "ours" })},
			plan.Plan{}},
		{"labels of others survive a repair", serviceaccount.Snapshot{Namespace: active(), HasDefault: true,
			RootCA: rootCA(func(cm *corev1.ConfigMap) { cm.Data, cm.Labels = nil, map[string]string{"a": "b"} })},
			plan.Plan{Updates: []plan.Update{{Object: rootCA(func(cm *corev1.ConfigMap) { cm.Labels = map[string]string{"a": "b"} })}}}},
		{"a terminating namespace gets nothing", serviceaccount.Snapshot{Namespace: terminating}, plan.Plan{}},
		{"a deleted namespace gets nothing", serviceaccount.Snapshot{Namespace: deleted}, plan.Plan{}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			tt.s.CABundle = "PEM"
			got := laws.Check(t, serviceaccount.Reconcile, tt.s)
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("plan (-want +got):\n%s", diff)
			}
		})
	}
}

func TestBootstrap(t *testing.T) {
	t.Parallel()
	var names []string
	for _, ns := range serviceaccount.Bootstrap() {
		names = append(names, ns.Name)
	}
	if diff := cmp.Diff([]string{"default", "kube-system", "kube-public", "kube-node-lease"}, names); diff != "" {
		t.Errorf("namespaces (-want +got):\n%s", diff)
	}
}
