package service_test

import (
	"slices"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/rowlock/rowlock/internal/kind"
	servicekind "github.com/rowlock/rowlock/internal/kind/core/service"
	"github.com/rowlock/rowlock/internal/kind/kindtest"
	"github.com/rowlock/rowlock/internal/object"
)

// service returns the Service "web" with port 80, with a change applied, as a client sends it.
func service(change func(*corev1.Service)) *corev1.Service {
	svc := &corev1.Service{
		ObjectMeta: metav1.ObjectMeta{Name: "web", Namespace: "default", ResourceVersion: "1"},
		Spec: corev1.ServiceSpec{
			Selector: map[string]string{"app": "web"},
			Ports:    []corev1.ServicePort{{Name: "http", Port: 80}},
		},
	}
	if change != nil {
		change(svc)
	}
	return svc
}

// pool returns a pool in which these keys are taken, and that searches from the start.
func pool(taken ...string) kind.Pool {
	return kind.Pool{
		Taken: func(key string) bool { return slices.Contains(taken, key) },
		Draw:  func(int) int { return 0 },
	}
}

// createService runs all steps of creating a Service and returns its errors.
func createService(t *testing.T, svc *corev1.Service, p kind.Pool) []string {
	t.Helper()
	return takeService(t, svc, nil, p)
}

// takeService is createService, or an update if old is not nil.
func takeService(t *testing.T, svc, old *corev1.Service, p kind.Pool) []string {
	t.Helper()
	k := servicekind.Kind
	k.Default(svc)
	var before object.Object
	if old != nil {
		before = old
	}
	errs, err := k.Allocate(svc, before, p)
	if err != nil {
		t.Fatal(err)
	}
	if len(errs) > 0 {
		return kindtest.Texts(errs)
	}
	if old == nil {
		k.PrepareCreate(svc)
		return kindtest.Texts(k.Validate(svc))
	}
	k.PrepareUpdate(svc, old)
	return kindtest.Texts(k.ValidateUpdate(svc, old))
}

func ofType(t corev1.ServiceType) func(*corev1.Service) {
	return func(svc *corev1.Service) { svc.Spec.Type = t }
}

func headlessService(svc *corev1.Service) { svc.Spec.ClusterIP = corev1.ClusterIPNone }

func externalName(svc *corev1.Service) {
	svc.Spec = corev1.ServiceSpec{Type: corev1.ServiceTypeExternalName, ExternalName: "db.example.com"}
}

