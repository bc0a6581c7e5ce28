package podsetup

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

func yes() *bool { b := true; return &b }

func world() (*corev1.Pod, Surroundings) {
	pod := &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "web-1", UID: "u-1",
			Labels: map[string]string{"app": "web", "tier": "front"}, Annotations: map[string]string{"note": "a \"b\""}},
		Spec: corev1.PodSpec{NodeName: "node-1", ServiceAccountName: "robot", Containers: []corev1.Container{{
			Name: "c", Resources: corev1.ResourceRequirements{
				Requests: corev1.ResourceList{"cpu": resource.MustParse("250m"), "memory": resource.MustParse("64Mi")},
				Limits:   corev1.ResourceList{"memory": resource.MustParse("100M")},
			}}}},
		Status: corev1.PodStatus{PodIP: "10.1.0.2", PodIPs: []corev1.PodIP{{IP: "10.1.0.2"}}, HostIP: "10.0.0.1"},
	}
	service := func(namespace, name, ip string, ports ...corev1.ServicePort) *corev1.Service {
		return &corev1.Service{ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: name}, Spec: corev1.ServiceSpec{ClusterIP: ip, Ports: ports}}
	}
	return pod, Surroundings{
		ConfigMaps: map[string]*corev1.ConfigMap{"settings": {
			Data: map[string]string{"color": "red", "size": "7"}, BinaryData: map[string][]byte{"blob": {0, 255}}}},
		Secrets: map[string]*corev1.Secret{"login": {Data: map[string][]byte{"user": []byte("admin"), "password": []byte("hunter2")}}},
		Services: []*corev1.Service{
			service("default", "kubernetes", "10.96.0.1", corev1.ServicePort{Name: "https", Port: 443, Protocol: "TCP"}),
			service("shop", "my-db", "10.96.0.9", corev1.ServicePort{Port: 5432}),
			service("shop", "headless", "None", corev1.ServicePort{Port: 80}),
			service("other", "far", "10.96.0.8", corev1.ServicePort{Port: 80}),
		},
		Node: &corev1.Node{Status: corev1.NodeStatus{Allocatable: corev1.ResourceList{"cpu": resource.MustParse("64"), "memory": resource.MustParse("256Gi")}}},
	}
}

// services are the variables of the two Services that the Pod gets variables for.
var services = []string{
	"KUBERNETES_PORT=tcp://10.96.0.1:443", "KUBERNETES_PORT_443_TCP=tcp://10.96.0.1:443", "KUBERNETES_PORT_443_TCP_ADDR=10.96.0.1",
	"KUBERNETES_PORT_443_TCP_PORT=443", "KUBERNETES_PORT_443_TCP_PROTO=tcp", "KUBERNETES_SERVICE_HOST=10.96.0.1",
	"KUBERNETES_SERVICE_PORT=443", "KUBERNETES_SERVICE_PORT_HTTPS=443",
	"MY_DB_PORT=tcp://10.96.0.9:5432", "MY_DB_PORT_5432_TCP=tcp://10.96.0.9:5432", "MY_DB_PORT_5432_TCP_ADDR=10.96.0.9",
	"MY_DB_PORT_5432_TCP_PORT=5432", "MY_DB_PORT_5432_TCP_PROTO=tcp", "MY_DB_SERVICE_HOST=10.96.0.9", "MY_DB_SERVICE_PORT=5432",
}

func field(name, path string) corev1.EnvVar {
	return corev1.EnvVar{Name: name, ValueFrom: &corev1.EnvVarSource{FieldRef: &corev1.ObjectFieldSelector{FieldPath: path}}}
}

func fromConfig(name, cm, key string, optional *bool) corev1.EnvVar {
	return corev1.EnvVar{Name: name, ValueFrom: &corev1.EnvVarSource{ConfigMapKeyRef: &corev1.ConfigMapKeySelector{
		LocalObjectReference: corev1.LocalObjectReference{Name: cm}, Key: key, Optional: optional}}}
}

func fromSecret(name, secret, key string, optional *bool) corev1.EnvVar {
	return corev1.EnvVar{Name: name, ValueFrom: &corev1.EnvVarSource{SecretKeyRef: &corev1.SecretKeySelector{
		LocalObjectReference: corev1.LocalObjectReference{Name: secret}, Key: key, Optional: optional}}}
}

