package podsetup

import (
	"errors"
	"maps"
	"slices"

	corev1 "k8s.io/api/core/v1"
)

// defaultMode is the mode of files in such volumes if none is given; a Pod from the API always has
// one.
const defaultMode = 0o644

// content is files by path.
type content map[string]File

func (c content) list() []File {
	out := make([]File, 0, len(c))
	for _, path := range slices.Sorted(maps.Keys(c)) {
		out = append(out, c[path])
	}
	return out
}

// Made reports whether the volume is made from objects, so that Content returns its content.
func Made(v *corev1.Volume) bool {
	return v.ConfigMap != nil || v.Secret != nil || v.Projected != nil || v.DownwardAPI != nil
}

// Content is the current content of a volume of type configMap, secret, downwardAPI or projected,
// sorted by path. The error says why it cannot be mounted.
// Source: kubernetes v1.36 pkg/volume/configmap, secret, downwardapi and projected.
func Content(pod *corev1.Pod, v *corev1.Volume, around Surroundings) ([]File, error) {
	files := content{}
	var err error
	switch {
	case v.ConfigMap != nil:
		err = files.addConfigMap(v.ConfigMap.Name, v.ConfigMap.Items, v.ConfigMap.DefaultMode, v.ConfigMap.Optional, &around)
	case v.Secret != nil:
		err = files.addSecret(v.Secret.SecretName, v.Secret.Items, v.Secret.DefaultMode, v.Secret.Optional, &around)
	case v.DownwardAPI != nil:
		err = files.addDownwardAPI(pod, v.DownwardAPI.Items, v.DownwardAPI.DefaultMode, &around)
	case v.Projected != nil:
		err = files.addSources(pod, v.Projected, &around)
	}
	if err != nil {
		return nil, err
	}
	return files.list(), nil
}

func modeOf(own, general *int32) int32 {
	switch {
	case own != nil:
		return *own
	case general != nil:
		return *general
	}
	return defaultMode
}

func (c content) addConfigMap(name string, items []corev1.KeyToPath, mode *int32, optional *bool, around *Surroundings) error {
	cm, err := around.configMap(name, optional)
	if err != nil || cm == nil {
		return err
	}
	data := make(map[string][]byte, len(cm.Data)+len(cm.BinaryData))
	for key, value := range cm.Data {
		data[key] = []byte(value)
	}
	for key, value := range cm.BinaryData {
		data[key] = value
	}
	return c.project(data, items, mode, optional, "configmap references non-existent config key: ")
}

func (c content) addSecret(name string, items []corev1.KeyToPath, mode *int32, optional *bool, around *Surroundings) error {
	secret, err := around.secret(name, optional)
	if err != nil || secret == nil {
		return err
	}
	return c.project(secret.Data, items, mode, optional, "references non-existent secret key: ")
}

// project adds all data, or the given items.
func (c content) project(data map[string][]byte, items []corev1.KeyToPath, mode *int32, optional *bool, missing string) error {
	if len(items) == 0 {
		for key, value := range data {
			c[key] = File{Path: key, Mode: modeOf(nil, mode), Data: value}
		}
		return nil
	}
	for _, item := range items {
		value, ok := data[item.Key]
		switch {
		case ok:
			c[item.Path] = File{Path: item.Path, Mode: modeOf(item.Mode, mode), Data: value}
		case !isTrue(optional):
			return errors.New(missing + item.Key)
		}
	}
	return nil
}

func (c content) addDownwardAPI(pod *corev1.Pod, items []corev1.DownwardAPIVolumeFile, mode *int32, around *Surroundings) error {
	var errs []error
	for _, item := range items {
		var value string
		var err error
		switch {
		case item.FieldRef != nil:
			value, err = Field(pod, item.FieldRef.FieldPath)
		case item.ResourceFieldRef != nil:
			value, err = Resource(pod, nil, item.ResourceFieldRef, around.Node)
		}
		if err != nil {
			errs = append(errs, err)
			continue
		}
		c[item.Path] = File{Path: item.Path, Mode: modeOf(item.Mode, mode), Data: []byte(value)}
	}
	return errors.Join(errs...)
}

func (c content) addSources(pod *corev1.Pod, p *corev1.ProjectedVolumeSource, around *Surroundings) error {
	var errs []error
	for _, source := range p.Sources {
		var err error
		switch {
		case source.ConfigMap != nil:
			err = c.addConfigMap(source.ConfigMap.Name, source.ConfigMap.Items, p.DefaultMode, source.ConfigMap.Optional, around)
		case source.Secret != nil:
			err = c.addSecret(source.Secret.Name, source.Secret.Items, p.DefaultMode, source.Secret.Optional, around)
		case source.DownwardAPI != nil:
			err = c.addDownwardAPI(pod, source.DownwardAPI.Items, p.DefaultMode, around)
		case source.ServiceAccountToken != nil:
			t := source.ServiceAccountToken
			c[t.Path] = tokenFile(pod, t.Path, modeOf(nil, p.DefaultMode), around.claims(pod, t))
		case source.ClusterTrustBundle != nil && !isTrue(source.ClusterTrustBundle.Optional):
			err = errors.New("ClusterTrustBundle projection is not supported in static kubelet mode")
		case source.PodCertificate != nil:
			err = errors.New("pod certificates are not emulated")
		}
		if err != nil {
			errs = append(errs, err)
		}
	}
	return errors.Join(errs...)
}
