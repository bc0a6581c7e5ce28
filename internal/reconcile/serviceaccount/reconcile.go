// Package serviceaccount gives every active namespace what Pods expect to find there: the ServiceAccount "default" and
// the ConfigMap with the certificate of the API server; and the namespace kube-system the one by which servers know clients.
//
// A Namespace must be looked at when it was changed, and when one of those two was changed or removed.
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

	// Trust is the ConfigMap of the namespace kube-system by whose entry "client-ca-file" servers know the certificates of clients, in PEM.
	Trust    = "extension-apiserver-authentication"
	TrustKey = "client-ca-file"

	descriptionAnnotation = "kubernetes.io/description"
	description           = "Contains a CA bundle that can be used to verify the kube-apiserver when using internal endpoints " +
		"such as the internal service IP or kubernetes.default.svc. No other usage is guaranteed across distributions of Kubernetes clusters."
)

// Snapshot is a Namespace with what this package keeps in it. Reconcile changes nothing in it.
type Snapshot struct {
	Namespace *corev1.Namespace
	// HasDefault says that the ServiceAccount "default" is there.
	HasDefault bool
	// RootCA is the ConfigMap of that name, nil if there is none.
	RootCA *corev1.ConfigMap
	// CABundle is what the ConfigMap should hold, in PEM. It is empty where the server speaks plain HTTP.
	CABundle string
	// Trust is the ConfigMap of that name, nil if there is none or the namespace is not kube-system.
	Trust *corev1.ConfigMap
	// ClientCA is the certificate of those who sign clients' certificates, in PEM; empty where the server knows no clients by certificates.
	ClientCA string
}

// Reconcile creates what is missing in an active namespace and repairs the ConfigMap if somebody has changed its data or
// has taken its description away. Namespaces that are being deleted are left alone.
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

// Trusts says whether clients' certificates are known by the ConfigMap Trust.
func Trusts(cm *corev1.ConfigMap, clientCA string) bool {
	return strings.Contains(cm.Data[TrustKey], strings.TrimSpace(clientCA))
}

// trust publishes the certificate of those who sign clients' certificates in the namespace kube-system, beside those that are there.
//
// Source: kubernetes v1.36 pkg/controlplane/controller/clusterauthenticationtrust/cluster_authentication_trust_controller.go,
// syncConfigMap and combineCertLists
// Differs: certificates that have expired and entries that the API server does not know stay. The authorities of --client-ca-file, which
// may be others on each replica, are not among them.
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