func TestEnvironment(t *testing.T) {
	t.Parallel()
	amount := func(name, of string, divisor string) corev1.EnvVar {
		ref := &corev1.ResourceFieldSelector{Resource: of}
		if divisor != "" {
			ref.Divisor = resource.MustParse(divisor)
		}
		return corev1.EnvVar{Name: name, ValueFrom: &corev1.EnvVarSource{ResourceFieldRef: ref}}
	}
	cmSource := func(name, prefix string, optional *bool) corev1.EnvFromSource {
		return corev1.EnvFromSource{Prefix: prefix, ConfigMapRef: &corev1.ConfigMapEnvSource{LocalObjectReference: corev1.LocalObjectReference{Name: name}, Optional: optional}}
	}
	secretSource := func(name string) corev1.EnvFromSource {
		return corev1.EnvFromSource{SecretRef: &corev1.SecretEnvSource{LocalObjectReference: corev1.LocalObjectReference{Name: name}}}
	}
	file := func(volume, key string) corev1.EnvVar {
		return corev1.EnvVar{Name: "F", ValueFrom: &corev1.EnvVarSource{FileKeyRef: &corev1.FileKeySelector{VolumeName: volume, Path: "env", Key: key}}}
	}
	tests := []struct {
		name string
		from []corev1.EnvFromSource
		env  []corev1.EnvVar
		want []string // besides PATH, HOSTNAME and the Services
		err  string
	}{
		{name: "nothing"},
		{name: "values and references to earlier ones", env: []corev1.EnvVar{
			{Name: "A", Value: "1"}, {Name: "B", Value: "$(A)2 $$(A) $(LATER) $(MY_DB_SERVICE_HOST) $A $"}, {Name: "LATER", Value: "x"}, {Name: "E"}},
			want: []string{"A=1", "B=12 $(A) $(LATER) 10.96.0.9 $A $", "LATER=x", "E="}},
		{name: "of the image, replaced in place", env: []corev1.EnvVar{{Name: "PATH", Value: "/mine"}}},
		{name: "the downward API", env: []corev1.EnvVar{field("N", "metadata.name"), field("NS", "metadata.namespace"), field("U", "metadata.uid"),
			field("L", "metadata.labels['app']"), field("NODE", "spec.nodeName"), field("SA", "spec.serviceAccountName"), field("IP", "status.podIP"), field("H", "status.hostIP")},
			want: []string{"N=web-1", "NS=shop", "U=u-1", "L=web", "NODE=node-1", "SA=robot", "IP=10.1.0.2", "H=10.0.0.1"}},
		{name: "resources", env: []corev1.EnvVar{amount("RC", "requests.cpu", ""), amount("RCM", "requests.cpu", "1m"), amount("LM", "limits.memory", "1Mi"),
			amount("LC", "limits.cpu", ""), amount("RS", "requests.ephemeral-storage", "")},
			want: []string{"RC=1", "RCM=250", "LM=96", "LC=64", "RS=0"}},
		{name: "keys", env: []corev1.EnvVar{fromConfig("C", "settings", "color", nil), fromSecret("P", "login", "password", nil)}, want: []string{"C=red", "P=hunter2"}},
		{name: "optional keys and objects", env: []corev1.EnvVar{fromConfig("C", "settings", "shape", yes()), fromConfig("D", "none", "x", yes()), fromSecret("P", "none", "x", yes())}},
		{name: "whole objects", from: []corev1.EnvFromSource{cmSource("settings", "MY_", nil), secretSource("login"), cmSource("none", "", yes())},
			env:  []corev1.EnvVar{{Name: "user", Value: "$(user)+"}},
			want: []string{"MY_color=red", "MY_size=7", "password=hunter2", "user=admin+"}},
		{name: "no such ConfigMap", env: []corev1.EnvVar{fromConfig("C", "none", "x", nil)}, err: `configmap "none" not found`},
		{name: "no such Secret", from: []corev1.EnvFromSource{secretSource("none")}, err: `secret "none" not found`},
		{name: "no such key", env: []corev1.EnvVar{fromConfig("C", "settings", "shape", nil)}, err: "couldn't find key shape in ConfigMap shop/settings"},
		{name: "no such key of a Secret", env: []corev1.EnvVar{fromSecret("C", "login", "shape", nil)}, err: "couldn't find key shape in Secret shop/login"},
		{name: "a file", env: []corev1.EnvVar{file("data", "K")}, want: []string{"F=v w\nx"}},
		{name: "a file without the key", env: []corev1.EnvVar{file("data", "Z")}, err: `environment variable key "Z" not found in file "env"`},
		{name: "a file that is not there", env: []corev1.EnvVar{file("nope", "Z")}, err: "couldn't parse env file"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			pod, around := world()
			c := &pod.Spec.Containers[0]
			c.EnvFrom, c.Env = tt.from, tt.env
			files := func(volume, path string) ([]byte, error) {
				if volume != "data" || path != "env" {
					return nil, errors.New("no such file")
				}
				return []byte("# a comment\n\n  J='1' # so\nK='v w\nx'\n"), nil
			}
			got, _, err := Environment(pod, c, []string{"PATH=/bin"}, around, files)
			if tt.err != "" {
				if err == nil || err.Error() != tt.err {
					t.Fatalf("error %v, want %s", err, tt.err)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			path := "PATH=/bin"
			if len(tt.env) == 1 && tt.env[0].Name == "PATH" {
				path = "PATH=/mine"
			}
			want := append(append([]string{path, "HOSTNAME=web-1"}, services...), tt.want...)
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("environment (-want +got):\n%s", diff)
			}
		})
	}
}

