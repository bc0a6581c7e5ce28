// Package networking has Ingress, IngressClass, NetworkPolicy, IPAddress and ServiceCIDR, one file
// or two each.
package networking
