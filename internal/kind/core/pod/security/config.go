package security

import (
	"fmt"
	"slices"
	"strings"

	"k8s.io/pod-security-admission/api"

	"github.com/rowlock/rowlock/internal/kind"
)

// Config is how an operator configures the plugin PodSecurity. It never changes.
//
// Source: kubernetes v1.36 staging/src/k8s.io/pod-security-admission/admission/api/types.go, PodSecurityConfiguration
type Config struct {
	// Defaults hold for what a namespace's labels do not say.
	Defaults api.Policy
	// Usernames, RuntimeClasses and Namespaces are exempt: of those who write, of Pods and
	// templates, and of where these are.
	Usernames, RuntimeClasses, Namespaces []string
}

// securedCluster is a cluster with the configuration that a write goes by, and who writes.
type securedCluster struct {
	kind.Cluster
	config *Config
	user   string
}

// WithConfig is a cluster in which PodSecurity is configured, for a write by a user. Without a
// configuration all defaults are upstream's, privileged, and nobody is exempt.
func WithConfig(c kind.Cluster, config *Config, user string) kind.Cluster {
	if config == nil {
		return c
	}
	return securedCluster{c, config, user}
}

// defaultSecurity is the configuration where there is none.
var defaultSecurity = &Config{Defaults: unrestricted}

// securityIn is the configuration of a cluster, and who writes.
func securityIn(c kind.Cluster) (config *Config, user string) {
	if s, ok := c.(securedCluster); ok {
		return s.config, s.user
	}
	return defaultSecurity, ""
}

// exempts says whether what a user writes in a namespace is exempt.
func (s *Config) exempts(namespace, user string) bool {
	return slices.Contains(s.Namespaces, namespace) || user != "" && slices.Contains(s.Usernames, user)
}

// exemptsClass says whether Pods of a RuntimeClass are exempt; nil is none.
func (s *Config) exemptsClass(name *string) bool {
	return name != nil && slices.Contains(s.RuntimeClasses, *name)
}

// warnOfExemption says that the labels of an exempt namespace have no effect, if they ask for more
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