// TestServiceLinks leaves out what the Pod does not want.
func TestServiceLinks(t *testing.T) {
	t.Parallel()
	pod, around := world()
	no := false
	pod.Spec.EnableServiceLinks = &no
	got, _, err := Environment(pod, &pod.Spec.Containers[0], nil, around, nil)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(append([]string{"HOSTNAME=web-1"}, services[:8]...), got); diff != "" {
		t.Errorf("environment (-want +got):\n%s", diff)
	}
}

func TestArgv(t *testing.T) {
	t.Parallel()
	entrypoint, cmd := []string{"/entry"}, []string{"$(A)", "b"}
	tests := []struct {
		command, args, want []string
	}{
		{nil, nil, []string{"/entry", "$(A)", "b"}},
		{nil, []string{"x$(A)"}, []string{"/entry", "x1"}},
		{[]string{"sh", "-c"}, nil, []string{"sh", "-c"}},
		{[]string{"echo"}, []string{"$(A)", "$(B)", "$$(A)"}, []string{"echo", "1", "$(B)", "$(A)"}},
	}
	for _, tt := range tests {
		pod, around := world()
		c := &corev1.Container{Command: tt.command, Args: tt.args, Env: []corev1.EnvVar{{Name: "A", Value: "1"}}}
		_, expand, err := Environment(pod, c, nil, around, nil)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(tt.want, Argv(c, entrypoint, cmd, expand)); diff != "" {
			t.Errorf("command line (-want +got):\n%s", diff)
		}
	}
	c := &corev1.Container{Env: []corev1.EnvVar{{Name: "A", Value: "1"}, field("B", "metadata.name")}}
	if diff := cmp.Diff([]string{"x", "1", "", "$(C)"}, Static(c, []string{"x", "$(A)", "$(B)", "$(C)"})); diff != "" {
		t.Errorf("a probe's command (-want +got):\n%s", diff)
	}
}