func TestService_IsCompleted(t *testing.T) {
	t.Parallel()
	both := []corev1.IPFamily{corev1.IPv4Protocol, corev1.IPv6Protocol}
	// The spec of a Service with one port, as stored.
	spec := func(change func(*corev1.ServiceSpec)) corev1.ServiceSpec {
		s := corev1.ServiceSpec{
			Type: corev1.ServiceTypeClusterIP, Selector: map[string]string{"app": "web"},
			Ports:     []corev1.ServicePort{{Name: "http", Protocol: corev1.ProtocolTCP, Port: 80, TargetPort: intstr.FromInt32(80)}},
			ClusterIP: "10.96.1.0", ClusterIPs: []string{"10.96.1.0"},
			IPFamilies: both[:1], IPFamilyPolicy: new(corev1.IPFamilyPolicySingleStack),
			SessionAffinity: corev1.ServiceAffinityNone, InternalTrafficPolicy: new(corev1.ServiceInternalTrafficPolicyCluster),
		}
		change(&s)
		return s
	}
	tests := []struct {
		name   string
		change func(*corev1.Service)
		taken  []string
		want   corev1.ServiceSpec
	}{
		{"an address", nil, nil, spec(func(*corev1.ServiceSpec) {})},
		{"the next address", nil, []string{"clusterip/10.96.1.0"}, spec(func(s *corev1.ServiceSpec) {
			s.ClusterIP, s.ClusterIPs = "10.96.1.1", []string{"10.96.1.1"}
		})},
		{"the address asked for", func(svc *corev1.Service) { svc.Spec.ClusterIP = "10.96.0.10" }, nil, spec(func(s *corev1.ServiceSpec) {
			s.ClusterIP, s.ClusterIPs = "10.96.0.10", []string{"10.96.0.10"}
		})},
		{"a headless Service", headlessService, nil, spec(func(s *corev1.ServiceSpec) {
			s.ClusterIP, s.ClusterIPs = "None", []string{"None"}
		})},
		{"a headless Service without a selector has both families", func(svc *corev1.Service) {
			headlessService(svc)
			svc.Spec.Selector = nil
		}, nil, spec(func(s *corev1.ServiceSpec) {
			s.Selector = nil
			s.ClusterIP, s.ClusterIPs = "None", []string{"None"}
			s.IPFamilies, s.IPFamilyPolicy = both, new(corev1.IPFamilyPolicyRequireDualStack)
		})},
		{"another name", externalName, nil, corev1.ServiceSpec{
			Type: corev1.ServiceTypeExternalName, ExternalName: "db.example.com", SessionAffinity: corev1.ServiceAffinityNone,
		}},
		{"a node port", ofType(corev1.ServiceTypeNodePort), []string{"nodeport/30086"}, spec(func(s *corev1.ServiceSpec) {
			s.Type, s.ExternalTrafficPolicy = corev1.ServiceTypeNodePort, corev1.ServiceExternalTrafficPolicyCluster
			s.Ports[0].NodePort = 30087
		})},
		{"a port of two protocols has one node port", func(svc *corev1.Service) {
			svc.Spec.Type = corev1.ServiceTypeNodePort
			svc.Spec.Ports = []corev1.ServicePort{{Name: "dns", Port: 53, Protocol: "UDP"}, {Name: "dns-tcp", Port: 53}, {Name: "web", Port: 80}}
		}, nil, spec(func(s *corev1.ServiceSpec) {
			s.Type, s.ExternalTrafficPolicy = corev1.ServiceTypeNodePort, corev1.ServiceExternalTrafficPolicyCluster
			s.Ports = []corev1.ServicePort{
				{Name: "dns", Port: 53, Protocol: "UDP", TargetPort: intstr.FromInt32(53), NodePort: 30086},
				{Name: "dns-tcp", Port: 53, Protocol: "TCP", TargetPort: intstr.FromInt32(53), NodePort: 30086},
				{Name: "web", Port: 80, Protocol: "TCP", TargetPort: intstr.FromInt32(80), NodePort: 30087},
			}
		})},
		{"a load balancer with local traffic only", func(svc *corev1.Service) {
			svc.Spec.Type, svc.Spec.ExternalTrafficPolicy = corev1.ServiceTypeLoadBalancer, corev1.ServiceExternalTrafficPolicyLocal
		}, nil, spec(func(s *corev1.ServiceSpec) {
			s.Type, s.ExternalTrafficPolicy = corev1.ServiceTypeLoadBalancer, corev1.ServiceExternalTrafficPolicyLocal
			s.AllocateLoadBalancerNodePorts = new(true)
			s.Ports[0].NodePort, s.HealthCheckNodePort = 30086, 30087
		})},
		{"a load balancer without node ports", func(svc *corev1.Service) {
			svc.Spec.Type, svc.Spec.AllocateLoadBalancerNodePorts = corev1.ServiceTypeLoadBalancer, new(false)
		}, nil, spec(func(s *corev1.ServiceSpec) {
			s.Type, s.ExternalTrafficPolicy = corev1.ServiceTypeLoadBalancer, corev1.ServiceExternalTrafficPolicyCluster
			s.AllocateLoadBalancerNodePorts = new(false)
		})},
		{"sessions that stay", func(svc *corev1.Service) { svc.Spec.SessionAffinity = corev1.ServiceAffinityClientIP }, nil, spec(func(s *corev1.ServiceSpec) {
			s.SessionAffinity = corev1.ServiceAffinityClientIP
			s.SessionAffinityConfig = &corev1.SessionAffinityConfig{ClientIP: &corev1.ClientIPConfig{TimeoutSeconds: new(int32(10800))}}
		})},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			svc := service(tt.change)
			kindtest.Diff(t, []string(nil), createService(t, svc, pool(tt.taken...)))
			kindtest.Diff(t, tt.want, svc.Spec)
			kindtest.Diff(t, []string(nil), takeService(t, service(tt.change), svc, pool())) // applied again
		})
	}
}

