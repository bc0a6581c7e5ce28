package podsetup

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	corev1 "k8s.io/api/core/v1"
)

// variables are an environment in the order in which its variables were first set.
type variables struct {
	names  []string
	values map[string]string
}

func (v *variables) set(name, value string) {
	if v.values == nil {
		v.values = map[string]string{}
	}
	if _, known := v.values[name]; !known {
		v.names = append(v.names, name)
	}
	v.values[name] = value
}

// list is the environment in the form that processes get, "NAME=value".
func (v *variables) list() []string {
	out := make([]string, len(v.names))
	for i, name := range v.names {
		out[i] = name + "=" + v.values[name]
	}
	return out
}

// Files reads a file in one of the Pod's volumes, for variables that come from such a file.
type Files func(volume, path string) ([]byte, error)

// Environment composes the environment of a container, as "NAME=value": the image's variables,
// HOSTNAME, those from envFrom and env, and the variables of the Services. Later ones replace
// earlier ones. expand resolves $(NAME) as in command and args, with the variables from the
// container and the Services.
//
// Source: kubernetes v1.36 pkg/kubelet/kubelet_pods.go, makeEnvironmentVariables.
// Differs: the order is fixed; upstream's is that of a map.
func Environment(pod *corev1.Pod, c *corev1.Container, image []string, around Surroundings, files Files) (env []string, expand func(string) string, err error) {
	services := serviceVariables(pod, around.Services)
	var given variables
	if err := fromSources(&given, c.EnvFrom, &around); err != nil {
		return nil, nil, err
	}
	expand = func(s string) string { return expandIn(s, given.values, services) }
	for i := range c.Env {
		value, skip, err := valueOf(pod, c, &c.Env[i], &around, files, expand)
		if err != nil {
			return nil, nil, err
		}
		if !skip {
			given.set(c.Env[i].Name, value)
		}
	}
	var all variables
	for _, pair := range image {
		name, value, _ := cut(pair)
		all.set(name, value)
	}
	all.set("HOSTNAME", Hostname(pod))
	for _, name := range slices.Sorted(maps.Keys(services)) {
		all.set(name, services[name])
	}
	for _, name := range given.names {
		all.set(name, given.values[name])
	}
	return all.list(), expand, nil
}

func cut(pair string) (name, value string, ok bool) {
	for i := range len(pair) {
		if pair[i] == '=' {
			return pair[:i], pair[i+1:], true
		}
	}
	return pair, "", false
}

// fromSources sets the variables from whole ConfigMaps and Secrets.
func fromSources(v *variables, sources []corev1.EnvFromSource, around *Surroundings) error {
	for _, source := range sources {
		switch {
		case source.ConfigMapRef != nil:
			cm, err := around.configMap(source.ConfigMapRef.Name, source.ConfigMapRef.Optional)
			if err != nil {
				return err
			}
			if cm != nil {
				for _, key := range slices.Sorted(maps.Keys(cm.Data)) {
					v.set(source.Prefix+key, cm.Data[key])
				}
			}
		case source.SecretRef != nil:
			secret, err := around.secret(source.SecretRef.Name, source.SecretRef.Optional)
			if err != nil {
				return err
			}
			if secret != nil {
				for _, key := range slices.Sorted(maps.Keys(secret.Data)) {
					v.set(source.Prefix+key, string(secret.Data[key]))
				}
			}
		}
	}
	return nil
}

// valueOf is the value of one variable; skip is true if it is optional and missing.
func valueOf(
	pod *corev1.Pod, c *corev1.Container, e *corev1.EnvVar, around *Surroundings, files Files,
	expand func(string) string,
) (value string, skip bool, err error) {
	if e.Value != "" || e.ValueFrom == nil {
		return expand(e.Value), false, nil
	}
	switch from := e.ValueFrom; {
	case from.FieldRef != nil:
		value, err = Field(pod, from.FieldRef.FieldPath)
		return value, false, err
	case from.ResourceFieldRef != nil:
		value, err = Resource(pod, c, from.ResourceFieldRef, around.Node)
		return value, false, err
	case from.ConfigMapKeyRef != nil:
		ref := from.ConfigMapKeyRef
		cm, err := around.configMap(ref.Name, ref.Optional)
		if err != nil || cm == nil {
			return "", true, err
		}
		value, ok := cm.Data[ref.Key]
		if !ok && !isTrue(ref.Optional) {
			err = fmt.Errorf("couldn't find key %v in ConfigMap %v/%v", ref.Key, pod.Namespace, ref.Name)
		}
		return value, !ok, err
	case from.SecretKeyRef != nil:
		ref := from.SecretKeyRef
		secret, err := around.secret(ref.Name, ref.Optional)
		if err != nil || secret == nil {
			return "", true, err
		}
		data, ok := secret.Data[ref.Key]
		if !ok && !isTrue(ref.Optional) {
			err = fmt.Errorf("couldn't find key %v in Secret %v/%v", ref.Key, pod.Namespace, ref.Name)
		}
		return string(data), !ok, err
	case from.FileKeyRef != nil:
		return fromFile(from.FileKeyRef, files)
	}
	return "", false, nil
}

// fromFile is a variable's value from a file in a volume.
func fromFile(ref *corev1.FileKeySelector, files Files) (value string, skip bool, err error) {
	optional := isTrue(ref.Optional)
	if files == nil {
		return "", false, fmt.Errorf("cannot find the volume %q referenced by FileKeyRef", ref.VolumeName)
	}
	text, err := files(ref.VolumeName, ref.Path)
	if err != nil {
		return "", optional, errors.New("couldn't parse env file")
	}
	value, err = envFile(string(text), ref.Key)
	switch {
	case err != nil:
		return "", false, errors.New("couldn't parse env file")
	case value == "" && !optional:
		return "", false, fmt.Errorf("environment variable key %q not found in file %q", ref.Key, ref.Path)
	}
	return value, value == "", nil
}

// Hostname is the Pod's hostname in its containers.
// Source: kubernetes v1.36 pkg/kubelet/kubelet_pods.go, GeneratePodHostNameAndDomain; util/util.go, truncatePodHostnameIfNeeded.
func Hostname(pod *corev1.Pod) string {
	switch {
	case pod.Spec.HostnameOverride != nil:
		return *pod.Spec.HostnameOverride
	case pod.Spec.HostNetwork && pod.Spec.NodeName != "":
		return pod.Spec.NodeName
	case pod.Spec.Hostname != "":
		return pod.Spec.Hostname
	}
	name := pod.Name
	if len(name) > 63 {
		for name = name[:63]; name != "" && (name[len(name)-1] == '-' || name[len(name)-1] == '.'); {
			name = name[:len(name)-1]
		}
	}
	return name
}