func TestContent(t *testing.T) {
	t.Parallel()
	mode, secretly := int32(0o600), int32(0o400)
	name := func(n string) corev1.LocalObjectReference { return corev1.LocalObjectReference{Name: n} }
	cm := func(n string, optional *bool, items ...corev1.KeyToPath) corev1.VolumeSource {
		return corev1.VolumeSource{ConfigMap: &corev1.ConfigMapVolumeSource{LocalObjectReference: name(n), Items: items, Optional: optional}}
	}
	tests := []struct {
		name   string
		source corev1.VolumeSource
		want   []File
		err    string
	}{
		{
			"a ConfigMap", cm("settings", nil),
			[]File{
				{Path: "blob", Mode: 0o644, Data: []byte{0, 255}}, {Path: "color", Mode: 0o644, Data: []byte("red")},
				{Path: "size", Mode: 0o644, Data: []byte("7")},
			},
			"",
		},
		{"items of it", cm("settings", nil, corev1.KeyToPath{Key: "color", Path: "a/b", Mode: &mode}), []File{{Path: "a/b", Mode: 0o600, Data: []byte("red")}}, ""},
		{"an item that is not there", cm("settings", nil, corev1.KeyToPath{Key: "x", Path: "x"}), nil, "configmap references non-existent config key: x"},
		{"an optional item", cm("settings", yes(), corev1.KeyToPath{Key: "x", Path: "x"}), []File{}, ""},
		{"none", cm("none", nil), nil, `configmap "none" not found`},
		{"an optional one", cm("none", yes()), []File{}, ""},
		{"a Secret", corev1.VolumeSource{Secret: &corev1.SecretVolumeSource{SecretName: "login", DefaultMode: &secretly}},
			[]File{{Path: "password", Mode: 0o400, Data: []byte("hunter2")}, {Path: "user", Mode: 0o400, Data: []byte("admin")}}, ""},
		{"the downward API", corev1.VolumeSource{DownwardAPI: &corev1.DownwardAPIVolumeSource{Items: []corev1.DownwardAPIVolumeFile{
			{Path: "labels", FieldRef: &corev1.ObjectFieldSelector{FieldPath: "metadata.labels"}},
			{Path: "annotations", FieldRef: &corev1.ObjectFieldSelector{FieldPath: "metadata.annotations"}},
			{Path: "memory", ResourceFieldRef: &corev1.ResourceFieldSelector{ContainerName: "c", Resource: "limits.memory"}}}}},
			[]File{
				{Path: "annotations", Mode: 0o644, Data: []byte(`note="a \"b\""`)},
				{Path: "labels", Mode: 0o644, Data: []byte("app=\"web\"\ntier=\"front\"")},
				{Path: "memory", Mode: 0o644, Data: []byte("100000000")},
			},
			""},
		{"projected", corev1.VolumeSource{Projected: &corev1.ProjectedVolumeSource{DefaultMode: &mode, Sources: []corev1.VolumeProjection{
			{ConfigMap: &corev1.ConfigMapProjection{LocalObjectReference: name("settings"), Items: []corev1.KeyToPath{{Key: "size", Path: "s"}}}},
			{Secret: &corev1.SecretProjection{LocalObjectReference: name("login"), Items: []corev1.KeyToPath{{Key: "user", Path: "u"}}}}}}},
			[]File{{Path: "s", Mode: 0o600, Data: []byte("7")}, {Path: "u", Mode: 0o600, Data: []byte("admin")}}, ""},
		{"projected of what is not there", corev1.VolumeSource{Projected: &corev1.ProjectedVolumeSource{Sources: []corev1.VolumeProjection{
			{ConfigMap: &corev1.ConfigMapProjection{LocalObjectReference: name("none")}}, {Secret: &corev1.SecretProjection{LocalObjectReference: name("nope")}}}}},
			nil, "configmap \"none\" not found\nsecret \"nope\" not found"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			pod, around := world()
			got, err := Content(pod, &corev1.Volume{VolumeSource: tt.source}, around)
			if tt.err != "" {
				if err == nil || err.Error() != tt.err {
					t.Fatalf("error %v, want %s", err, tt.err)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("files (-want +got):\n%s", diff)
			}
		})
	}
}

func TestHostname(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("a", 62) + "-b"
	for _, tt := range []struct{ name, hostname, want string }{{"web-1", "", "web-1"}, {"web-1", "h", "h"}, {long, "", long[:62]}} {
		pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: tt.name}, Spec: corev1.PodSpec{Hostname: tt.hostname}}
		if got := Hostname(pod); got != tt.want {
			t.Errorf("hostname %q, want %q", got, tt.want)
		}
	}
}

func TestReferences(t *testing.T) {
	t.Parallel()
	spec := &corev1.PodSpec{
		InitContainers: []corev1.Container{{Env: []corev1.EnvVar{fromConfig("A", "one", "k", nil)}}},
		Containers:     []corev1.Container{{EnvFrom: []corev1.EnvFromSource{{SecretRef: &corev1.SecretEnvSource{LocalObjectReference: corev1.LocalObjectReference{Name: "two"}}}}}},
		Volumes: []corev1.Volume{{VolumeSource: corev1.VolumeSource{Secret: &corev1.SecretVolumeSource{SecretName: "three"}}},
			{VolumeSource: corev1.VolumeSource{Projected: &corev1.ProjectedVolumeSource{Sources: []corev1.VolumeProjection{
				{ConfigMap: &corev1.ConfigMapProjection{LocalObjectReference: corev1.LocalObjectReference{Name: "four"}}}}}}}},
	}
	cms, secrets := References(spec)
	if diff := cmp.Diff([][]string{{"four", "one"}, {"three", "two"}}, [][]string{cms, secrets}); diff != "" {
		t.Errorf("references (-want +got):\n%s", diff)
	}
}