func TestService_Refused(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name   string
		change func(*corev1.Service)
		want   []string
	}{
		{"an address that is taken", func(svc *corev1.Service) { svc.Spec.ClusterIP = "10.96.0.1" }, []string{
			`spec.clusterIPs: Invalid value: ["10.96.0.1"]: failed to allocate IP 10.96.0.1: provided IP is already allocated`,
		}},
		{"an address of another range", func(svc *corev1.Service) { svc.Spec.ClusterIP = "192.168.0.1" }, []string{
			`spec.clusterIPs: Invalid value: ["192.168.0.1"]: failed to allocate IP 192.168.0.1: the provided network does not match the current range`,
		}},
		{"two addresses", func(svc *corev1.Service) {
			svc.Spec.ClusterIP, svc.Spec.ClusterIPs = "10.96.0.2", []string{"10.96.0.2", "fd00::1"}
		}, []string{
			`spec.ipFamilyPolicy: Invalid value: "SingleStack": must be 'RequireDualStack' or 'PreferDualStack' when multiple cluster IPs are specified`,
			`spec.clusterIPs[1]: Invalid value: ["10.96.0.2","fd00::1"]: IPv6 is not configured on this cluster`,
		}},
		{"the other family", func(svc *corev1.Service) { svc.Spec.IPFamilies = []corev1.IPFamily{corev1.IPv6Protocol} }, []string{
			`spec.ipFamilies[0]: Invalid value: "IPv6": not configured on this cluster`,
		}},
		{"both families", func(svc *corev1.Service) { svc.Spec.IPFamilyPolicy = new(corev1.IPFamilyPolicyRequireDualStack) }, []string{
			`spec.ipFamilyPolicy: Invalid value: "RequireDualStack": this cluster is not configured for dual-stack services`,
		}},
		{"a node port that is taken", func(svc *corev1.Service) {
			svc.Spec.Type, svc.Spec.Ports[0].NodePort = corev1.ServiceTypeNodePort, 30080
		}, []string{"spec.ports[0].nodePort: Invalid value: 30080: provided port is already allocated"}},
		{"a node port outside the range", func(svc *corev1.Service) {
			svc.Spec.Type, svc.Spec.Ports[0].NodePort = corev1.ServiceTypeNodePort, 80
		}, []string{"spec.ports[0].nodePort: Invalid value: 80: provided port is not in the valid range. The range of valid ports is 30000-32767"}},
		{"a node port inside the cluster", func(svc *corev1.Service) { svc.Spec.Ports[0].NodePort = 30001 }, []string{
			"spec.ports[0].nodePort: Forbidden: may not be used when `type` is 'ClusterIP'",
		}},
		{"no ports", func(svc *corev1.Service) { svc.Spec.Ports = nil }, []string{"spec.ports: Required value"}},
		{"ports without names, and twice", func(svc *corev1.Service) {
			svc.Spec.Ports = []corev1.ServicePort{{Port: 80}, {Name: "a", Port: 80}, {Name: "a", Port: 0, TargetPort: intstr.FromString("Web_")}}
		}, []string{
			"spec.ports[0].name: Required value",
			`spec.ports[2].name: Duplicate value: "a"`,
			"spec.ports[2].port: Invalid value: 0: must be between 1 and 65535, inclusive",
			`spec.ports[2].targetPort: Invalid value: "Web_": must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)`,
			`spec.ports[1]: Duplicate value: {"Name":"","Protocol":"TCP","AppProtocol":null,"Port":80,"TargetPort":0,"NodePort":0}`,
		}},
		{"an unknown type", ofType("Internal"), []string{
			`spec.type: Unsupported value: "Internal": supported values: "ClusterIP", "ExternalName", "LoadBalancer", "NodePort"`,
		}},
		{"headless with node ports", func(svc *corev1.Service) {
			headlessService(svc)
			svc.Spec.Type = corev1.ServiceTypeNodePort
		}, []string{`spec.clusterIPs[0]: Invalid value: "None": may not be set to 'None' for NodePort services`}},
		{"a name without a name", func(svc *corev1.Service) {
			externalName(svc)
			svc.Spec.ExternalName = ""
		}, []string{"spec.externalName: Required value"}},
		{"a load balancer's fields on another type", func(svc *corev1.Service) {
			svc.Spec.LoadBalancerClass, svc.Spec.AllocateLoadBalancerNodePorts = new("example.com/lb"), new(true)
			svc.Spec.LoadBalancerSourceRanges = []string{"10.0.0.0/8"}
			svc.Spec.ExternalTrafficPolicy, svc.Spec.HealthCheckNodePort = corev1.ServiceExternalTrafficPolicyLocal, 30001
		}, []string{
			"spec.LoadBalancerSourceRanges: Forbidden: may only be used when `type` is 'LoadBalancer'",
			"spec.allocateLoadBalancerNodePorts: Forbidden: may only be used when `type` is 'LoadBalancer'",
			"spec.loadBalancerClass: Forbidden: may only be used when `type` is 'LoadBalancer'",
			`spec.externalTrafficPolicy: Invalid value: "Local": may only be set for externally-accessible services`,
			"spec.healthCheckNodePort: Invalid value: 30001: may only be set when `type` is 'LoadBalancer' and `externalTrafficPolicy` is 'Local'",
		}},
		{"external addresses of this machine", func(svc *corev1.Service) { svc.Spec.ExternalIPs = []string{"127.0.0.1", "0.0.0.0", "169.254.1.1"} }, []string{
			`spec.externalIPs[0]: Invalid value: "127.0.0.1": may not be in the loopback range (127.0.0.0/8, ::1/128)`,
			`spec.externalIPs[1]: Invalid value: "0.0.0.0": may not be unspecified (0.0.0.0)`,
			`spec.externalIPs[2]: Invalid value: "169.254.1.1": may not be in the link-local range (169.254.0.0/16, fe80::/10)`,
		}},
		{"sessions that stay too long", func(svc *corev1.Service) {
			svc.Spec.SessionAffinity = corev1.ServiceAffinityClientIP
			svc.Spec.SessionAffinityConfig = &corev1.SessionAffinityConfig{ClientIP: &corev1.ClientIPConfig{TimeoutSeconds: new(int32(86401))}}
		}, []string{"spec.sessionAffinityConfig.clientIP.timeoutSeconds: Invalid value: 86401: must be greater than 0 and less than 86400"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			kindtest.Diff(t, tt.want, createService(t, service(tt.change), pool("clusterip/10.96.0.1", "nodeport/30080")))
		})
	}
}

