package pod_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/rowlock/rowlock/internal/kind/core/pod"
	"github.com/rowlock/rowlock/internal/kind/kindtest"
)

// repeat returns n values, half of them equal.
func repeat[T any](n int, value func(name string) T) []T {
	values := make([]T, n)
	for i := range values {
		values[i] = value(fmt.Sprintf("n%d", i/2*2))
	}
	return values
}

// The longest lists that fit into a body of 3 MB are validated, and the size of the errors is not
// quadratic, which would be gigabytes. The time limit only detects what no machine should take,
// such as comparing two such specs line by line.
func TestPod_ValidatesHugeLists(t *testing.T) {
	t.Parallel()
	const (
		n        = 20_000
		patience = 2 * time.Minute // on a loaded machine, with the race detector
		maxBytes = 200 << 20
	)
	long := strings.Repeat("x", 1<<20)
	tests := []struct {
		name   string
		change func(s *corev1.PodSpec)
	}{
		{"containers", func(s *corev1.PodSpec) {
			s.Containers = repeat(n/10, func(name string) corev1.Container { return corev1.Container{Name: name, Image: "x"} })
			s.InitContainers = s.Containers
		}},
		{"volumes, mounts and devices", func(s *corev1.PodSpec) {
			s.Volumes = repeat(n, func(name string) corev1.Volume { return corev1.Volume{Name: name} })
			c := &s.Containers[0]
			c.VolumeMounts = repeat(n, func(name string) corev1.VolumeMount { return corev1.VolumeMount{Name: name, MountPath: name} })
			c.VolumeDevices = repeat(n, func(name string) corev1.VolumeDevice { return corev1.VolumeDevice{Name: name, DevicePath: name} })
		}},
		{"ports and environment", func(s *corev1.PodSpec) {
			c := &s.Containers[0]
			c.Ports = repeat(n, func(name string) corev1.ContainerPort { return corev1.ContainerPort{Name: name, HostPort: 80} })
			c.Env = repeat(n, func(name string) corev1.EnvVar {
				return corev1.EnvVar{Name: name, ValueFrom: &corev1.EnvVarSource{FileKeyRef: &corev1.FileKeySelector{VolumeName: name}}}
			})
		}},
		{"claims", func(s *corev1.PodSpec) {
			s.ResourceClaims = repeat(n, func(name string) corev1.PodResourceClaim { return corev1.PodResourceClaim{Name: name} })
			s.Containers[0].Resources.Claims = append(
				repeat(n, func(name string) corev1.ResourceClaim { return corev1.ResourceClaim{Name: "a", Request: name} }),
				repeat(n, func(name string) corev1.ResourceClaim { return corev1.ResourceClaim{Name: "a"} })...)
		}},
		{"tolerations, gates and constraints", func(s *corev1.PodSpec) {
			s.Tolerations = repeat(n, func(name string) corev1.Toleration { return corev1.Toleration{Key: name} })
			s.SchedulingGates = repeat(n, func(name string) corev1.PodSchedulingGate { return corev1.PodSchedulingGate{Name: name} })
			s.TopologySpreadConstraints = repeat(n, func(name string) corev1.TopologySpreadConstraint {
				return corev1.TopologySpreadConstraint{TopologyKey: name}
			})
		}},
		{"resources", func(s *corev1.PodSpec) {
			limits := corev1.ResourceList{}
			for i := range n / 4 {
				limits[corev1.ResourceName(fmt.Sprintf("example.com/n%d", i))] = resource.MustParse("1500m")
			}
			s.Containers[0].Resources.Limits = limits
			s.Resources = &corev1.ResourceRequirements{Limits: limits}
		}},
		{"projected files of one long name", func(s *corev1.PodSpec) {
			s.Volumes = []corev1.Volume{{Name: "v", VolumeSource: corev1.VolumeSource{Projected: &corev1.ProjectedVolumeSource{
				Sources: []corev1.VolumeProjection{{Secret: &corev1.SecretProjection{
					LocalObjectReference: corev1.LocalObjectReference{Name: long},
					Items:                repeat(n, func(name string) corev1.KeyToPath { return corev1.KeyToPath{Key: "k", Path: name} }),
				}}},
			}}}}
		}},
		{"capabilities", func(s *corev1.PodSpec) {
			s.Containers[0].SecurityContext = &corev1.SecurityContext{
				AllowPrivilegeEscalation: new(false),
				Capabilities: &corev1.Capabilities{
					Add: repeat(n, func(string) corev1.Capability { return "CAP_SYS_ADMIN" }),
				},
			}
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			start := time.Now()
			p := kindtest.BarePod()
			tt.change(&p.Spec)
			p = created(p)
			size := 0
			for _, text := range kindtest.Texts(pod.Kind.Validate(p)) {
				size += len(text)
			}
			next := p.DeepCopy()
			next.Spec.Hostname = "other"
			for _, text := range kindtest.Texts(pod.Kind.ValidateUpdate(next, p)) {
				size += len(text)
			}
			pod.Kind.Row(p, kindtest.Now)
			if size > maxBytes {
				t.Errorf("%d bytes of errors", size)
			}
			if d := time.Since(start); d > patience {
				t.Errorf("took %v", d)
			}
		})
	}
}

// The number of warnings about repeated items is not quadratic. Warnings about lists of realistic
// length are complete.
func TestPod_WarningsOfLongLists(t *testing.T) {
	t.Parallel()
	ports := func(n int) []corev1.ContainerPort {
		return slices.Repeat([]corev1.ContainerPort{{ContainerPort: 80, Protocol: corev1.ProtocolTCP}}, n)
	}
	items := func(n int) []corev1.Volume {
		v := corev1.Volume{Name: "v", VolumeSource: corev1.VolumeSource{ConfigMap: &corev1.ConfigMapVolumeSource{
			Items: repeat(n, func(name string) corev1.KeyToPath { return corev1.KeyToPath{Key: name, Path: name + "/f"} }),
		}}}
		return []corev1.Volume{v}
	}
	for _, tt := range []struct {
		name        string
		ports       []corev1.ContainerPort
		volumes     []corev1.Volume
		least, most int
	}{
		{"four ports", ports(4), nil, 6, 6},
		{"a thousand ports", ports(1000), nil, 1000, 1200},
		{"ports that differ by their hosts'", repeat(60_000, func(name string) corev1.ContainerPort {
			return corev1.ContainerPort{ContainerPort: 80, HostPort: 1, HostIP: name}
		}), nil, 100, 1200},
		{"six files", nil, items(6), 3, 3},
		{"many files", nil, items(60_000), 1000, 1000},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			p := kindtest.BarePod()
			p.Spec.Containers[0].Ports, p.Spec.Volumes = tt.ports, tt.volumes
			if n := len(pod.Kind.Warnings(p, nil)); n < tt.least || n > tt.most {
				t.Errorf("%d warnings, want %d to %d", n, tt.least, tt.most)
			}
		})
	}
}
