// Package serviceaccount creates what Pods expect in every active namespace: the ServiceAccount
// "default" and the ConfigMap with the certificate of the API server. In the namespace kube-system
// it also creates the ConfigMap by which servers authenticate clients.
//
// A Namespace must be synced when it changes, and when one of those two changes or is removed.
//
// Source: kubernetes v1.36 pkg/controller/serviceaccount/serviceaccounts_controller.go and
// pkg/controller/certificates/rootcacertpublisher/publisher.go.
package serviceaccount

import (
	"encoding/pem"
	"maps"
	"strings"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/rowlock/rowlock/internal/plan"
)

// Names and texts that clients rely on.
const (
	// Default is the ServiceAccount of Pods that name none.
	Default = "default"
	// RootCA is the ConfigMap whose entry "ca.crt" is the API server's certificate, in PEM.
	RootCA = "kube-root-ca.crt"
	// RootCAKey is the key of that entry.
	RootCAKey = "ca.crt"

	// Trust is the ConfigMap in the namespace kube-system whose entry "client-ca-file" has the
	// certificates, in PEM, by which servers verify the certificates of clients.
	Trust    = "extension-apiserver-authentication"
	TrustKey = "client-ca-file"

	descriptionAnnotation = "kubernetes.io/description"
	description           = "Contains a CA bundle that can be used to verify the kube-apiserver when using internal endpoints " +
		"such as the internal service IP or kubernetes.default.svc. No other usage is guaranteed across distributions of Kubernetes clusters."
)

// Snapshot is a Namespace with what this package maintains in it. Reconcile does not modify it.
type Snapshot struct {
	Namespace *corev1.Namespace
	// HasDefault is true if the ServiceAccount "default" exists.
	HasDefault bool
	// RootCA is the ConfigMap of that name; nil if it does not exist.
	RootCA *corev1.ConfigMap
	// CABundle is what the ConfigMap should contain, in PEM. It is empty if the server speaks plain
	// HTTP.
	CABundle string
	// Trust is the ConfigMap of that name; nil if it does not exist or the namespace is not
	// kube-system.
	Trust *corev1.ConfigMap
	// ClientCA is the CA certificate for clients' certificates, in PEM; empty if the server does
	// not authenticate clients by certificates.
	ClientCA string
}

// Reconcile creates what is missing in an active namespace. It repairs the ConfigMap if its data
// was changed or its description was removed. Namespaces that are being deleted are ignored.
func Reconcile(s Snapshot) plan.Plan {
	var p plan.Plan
	if s.Namespace.DeletionTimestamp != nil || s.Namespace.Status.Phase != corev1.NamespaceActive {
		return p
	}
	if !s.HasDefault {
		p.Creates = append(p.Creates, plan.Create{Object: &corev1.ServiceAccount{
			ObjectMeta: metav1.ObjectMeta{Namespace: s.Namespace.Name, Name: Default},
		}})
	}
	data := map[string]string{RootCAKey: s.CABundle}
	switch {
	case s.RootCA == nil:
		p.Creates = append(p.Creates, plan.Create{Object: &corev1.ConfigMap{
			ObjectMeta: metav1.ObjectMeta{
				Namespace: s.Namespace.Name, Name: RootCA,
				Annotations: map[string]string{descriptionAnnotation: description},
			},
			Data: data,
		}})
	case !maps.Equal(s.RootCA.Data, data) || s.RootCA.Annotations[descriptionAnnotation] == "":
		repaired := s.RootCA.DeepCopy()
		repaired.Data = data
		metav1.SetMetaDataAnnotation(&repaired.ObjectMeta, descriptionAnnotation, description)
		p.Updates = append(p.Updates, plan.Update{Object: repaired})
	}
	trust(s, &p)
	return p
}

// Trusts reports whether the ConfigMap Trust contains the CA of clients' certificates.
func Trusts(cm *corev1.ConfigMap, clientCA string) bool {
	return strings.Contains(cm.Data[TrustKey], strings.TrimSpace(clientCA))
}

// trust publishes the CA certificate for clients' certificates in the namespace kube-system, beside
// those that are already there.
//
// Source: kubernetes v1.36 pkg/controlplane/controller/clusterauthenticationtrust/cluster_authentication_trust_controller.go,
// syncConfigMap and combineCertLists
// Differs: expired certificates and entries that the API server does not know stay. The CAs of
// --client-ca-file, which may differ between replicas, are not included.
func trust(s Snapshot, p *plan.Plan) {
	if s.Namespace.Name != metav1.NamespaceSystem || s.ClientCA == "" {
		return
	}
	if s.Trust == nil {
		p.Creates = append(p.Creates, plan.Create{Object: &corev1.ConfigMap{
			ObjectMeta: metav1.ObjectMeta{Namespace: metav1.NamespaceSystem, Name: Trust}, Data: map[string]string{TrustKey: s.ClientCA},
		}})
		return
	}
	if Trusts(s.Trust, s.ClientCA) {
		return
	}
	next := s.Trust.DeepCopy()
	if next.Data == nil {
		next.Data = map[string]string{}
	}
	others := strings.TrimSpace(next.Data[TrustKey])
	if block, _ := pem.Decode([]byte(others)); block == nil {
		others = ""
	}
	next.Data[TrustKey] = strings.TrimPrefix(others+"\n"+s.ClientCA, "\n")
	p.Updates = append(p.Updates, plan.Update{Object: next})
}