func TestService_ChangesType(t *testing.T) {
	t.Parallel()
	stored := func(change func(*corev1.Service)) *corev1.Service {
		svc := service(change)
		kindtest.Diff(t, []string(nil), createService(t, svc, pool()))
		return svc
	}
	tests := []struct {
		name string
		from func(*corev1.Service)
		to   func(*corev1.Service) // applied to the stored Service
		want func(*corev1.Service) // how the result differs from it
	}{
		{"to node ports", nil, ofType(corev1.ServiceTypeNodePort), func(svc *corev1.Service) {
			svc.Spec.Type, svc.Spec.ExternalTrafficPolicy = corev1.ServiceTypeNodePort, corev1.ServiceExternalTrafficPolicyCluster
			svc.Spec.Ports[0].NodePort = 30086
		}},
		{"from node ports", ofType(corev1.ServiceTypeNodePort), ofType(corev1.ServiceTypeClusterIP), func(svc *corev1.Service) {
			svc.Spec.Type, svc.Spec.ExternalTrafficPolicy = corev1.ServiceTypeClusterIP, ""
			svc.Spec.Ports[0].NodePort = 0
		}},
		{"from a load balancer", ofType(corev1.ServiceTypeLoadBalancer), ofType(corev1.ServiceTypeNodePort), func(svc *corev1.Service) {
			svc.Spec.Type, svc.Spec.AllocateLoadBalancerNodePorts = corev1.ServiceTypeNodePort, nil
		}},
		{"to another name", nil, func(svc *corev1.Service) {
			svc.Spec.Type, svc.Spec.ExternalName = corev1.ServiceTypeExternalName, "db.example.com"
		}, func(svc *corev1.Service) {
			svc.Spec.Type, svc.Spec.ExternalName = corev1.ServiceTypeExternalName, "db.example.com"
			svc.Spec.ClusterIP, svc.Spec.ClusterIPs, svc.Spec.IPFamilies = "", nil, nil
			svc.Spec.IPFamilyPolicy, svc.Spec.InternalTrafficPolicy = nil, nil
		}},
		{"from another name", func(svc *corev1.Service) {
			externalName(svc)
			svc.Spec.Ports = []corev1.ServicePort{{Port: 80}}
		}, ofType(corev1.ServiceTypeClusterIP), func(svc *corev1.Service) {
			svc.Spec.Type, svc.Spec.InternalTrafficPolicy = corev1.ServiceTypeClusterIP, new(corev1.ServiceInternalTrafficPolicyCluster)
			svc.Spec.ClusterIP, svc.Spec.ClusterIPs = "10.96.1.0", []string{"10.96.1.0"}
			svc.Spec.IPFamilies, svc.Spec.IPFamilyPolicy = []corev1.IPFamily{corev1.IPv4Protocol}, new(corev1.IPFamilyPolicySingleStack)
		}},
		{"keeping the node port of a renamed port's number", ofType(corev1.ServiceTypeNodePort), func(svc *corev1.Service) {
			svc.Spec.Ports = []corev1.ServicePort{{Name: "https", Port: 443}, {Name: "http", Port: 8080}}
		}, func(svc *corev1.Service) {
			svc.Spec.Ports = []corev1.ServicePort{
				{Name: "https", Protocol: "TCP", Port: 443, TargetPort: intstr.FromInt32(443), NodePort: 30087},
				{Name: "http", Protocol: "TCP", Port: 8080, TargetPort: intstr.FromInt32(8080), NodePort: 30086},
			}
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			old := stored(tt.from)
			next, want := old.DeepCopy(), old.DeepCopy()
			tt.to(next)
			tt.want(want)
			kindtest.Diff(t, []string(nil), takeService(t, next, old, pool()))
			kindtest.Diff(t, want, next)
		})
	}
}

