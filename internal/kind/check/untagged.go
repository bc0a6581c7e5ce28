package check

import (
	"encoding/json"
	"maps"
	"reflect"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
)

// Untagged makes a value of k8s.io/api print in messages as upstream's internal types do: as JSON
// with Go's field names, all fields, in upstream's order. Upstream validates types without JSON
// tags, and error texts show them.
//
// Source: kubernetes v1.36 pkg/apis/core/types.go
func Untagged(v any) json.Marshaler { return untaggedValue{v} }

type untaggedValue struct{ value any }

// MarshalJSON never fails on types of k8s.io/api.
func (u untaggedValue) MarshalJSON() ([]byte, error) {
	return appendUntagged(nil, reflect.ValueOf(u.value))
}

// tagged reports whether a type belongs to k8s.io/api.
func tagged(t reflect.Type) bool { return strings.HasPrefix(t.PkgPath(), "k8s.io/api/") }

// fieldOrders lists upstream's fields where they differ from those of k8s.io/api: there, a Pod's
// use of the host's namespaces is part of the spec, not of its security context.
var fieldOrders = map[reflect.Type][]string{
	reflect.TypeFor[corev1.PodSpec](): {
		"Volumes", "InitContainers", "Containers", "EphemeralContainers", "RestartPolicy",
		"TerminationGracePeriodSeconds", "ActiveDeadlineSeconds", "DNSPolicy", "NodeSelector", "ServiceAccountName",
		"AutomountServiceAccountToken", "NodeName", "SecurityContext", "ImagePullSecrets", "Hostname", "Subdomain",
		"SetHostnameAsFQDN", "Affinity", "SchedulerName", "Tolerations", "HostAliases", "PriorityClassName", "Priority",
		"PreemptionPolicy", "DNSConfig", "ReadinessGates", "RuntimeClassName", "Overhead", "EnableServiceLinks",
		"TopologySpreadConstraints", "OS", "SchedulingGates", "ResourceClaims", "Resources", "HostnameOverride",
		"SchedulingGroup",
	},
	reflect.TypeFor[corev1.PodSecurityContext](): {
		"SELinuxOptions", "WindowsOptions", "RunAsUser", "RunAsGroup", "RunAsNonRoot", "SupplementalGroups",
		"SupplementalGroupsPolicy", "FSGroup", "FSGroupChangePolicy", "Sysctls", "SeccompProfile", "AppArmorProfile",
		"SELinuxChangePolicy",
	},
	reflect.TypeFor[corev1.VolumeSource](): {
		"HostPath", "EmptyDir", "GCEPersistentDisk", "AWSElasticBlockStore", "GitRepo", "Secret", "NFS", "ISCSI",
		"Glusterfs", "PersistentVolumeClaim", "RBD", "Quobyte", "FlexVolume", "Cinder", "CephFS", "Flocker",
		"DownwardAPI", "FC", "AzureFile", "ConfigMap", "VsphereVolume", "AzureDisk", "PhotonPersistentDisk", "Projected",
		"PortworxVolume", "ScaleIO", "StorageOS", "CSI", "Ephemeral", "Image",
	},
	reflect.TypeFor[corev1.PersistentVolumeSource](): {
		"GCEPersistentDisk", "AWSElasticBlockStore", "HostPath", "Glusterfs", "NFS", "RBD", "Quobyte", "ISCSI",
		"FlexVolume", "Cinder", "CephFS", "FC", "Flocker", "AzureFile", "VsphereVolume", "AzureDisk",
		"PhotonPersistentDisk", "PortworxVolume", "ScaleIO", "Local", "StorageOS", "CSI",
	},
}

// hostFields are the spec's fields that upstream has at the start of the security context.
var hostFields = []string{"HostNetwork", "HostPID", "HostIPC", "ShareProcessNamespace", "HostUsers"}

