package security

import (
	"fmt"
	"slices"
	"strings"

	"k8s.io/pod-security-admission/api"

	"github.com/rowlock/rowlock/internal/kind"
)

// Config is the configuration of the admission plugin PodSecurity. It is immutable.
//
// Source: kubernetes v1.36 staging/src/k8s.io/pod-security-admission/admission/api/types.go, PodSecurityConfiguration
type Config struct {
	// Defaults apply where a namespace has no label.
	Defaults api.Policy
	// Usernames, RuntimeClasses and Namespaces are exempt: writes by these users, Pods and
	// templates with these classes, and everything in these namespaces.
	Usernames, RuntimeClasses, Namespaces []string
}

// securedCluster is a cluster with the configuration for a write, and its user.
type securedCluster struct {
	kind.Cluster
	config *Config
	user   string
}

// WithConfig returns a cluster with a configuration of PodSecurity for a write by user. If config
// is nil, the defaults are upstream's, privileged, without exemptions.
func WithConfig(c kind.Cluster, config *Config, user string) kind.Cluster {
	if config == nil {
		return c
	}
	return securedCluster{c, config, user}
}

// defaultSecurity is used if there is no configuration.
var defaultSecurity = &Config{Defaults: unrestricted}

// securityIn returns the configuration of a cluster and the writing user.
func securityIn(c kind.Cluster) (config *Config, user string) {
	if s, ok := c.(securedCluster); ok {
		return s.config, s.user
	}
	return defaultSecurity, ""
}

// exempts reports whether writes by a user in a namespace are exempt.
func (s *Config) exempts(namespace, user string) bool {
	return slices.Contains(s.Namespaces, namespace) || user != "" && slices.Contains(s.Usernames, user)
}

// exemptsClass reports whether Pods of a RuntimeClass are exempt; nil means no class.
func (s *Config) exemptsClass(name *string) bool {
	return name != nil && slices.Contains(s.RuntimeClasses, *name)
}

// warnOfExemption warns that the labels of an exempt namespace have no effect, if they are stricter
// than the defaults.
//
// Source: kubernetes v1.36 staging/src/k8s.io/pod-security-admission/admission/admission.go, exemptNamespaceWarning
func (s *Config) warnOfExemption(namespace string, labels map[string]string, p api.Policy) []string {
	if p.FullyPrivileged() || p.Equivalent(&s.Defaults) {
		return nil
	}
	var modes []string
	for _, mode := range []struct {
		name, level, version string
		is                   api.LevelVersion
	}{
		{"enforce", api.EnforceLevelLabel, api.EnforceVersionLabel, p.Enforce},
		{"audit", api.AuditLevelLabel, api.AuditVersionLabel, p.Audit},
		{"warn", api.WarnLevelLabel, api.WarnVersionLabel, p.Warn},
	} {
		_, level := labels[mode.level]
		_, version := labels[mode.version]
		if mode.is.Level != api.LevelPrivileged && (level || version) {
			modes = append(modes, mode.name+"="+mode.is.String())
		}
	}
	return []string{fmt.Sprintf("namespace %q is exempt from Pod Security, and the policy (%s) will be ignored", namespace, strings.Join(modes, ", "))}
}

// unrestricted is the policy of a namespace without labels.
var unrestricted = api.Policy{Enforce: privileged, Audit: privileged, Warn: privileged}

var privileged = api.LevelVersion{Level: api.LevelPrivileged, Version: api.LatestVersion()}