func TestService_KeepsItsAddress(t *testing.T) {
	t.Parallel()
	old := service(nil)
	kindtest.Diff(t, []string(nil), createService(t, old, pool()))
	next := old.DeepCopy()
	next.Spec.ClusterIP = "10.96.0.7"
	kindtest.Diff(t, []string{`spec.clusterIPs[0]: Invalid value: ["10.96.0.7"]: may not change once set`}, takeService(t, next, old, pool()))
	next = old.DeepCopy()
	next.Spec.ClusterIP, next.Spec.ClusterIPs = "", nil
	kindtest.Diff(t, []string(nil), takeService(t, next, old, pool()))
	kindtest.Diff(t, old.Spec, next.Spec)
}

func TestService_Reservations(t *testing.T) {
	t.Parallel()
	svc := service(ofType(corev1.ServiceTypeLoadBalancer))
	svc.Spec.ExternalTrafficPolicy = corev1.ServiceExternalTrafficPolicyLocal
	kindtest.Diff(t, []string(nil), createService(t, svc, pool()))
	kindtest.Diff(t, []string{"clusterip/10.96.1.0", "nodeport/30086", "nodeport/30087"}, servicekind.Kind.Reservations(svc))
	none := service(headlessService)
	kindtest.Diff(t, []string(nil), createService(t, none, pool()))
	kindtest.Diff(t, []string(nil), servicekind.Kind.Reservations(none))
}

