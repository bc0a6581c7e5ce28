package podspec

import (
	"fmt"
	"strings"

	corev1 "k8s.io/api/core/v1"
	utilvalidation "k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/rowlock/rowlock/internal/kind/check"
)

// Limits of the resolver of a Linux C library.
const (
	maxNameservers     = 3
	maxSearchPaths     = 32
	maxSearchListChars = 2048
	maxHostnameChars   = 64
)

// Source: kubernetes v1.36 pkg/apis/core/validation/validation.go, validatePodDNSConfig
func validateDNSConfig(s *corev1.PodSpec, path *field.Path) field.ErrorList {
	c, servers := s.DNSConfig, path.Child("nameservers")
	switch none := s.DNSPolicy == corev1.DNSNone; {
	case none && c == nil:
		return field.ErrorList{field.Required(path, "must provide `dnsConfig` when `dnsPolicy` is None")}
	case none && len(c.Nameservers) == 0:
		return field.ErrorList{field.Required(servers, "must provide at least one DNS nameserver when `dnsPolicy` is None")}
	case c == nil:
		return nil
	}

	var errs field.ErrorList
	if len(c.Nameservers) > maxNameservers {
		errs = append(errs, field.Invalid(servers, c.Nameservers, fmt.Sprintf("must not have more than %d nameservers", maxNameservers)))
	}
	for i, server := range c.Nameservers {
		errs = append(errs, validateLegacyIP(server, servers.Index(i))...)
	}
	searches := path.Child("searches")
	if len(c.Searches) > maxSearchPaths {
		errs = append(errs, field.Invalid(searches, c.Searches, fmt.Sprintf("must not have more than %d search paths", maxSearchPaths)))
	}
	if len(strings.Join(c.Searches, " ")) > maxSearchListChars {
		msg := fmt.Sprintf("must not have more than %d characters (including spaces) in the search list", maxSearchListChars)
		errs = append(errs, field.Invalid(searches, c.Searches, msg))
	}
	for i, search := range c.Searches {
		if search == "." {
			continue
		}
		search = strings.TrimSuffix(search, ".")
		errs = append(errs, check.Invalid(searches.Index(i), search, utilvalidation.IsDNS1123SubdomainWithUnderscore(search))...)
	}
	for i, option := range c.Options {
		if option.Name == "" {
			errs = append(errs, field.Required(path.Child("options").Index(i), "must not be empty"))
		}
	}
	return errs
}

func validateHostAliases(aliases []corev1.HostAlias, path *field.Path) field.ErrorList {
	var errs field.ErrorList
	for i, alias := range aliases {
		errs = append(errs, validateLegacyIP(alias.IP, path.Index(i).Child("ip"))...)
		for j, name := range alias.Hostnames {
			at := path.Index(i).Child("hostnames").Index(j)
			errs = append(errs, check.Invalid(at, name, utilvalidation.IsDNS1123Subdomain(name))...)
		}
	}
	return errs
}

// validateLegacyIP validates an address by the strict rules of new fields, which v1.36 applies to
// new objects (gate StrictIPCIDRValidation).
func validateLegacyIP(ip string, path *field.Path) field.ErrorList {
	return utilvalidation.IsValidIPForLegacyField(path, ip, true, nil)
}

// Source: kubernetes v1.36 pkg/apis/core/validation/validation.go, validatePodHostName
func validateHostnameOverride(s *corev1.PodSpec, path *field.Path) field.ErrorList {
	if s.HostnameOverride == nil {
		return nil
	}
	var errs field.ErrorList
	if s.SetHostnameAsFQDN != nil && *s.SetHostnameAsFQDN {
		errs = append(errs, field.Forbidden(path, "may not be specified when setHostnameAsFQDN is true"))
	}
	if s.HostNetwork {
		errs = append(errs, field.Forbidden(path, "may not be specified when hostNetwork is true"))
	}
	name := *s.HostnameOverride
	if len(name) > maxHostnameChars {
		errs = append(errs, field.TooLong(path, "", maxHostnameChars))
	}
	return append(errs, check.Invalid(path, name, utilvalidation.IsDNS1123Subdomain(name))...)
}

// validateHostUsers checks that a Pod with its own user namespace shares no other namespace with
// the host. As upstream, some of these paths start with a capital letter.
//
// Source: kubernetes v1.36 pkg/apis/core/validation/validation.go, validateHostUsers
func validateHostUsers(s *corev1.PodSpec, path *field.Path) field.ErrorList {
	if s.HostUsers == nil || *s.HostUsers {
		return nil
	}
	const msg = "when `hostUsers` is false"
	var errs field.ErrorList
	if s.HostNetwork {
		errs = append(errs, field.Forbidden(path.Child("hostNetwork"), msg))
	}
	if s.HostPID {
		errs = append(errs, field.Forbidden(path.Child("HostPID"), msg))
	}
	if s.HostIPC {
		errs = append(errs, field.Forbidden(path.Child("HostIPC"), msg))
	}
	visitContainers(s, path, func(c *corev1.Container, path *field.Path) {
		if len(c.VolumeDevices) > 0 {
			errs = append(errs, field.Forbidden(path.Child("volumeDevices"), msg))
		}
	})
	return errs
}
