package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	podsecurity "k8s.io/pod-security-admission/admission/api"
	"k8s.io/pod-security-admission/admission/api/load"
	"k8s.io/pod-security-admission/admission/api/validation"
	"sigs.k8s.io/yaml"

	"github.com/rowlock/rowlock/internal/kind/core/pod/security"
)

// admissionConfiguration is the file of --admission-control-config-file.
//
// Source: kubernetes v1.36 staging/src/k8s.io/apiserver/pkg/apis/apiserver/v1/types.go, AdmissionConfiguration
type admissionConfiguration struct {
	metav1.TypeMeta `json:",inline"`
	Plugins         []admissionPlugin `json:"plugins"`
}

// admissionPlugin configures one plugin, here or in a file of its own, whose path is relative to
// this one.
type admissionPlugin struct {
	Name          string                `json:"name"`
	Path          string                `json:"path"`
	Configuration *runtime.RawExtension `json:"configuration"`
}

// readAdmission reads the configuration of admission; nil without a path. Only PodSecurity takes a
// configuration.
//
// Source: kubernetes v1.36 staging/src/k8s.io/apiserver/pkg/admission/config.go, ReadAdmissionConfiguration, and
// plugin/pkg/admission/security/podsecurity/admission.go, newPlugin
func readAdmission(path string) (*security.Config, error) {
	if path == "" {
		return nil, nil //nolint:nilnil // nil is upstream's defaults
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var c admissionConfiguration
	if err := yaml.UnmarshalStrict(text, &c); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	if c.Kind != "AdmissionConfiguration" || c.APIVersion != "apiserver.config.k8s.io/v1" && c.APIVersion != "apiserver.k8s.io/v1alpha1" {
		return nil, fmt.Errorf("%s: kind %q in apiVersion %q: must be an AdmissionConfiguration in apiserver.config.k8s.io/v1", path, c.Kind, c.APIVersion)
	}
	var config *security.Config
	for _, p := range c.Plugins {
		if p.Name != security.PluginName {
			return nil, fmt.Errorf("%s: the plugin %q cannot be configured, only %s", path, p.Name, security.PluginName)
		}
		if config != nil {
			return nil, fmt.Errorf("%s: the plugin %s is configured twice", path, p.Name)
		}
		if config, err = p.podSecurity(filepath.Dir(path)); err != nil {
			return nil, fmt.Errorf("%s: the plugin %s: %w", path, p.Name, err)
		}
	}
	return config, nil
}

// podSecurity reads the configuration of PodSecurity.
func (p *admissionPlugin) podSecurity(dir string) (*security.Config, error) {
	var text []byte
	switch {
	case p.Path != "" && p.Configuration != nil:
		return nil, errors.New("specify either a path or a configuration, not both")
	case p.Path != "":
		path := p.Path
		if !filepath.IsAbs(path) {
			path = filepath.Join(dir, path)
		}
		var err error
		if text, err = os.ReadFile(path); err != nil {
			return nil, err
		}
	case p.Configuration != nil:
		text = p.Configuration.Raw
	}
	c, err := load.LoadFromData(text)
	if err != nil {
		return nil, err
	}
	if errs := validation.ValidatePodSecurityConfiguration(c); len(errs) > 0 {
		return nil, errs.ToAggregate()
	}
	defaults, err := podsecurity.ToPolicy(c.Defaults)
	if err != nil {
		return nil, err
	}
	return &security.Config{
		Defaults: defaults, Usernames: c.Exemptions.Usernames, RuntimeClasses: c.Exemptions.RuntimeClasses, Namespaces: c.Exemptions.Namespaces,
	}, nil
}
