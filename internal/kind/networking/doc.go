// Package networking defines Ingress, IngressClass, NetworkPolicy, IPAddress and ServiceCIDR, in
// one or two files each.
package networking
