package auth

import (
	"context"
	"slices"
	"strings"
)

// Proxied is how many of a path's parts come before those that a proxy passes on to a Pod, a
// Service or a node: up to and with "proxy", behind a fork's address too. It is 0 for a path that
// is no proxy's. What is passed on may be any text.
func Proxied(parts []string) int {
	base := 0
	if len(parts) > 2 && parts[0] == "forks" {
		base = 2
	}
	of := func(i int) string {
		if i += base; i < len(parts) {
			return parts[i]
		}
		return ""
	}
	switch {
	case of(0) != "api" || of(1) != "v1":
		return 0
	case of(2) == "nodes" && of(3) != "" && of(4) == "proxy":
		return base + 5
	case of(2) == "namespaces" && of(3) != "" && (of(4) == "pods" || of(4) == "services") && of(5) != "" && of(6) == "proxy":
		return base + 7
	}
	return 0
}

// pagePass is the key of a page's pass in a context.
type pagePass struct{}

// WithPagePass notes the pass that a proxied page's address has behind "proxy", and that is not
// passed on.
func WithPagePass(ctx context.Context, pass string) context.Context {
	return context.WithValue(ctx, pagePass{}, pass)
}

// ProxiedPath is a proxied request's path as its client has it: with the page's pass, if it has
// one.
func ProxiedPath(ctx context.Context, path string) string {
	pass, _ := ctx.Value(pagePass{}).(string)
	parts := strings.Split(path, "/")
	n := Proxied(parts[1:])
	if pass == "" || n == 0 {
		return path
	}
	return strings.Join(slices.Insert(parts, n+1, pass), "/")
}