// Values reserved for users are allocated last, and then the pool is exhausted.
func TestService_PoolsEmpty(t *testing.T) {
	t.Parallel()
	svc := service(ofType(corev1.ServiceTypeNodePort))
	p := pool()
	p.Taken = func(key string) bool { return key != "clusterip/10.96.0.3" && key != "nodeport/30002" }
	kindtest.Diff(t, []string(nil), createService(t, svc, p))
	kindtest.Diff(t, []string{"clusterip/10.96.0.3", "nodeport/30002"}, servicekind.Kind.Reservations(svc))

	p.Taken = func(string) bool { return true }
	svc = service(nil)
	_, err := servicekind.Kind.Allocate(svc, nil, p)
	kindtest.Diff(t, `failed to allocate a serviceIP for Service "web": range is full`, err.Error())
	svc = service(ofType(corev1.ServiceTypeNodePort))
	p.Taken = func(key string) bool { return key != "clusterip/10.96.0.3" }
	_, err = servicekind.Kind.Allocate(svc, nil, p)
	kindtest.Diff(t, "failed to allocate a nodePort: range is full", err.Error())
}

func TestService_Row(t *testing.T) {
	t.Parallel()
	made := func(change func(*corev1.Service)) *corev1.Service {
		svc := service(change)
		svc.CreationTimestamp = metav1.Time{Time: kindtest.Now.Add(-time.Hour)}
		kindtest.Diff(t, []string(nil), createService(t, svc, pool()))
		return svc
	}
	tests := []struct {
		name string
		svc  *corev1.Service
		want []any
	}{
		{"an address", made(nil), []any{"web", "ClusterIP", "10.96.1.0", "<none>", "80/TCP", "60m", "app=web"}},
		{"headless", made(headlessService), []any{"web", "ClusterIP", "None", "<none>", "80/TCP", "60m", "app=web"}},
		{"a node port", made(ofType(corev1.ServiceTypeNodePort)), []any{"web", "NodePort", "10.96.1.0", "<none>", "80:30086/TCP", "60m", "app=web"}},
		{"another name", made(externalName), []any{"web", "ExternalName", "<none>", "db.example.com", "<none>", "60m", "<none>"}},
		{"a load balancer", made(ofType(corev1.ServiceTypeLoadBalancer)), []any{"web", "LoadBalancer", "10.96.1.0", "<pending>", "80:30086/TCP", "60m", "app=web"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			kindtest.Diff(t, tt.want, servicekind.Kind.Row(tt.svc, kindtest.Now))
		})
	}
}

func TestService_Status(t *testing.T) {
	t.Parallel()
	old := service(ofType(corev1.ServiceTypeLoadBalancer))
	kindtest.Diff(t, []string(nil), createService(t, old, pool()))
	next := old.DeepCopy()
	next.Spec = corev1.ServiceSpec{}
	next.Status.LoadBalancer.Ingress = []corev1.LoadBalancerIngress{{IP: "203.0.113.1", IPMode: new(corev1.LoadBalancerIPModeVIP)}}
	servicekind.Kind.Status.Prepare(next, old)
	kindtest.Diff(t, old.Spec, next.Spec)
	kindtest.Diff(t, []string(nil), kindtest.Texts(servicekind.Kind.Status.Validate(next, old)))
	next.Status.LoadBalancer.Ingress = []corev1.LoadBalancerIngress{{IP: "203.0.113.1"}, {Hostname: "203.0.113.1"}}
	kindtest.Diff(t, []string{
		"status.loadBalancer.ingress[0].ipMode: Required value: must be specified when `ip` is set",
		`status.loadBalancer.ingress[1].hostname: Invalid value: "203.0.113.1": must be a DNS name, not an IP address`,
	}, kindtest.Texts(servicekind.Kind.Status.Validate(next, old)))
	old.Spec.Type, next.Spec.Type = corev1.ServiceTypeClusterIP, corev1.ServiceTypeClusterIP
	kindtest.Diff(t, []string{"status.loadBalancer.ingress: Forbidden: may only be used when `spec.type` is 'LoadBalancer'"}, kindtest.Texts(servicekind.Kind.Status.Validate(next, old)))
}
