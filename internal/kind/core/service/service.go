package service

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/rowlock/rowlock/internal/kind"
	"github.com/rowlock/rowlock/internal/object"
)

// Kind is core/v1 Service. Its addresses and node ports come from pools of the cluster (see
// allocateService).
//
// Source: kubernetes v1.36 pkg/registry/core/service/strategy.go and storage/storage.go
var Kind = kind.Define(kind.Kind{
	Type: object.Type{
		Version: "v1", Kind: "Service", Plural: "services", Namespaced: true,
		New: func() object.Object { return &corev1.Service{} },
	},
	Singular:   "service",
	ShortNames: []string{"svc"},
	Categories: []string{"all"},
	NewList:    func() runtime.Object { return &corev1.ServiceList{} },

	Status: kind.Through(kind.Write[*corev1.Service]{
		Prepare: func(next, old *corev1.Service) {
			next.Spec = *old.Spec.DeepCopy()
		},
		Validate: validateServiceStatus,
	}),

	Columns: []metav1.TableColumnDefinition{
		kind.NameColumn,
		{Name: "Type", Type: "string", Description: corev1.ServiceSpec{}.SwaggerDoc()["type"]},
		{Name: "Cluster-IP", Type: "string", Description: corev1.ServiceSpec{}.SwaggerDoc()["clusterIP"]},
		{Name: "External-IP", Type: "string", Description: corev1.ServiceSpec{}.SwaggerDoc()["externalIPs"]},
		{Name: "Port(s)", Type: "string", Description: corev1.ServiceSpec{}.SwaggerDoc()["ports"]},
		kind.AgeColumn,
		{Name: "Selector", Type: "string", Priority: 1, Description: corev1.ServiceSpec{}.SwaggerDoc()["selector"]},
	},
	UpdateCreates:       true,
	UnconditionalUpdate: true,
	Quota:               serviceMeasure,
}, kind.Functions[*corev1.Service]{
	Default:        defaultService,
	Allocate:       allocateService,
	Reservations:   serviceReservations,
	PrepareCreate:  func(o *corev1.Service) { o.Status = corev1.ServiceStatus{} },
	PrepareUpdate:  prepareServiceUpdate,
	Validate:       validateServiceCreate,
	ValidateUpdate: validateServiceUpdate,
	Warnings:       warnOfService,
	Row:            serviceRow,
	SelectableFields: func(s *corev1.Service) fields.Set {
		return fields.Set{"spec.clusterIP": s.Spec.ClusterIP, "spec.type": string(s.Spec.Type)}
	},
	Selector: func(o *corev1.Service) *metav1.LabelSelector {
		s := &o.Spec
		if s.Type == corev1.ServiceTypeExternalName || len(s.Selector) == 0 {
			return nil
		}
		return &metav1.LabelSelector{MatchLabels: s.Selector}
	},
})

// defaultService applies the defaults that depend on the type, and those of ports.
//
// Source: kubernetes v1.36 pkg/apis/core/v1/defaults.go, SetDefaults_Service
func defaultService(svc *corev1.Service) {
	s := &svc.Spec
	if s.Type == "" {
		s.Type = corev1.ServiceTypeClusterIP
	}
	defaultSessionAffinity(s)
	for i := range s.Ports {
		p := &s.Ports[i]
		if p.Protocol == "" {
			p.Protocol = corev1.ProtocolTCP
		}
		if p.TargetPort == intstr.FromInt32(0) || p.TargetPort == intstr.FromString("") {
			p.TargetPort = intstr.FromInt32(p.Port)
		}
	}
	if externallyAccessible(s) && s.ExternalTrafficPolicy == "" {
		s.ExternalTrafficPolicy = corev1.ServiceExternalTrafficPolicyCluster
	}
	switch s.Type {
	case corev1.ServiceTypeClusterIP, corev1.ServiceTypeNodePort, corev1.ServiceTypeLoadBalancer:
		kind.SetDefault(&s.InternalTrafficPolicy, corev1.ServiceInternalTrafficPolicyCluster)
	case corev1.ServiceTypeExternalName: // no ports inside the cluster
	}
	if s.Type != corev1.ServiceTypeLoadBalancer {
		return
	}
	kind.SetDefault(&s.AllocateLoadBalancerNodePorts, true)
	for i := range svc.Status.LoadBalancer.Ingress {
		if ingress := &svc.Status.LoadBalancer.Ingress[i]; ingress.IP != "" {
			kind.SetDefault(&ingress.IPMode, corev1.LoadBalancerIPModeVIP)
		}
	}
}

