package cluster_test

import (
	"fmt"
	"log/slog"
	"net/http/httptest"
	"sync"
	"testing"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	corev1client "k8s.io/client-go/kubernetes/typed/core/v1"
	"k8s.io/client-go/rest"

	"github.com/rowlock/rowlock/internal/cluster"
	"github.com/rowlock/rowlock/internal/pg/pgtest"
)

// replicas returns clients for the Services of this many replicas of one cluster.
func replicas(t *testing.T, n int) []corev1client.ServiceInterface {
	t.Helper()
	url := pgtest.NewURL(t)
	clients := make([]corev1client.ServiceInterface, n)
	for i := range clients {
		replica, err := cluster.Open(t.Context(), cluster.Config{DatabaseURL: url, Log: slog.New(slog.DiscardHandler)})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(replica.Close)
		server := httptest.NewServer(replica.Handler())
		t.Cleanup(server.Close)
		clients[i] = kubernetes.NewForConfigOrDie(&rest.Config{Host: server.URL, QPS: -1}).CoreV1().Services("default")
	}
	return clients
}

func newService(name, ip string) *corev1.Service {
	return &corev1.Service{
		ObjectMeta: metav1.ObjectMeta{Name: name},
		Spec: corev1.ServiceSpec{
			Type: corev1.ServiceTypeNodePort, ClusterIP: ip, Ports: []corev1.ServicePort{{Port: 80}},
		},
	}
}

// TestServices_ReplicasNeverGiveOutAnAddressTwice: whichever client and replica, no two Services
// have the same address or port; if several request the same address, one gets it and the others
// get the reason.
func TestServices_ReplicasNeverGiveOutAnAddressTwice(t *testing.T) {
	t.Parallel()
	const each, racers = 40, 8
	clients := replicas(t, 2)
	var wg sync.WaitGroup
	for r, services := range clients {
		for i := range each {
			wg.Go(func() {
				if _, err := services.Create(t.Context(), newService(fmt.Sprintf("any-%d-%d", r, i), ""), metav1.CreateOptions{}); err != nil {
					t.Error(err)
				}
			})
		}
		for i := range racers {
			wg.Go(func() {
				name := fmt.Sprintf("port-%d-%d", r, i)
				s := newService(name, "")
				s.Spec.Ports[0].NodePort = 30099
				_, err := services.Create(t.Context(), s, metav1.CreateOptions{})
				want := fmt.Sprintf(`Service "%s" is invalid: spec.ports[0].nodePort: Invalid value: 30099: provided port is already allocated`, name)
				if err != nil && (!apierrors.IsInvalid(err) || err.Error() != want) {
					t.Errorf("got %v, want %s", err, want)
				}
			})
			wg.Go(func() {
				name := fmt.Sprintf("one-%d-%d", r, i)
				_, err := services.Create(t.Context(), newService(name, "10.96.0.99"), metav1.CreateOptions{})
				want := fmt.Sprintf(`Service "%s" is invalid: spec.clusterIPs: Invalid value: ["10.96.0.99"]: `+
					"failed to allocate IP 10.96.0.99: provided IP is already allocated", name)
				if err != nil && (!apierrors.IsInvalid(err) || err.Error() != want) {
					t.Errorf("got %v, want %s", err, want)
				}
			})
		}
	}
	wg.Wait()
	list, err := clients[0].List(t.Context(), metav1.ListOptions{})
	if err != nil {
		t.Fatal(err)
	}
	addresses, ports := map[string]string{}, map[int32]string{}
	for _, svc := range list.Items {
		if other, taken := addresses[svc.Spec.ClusterIP]; taken {
			t.Errorf("%s has the address of %s", svc.Name, other)
		}
		addresses[svc.Spec.ClusterIP] = svc.Name
		if svc.Spec.Type == corev1.ServiceTypeNodePort && (svc.Spec.ClusterIP == "" || svc.Spec.Ports[0].NodePort == 0) {
			t.Errorf("%s has the address %q and the node port %d", svc.Name, svc.Spec.ClusterIP, svc.Spec.Ports[0].NodePort)
		}
		port := svc.Spec.Ports[0].NodePort
		if other, taken := ports[port]; taken && port != 0 {
			t.Errorf("%s has the node port of %s", svc.Name, other)
		}
		ports[port] = svc.Name
	}
	if want := len(clients)*each + 3; len(list.Items) != want { // with default/kubernetes and a winner of each race
		t.Errorf("there are %d Services, want %d", len(list.Items), want)
	}
}

