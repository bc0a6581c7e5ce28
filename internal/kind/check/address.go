package check

import (
	"fmt"
	"strings"

	utilvalidation "k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"
	netutils "k8s.io/utils/net"
)

// IsIPv6 reports whether an address is one of IPv6.
func IsIPv6(ip string) bool { return strings.Contains(ip, ":") }

// WarnOfIPs returns warnings about addresses in non-canonical form.
func WarnOfIPs(path *field.Path, ips []string) []string {
	var texts []string
	for i, ip := range ips {
		texts = append(texts, utilvalidation.GetWarningsForIP(path.Index(i), ip)...)
	}
	return texts
}

// EndpointIP checks that an address can belong to another machine.
func EndpointIP(ip string, path *field.Path) field.ErrorList {
	a := netutils.ParseIPSloppy(ip) // leading zeros have been reported
	if a == nil {
		return field.ErrorList{field.Invalid(path, ip, "must be a valid IP address")}
	}
	var errs field.ErrorList
	if a.IsUnspecified() {
		errs = append(errs, field.Invalid(path, ip, fmt.Sprintf("may not be unspecified (%s)", ip)))
	}
	if a.IsLoopback() {
		errs = append(errs, field.Invalid(path, ip, "may not be in the loopback range (127.0.0.0/8, ::1/128)"))
	}
	if a.IsLinkLocalUnicast() {
		errs = append(errs, field.Invalid(path, ip, "may not be in the link-local range (169.254.0.0/16, fe80::/10)"))
	}
	if a.IsLinkLocalMulticast() {
		errs = append(errs, field.Invalid(path, ip, "may not be in the link-local multicast range (224.0.0.0/24, ff02::/10)"))
	}
	return errs
}