func appendUntagged(dst []byte, v reflect.Value) ([]byte, error) {
	switch {
	case !v.IsValid() || isNil(v):
		return append(dst, "null"...), nil
	case v.Kind() == reflect.Pointer:
		return appendUntagged(dst, v.Elem())
	case v.Kind() == reflect.Struct && tagged(v.Type()):
		dst, err := appendFields(append(dst, '{'), v)
		return append(dst, '}'), err
	case v.Kind() == reflect.Slice && v.Type().Elem().Kind() != reflect.Uint8:
		dst = append(dst, '[')
		for i := range v.Len() {
			var err error
			if dst, err = appendUntagged(separate(dst), v.Index(i)); err != nil {
				return nil, err
			}
		}
		return append(dst, ']'), nil
	case v.Kind() == reflect.Map && v.Type().Key().Kind() == reflect.String:
		return appendMap(dst, v)
	}
	encoded, err := json.Marshal(v.Interface())
	return append(dst, encoded...), err
}

func isNil(v reflect.Value) bool {
	switch v.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Map, reflect.Interface:
		return v.IsNil()
	}
	return false
}

func appendMap(dst []byte, v reflect.Value) ([]byte, error) {
	values := map[string]reflect.Value{}
	for _, key := range v.MapKeys() {
		values[key.String()] = v.MapIndex(key)
	}
	dst = append(dst, '{')
	for _, key := range slices.Sorted(maps.Keys(values)) {
		var err error
		if dst, err = appendNamed(dst, key, values[key]); err != nil {
			return nil, err
		}
	}
	return append(dst, '}'), nil
}

// appendFields appends a struct's fields without braces, including those of embedded structs.
func appendFields(dst []byte, v reflect.Value) ([]byte, error) {
	names := fieldOrders[v.Type()]
	if names == nil {
		for _, f := range reflect.VisibleFields(v.Type()) {
			if len(f.Index) == 1 {
				names = append(names, f.Name)
			}
		}
	}
	for _, name := range names {
		f, _ := v.Type().FieldByName(name)
		value := v.FieldByName(name)
		var err error
		switch {
		case f.Anonymous && tagged(f.Type):
			dst, err = appendFields(dst, value)
		case f.Anonymous: // ObjectMeta, which has JSON tags in upstream's types too
			dst, err = appendInner(dst, value)
		case v.Type() == reflect.TypeFor[corev1.PodSpec]() && name == "SecurityContext" && !value.IsNil():
			dst, err = appendPodSecurity(dst, v)
		default:
			dst, err = appendNamed(dst, name, value)
		}
		if err != nil {
			return nil, err
		}
	}
	return dst, nil
}

// appendPodSecurity appends a spec's security context with the host's namespaces in it.
func appendPodSecurity(dst []byte, spec reflect.Value) ([]byte, error) {
	dst = append(separate(dst), `"SecurityContext":{`...)
	for _, name := range hostFields {
		var err error
		if dst, err = appendNamed(dst, name, spec.FieldByName(name)); err != nil {
			return nil, err
		}
	}
	dst, err := appendFields(dst, spec.FieldByName("SecurityContext").Elem())
	return append(dst, '}'), err
}

func appendNamed(dst []byte, name string, value reflect.Value) ([]byte, error) {
	key, err := json.Marshal(name)
	if err != nil {
		return nil, err
	}
	return appendUntagged(append(append(separate(dst), key...), ':'), value)
}

// appendInner appends the fields of a value's usual JSON.
func appendInner(dst []byte, v reflect.Value) ([]byte, error) {
	encoded, err := json.Marshal(v.Interface())
	if err != nil || len(encoded) <= len("{}") {
		return dst, err
	}
	return append(separate(dst), encoded[1:len(encoded)-1]...), nil
}

// separate appends a comma unless an object or a list has just started.
func separate(dst []byte) []byte {
	if n := len(dst); n == 0 || dst[n-1] == '{' || dst[n-1] == '[' || dst[n-1] == ':' {
		return dst
	}
	return append(dst, ',')
}