// TestServices_AddressesComeBack: they are freed with the Service that had them, and a dry run does
// not take any.
func TestServices_AddressesComeBack(t *testing.T) {
	t.Parallel()
	clients := replicas(t, 2)
	const ip = "10.96.0.50"
	if _, err := clients[0].Create(t.Context(), newService("dry", ip), metav1.CreateOptions{DryRun: []string{metav1.DryRunAll}}); err != nil {
		t.Fatal(err)
	}
	first, err := clients[0].Create(t.Context(), newService("first", ip), metav1.CreateOptions{})
	if err != nil {
		t.Fatal(err)
	}
	port := first.Spec.Ports[0].NodePort
	first.Spec.Type = corev1.ServiceTypeClusterIP
	if first, err = clients[1].Update(t.Context(), first, metav1.UpdateOptions{}); err != nil {
		t.Fatal(err)
	}
	second := newService("second", "")
	second.Spec.Ports[0].NodePort = port
	if _, err := clients[0].Create(t.Context(), second, metav1.CreateOptions{}); err != nil {
		t.Errorf("the node port that an update gave up: %v", err)
	}
	first.Spec.Type, first.Spec.Ports[0].NodePort = corev1.ServiceTypeNodePort, port
	_, err = clients[1].Update(t.Context(), first, metav1.UpdateOptions{})
	want := fmt.Sprintf(`Service "first" is invalid: spec.ports[0].nodePort: Invalid value: %d: provided port is already allocated`, port)
	if err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
	if err := clients[1].Delete(t.Context(), "first", metav1.DeleteOptions{}); err != nil {
		t.Fatal(err)
	}
	if _, err := clients[0].Create(t.Context(), newService("third", ip), metav1.CreateOptions{}); err != nil {
		t.Errorf("the address of a Service that was deleted: %v", err)
	}
	if err := clients[0].Delete(t.Context(), "second", metav1.DeleteOptions{}); err != nil {
		t.Fatal(err)
	}
	fourth := newService("fourth", "")
	fourth.Spec.Ports[0].NodePort = port
	if _, err := clients[1].Create(t.Context(), fourth, metav1.CreateOptions{}); err != nil {
		t.Errorf("the node port of a Service that was deleted: %v", err)
	}
}

// TestServices_ANameElsewhere: a Service of type ExternalName releases its address and node port,
// and requests new ones like any other when its type changes back.
func TestServices_ANameElsewhere(t *testing.T) {
	t.Parallel()
	clients := replicas(t, 2)
	const ip, port = "10.96.0.60", 30060
	create := func(r int, s *corev1.Service, port int32) *corev1.Service {
		t.Helper()
		s.Spec.Ports[0].NodePort = port
		created, err := clients[r].Create(t.Context(), s, metav1.CreateOptions{})
		if err != nil {
			t.Fatal(err)
		}
		return created
	}
	update := func(r int, s *corev1.Service) *corev1.Service {
		t.Helper()
		updated, err := clients[r].Update(t.Context(), s, metav1.UpdateOptions{})
		if err != nil {
			t.Fatal(err)
		}
		return updated
	}
	s := create(0, newService("s", ip), port)
	s.Spec.Type, s.Spec.ExternalName = corev1.ServiceTypeExternalName, "example.com"
	s = update(1, s)
	if s.Spec.ClusterIP != "" || s.Spec.ClusterIPs != nil || s.Spec.Ports[0].NodePort != 0 {
		t.Errorf("it still has the address %q and the node port %d", s.Spec.ClusterIP, s.Spec.Ports[0].NodePort)
	}
	create(0, newService("heir", ip), port)

	back := s.DeepCopy()
	back.Spec.Type, back.Spec.ExternalName, back.Spec.ClusterIP = corev1.ServiceTypeNodePort, "", ip
	_, err := clients[1].Update(t.Context(), back, metav1.UpdateOptions{})
	want := `Service "s" is invalid: spec.clusterIPs: Invalid value: ["10.96.0.60"]: failed to allocate IP 10.96.0.60: provided IP is already allocated`
	if err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
	back.Spec.ClusterIP, back.Spec.ClusterIPs = "", nil
	back = update(1, back)
	if got := &back.Spec; got.ClusterIP == "" || got.ClusterIP == ip || got.Ports[0].NodePort == 0 || got.Ports[0].NodePort == port {
		t.Errorf("it came back with the address %q and the node port %d, and others have %s and %d", got.ClusterIP, got.Ports[0].NodePort, ip, port)
	}
}