func defaultSessionAffinity(s *corev1.ServiceSpec) {
	switch s.SessionAffinity {
	case "", corev1.ServiceAffinityNone:
		s.SessionAffinity = corev1.ServiceAffinityNone
		s.SessionAffinityConfig = nil
	case corev1.ServiceAffinityClientIP:
		c := s.SessionAffinityConfig
		if c == nil || c.ClientIP == nil || c.ClientIP.TimeoutSeconds == nil {
			timeout := corev1.DefaultClientIPServiceAffinitySeconds
			s.SessionAffinityConfig = &corev1.SessionAffinityConfig{ClientIP: &corev1.ClientIPConfig{TimeoutSeconds: &timeout}}
		}
	}
}

// serviceRow prints the table's row.
//
// Source: kubernetes v1.36 pkg/printers/internalversion/printers.go, printService
func serviceRow(svc *corev1.Service, now time.Time) []any {
	s := &svc.Spec
	address, ports := "<none>", "<none>"
	if len(s.ClusterIPs) > 0 {
		address = s.ClusterIPs[0]
	}
	if len(s.Ports) > 0 {
		ports = portCell(s.Ports)
	}
	return []any{svc.Name, string(s.Type), address, externalCell(svc), ports,
		kind.Age(svc.CreationTimestamp, now), labels.FormatLabels(s.Selector)}
}

// portCell prints ports: "80/TCP,443:30443/TCP".
func portCell(ports []corev1.ServicePort) string {
	cells := make([]string, len(ports))
	for i, p := range ports {
		cells[i] = fmt.Sprintf("%d/%s", p.Port, p.Protocol)
		if p.NodePort > 0 {
			cells[i] = fmt.Sprintf("%d:%d/%s", p.Port, p.NodePort, p.Protocol)
		}
	}
	return strings.Join(cells, ",")
}

// balancerWidth is the maximum width of a load balancer's addresses in the table. Upstream,
// `kubectl get -o wide` shows all of them.
//
// Differs: `-o wide` has the narrow width too, because a row is printed once for both.
const balancerWidth = 16

// externalCell prints the addresses of the Service outside the cluster.
func externalCell(svc *corev1.Service) string {
	s := &svc.Spec
	switch s.Type {
	case corev1.ServiceTypeClusterIP, corev1.ServiceTypeNodePort:
		if len(s.ExternalIPs) > 0 {
			return strings.Join(s.ExternalIPs, ",")
		}
		return "<none>"
	case corev1.ServiceTypeLoadBalancer:
		cells := s.ExternalIPs
		if balancer := balancerCell(svc.Status.LoadBalancer.Ingress); balancer != "" {
			cells = append(strings.Split(balancer, ","), cells...)
		}
		if len(cells) > 0 {
			return strings.Join(cells, ",")
		}
		return "<pending>"
	case corev1.ServiceTypeExternalName:
		return s.ExternalName
	}
	return "<unknown>"
}

func balancerCell(ingress []corev1.LoadBalancerIngress) string {
	return AddressCell(ingress, func(i corev1.LoadBalancerIngress) (ip, hostname string) { return i.IP, i.Hostname })
}

// AddressCell prints the addresses of a load balancer, or its hostnames if there are none, each
// once.
func AddressCell[T any](ingress []T, of func(T) (ip, hostname string)) string {
	var names []string
	for _, i := range ingress {
		if name := cmp.Or(of(i)); name != "" {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return shortened(strings.Join(slices.Compact(names), ","))
}

// shortened cuts off a cell of addresses that is too wide.
func shortened(cell string) string {
	if len(cell) > balancerWidth {
		cell = cell[:balancerWidth-3] + "..."
	}
	return cell
}
