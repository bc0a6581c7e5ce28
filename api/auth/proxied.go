package auth

import (
	"context"
	"slices"
	"strings"
)

// Proxied returns the number of path segments before those that a proxy forwards to a Pod, Service
// or node: up to and including "proxy", also in a fork. It returns 0 if the path is not a proxy's.
// The forwarded segments may be any text.
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

// pagePass is the context key of a page's pass.
type pagePass struct{}

// WithPagePass stores the pass that follows "proxy" in the address of a proxied page. The pass is
// not forwarded.
func WithPagePass(ctx context.Context, pass string) context.Context {
	return context.WithValue(ctx, pagePass{}, pass)
}

// ProxiedPath returns the path of a proxied request as its client sees it, including the page's
// pass if it has one.
func ProxiedPath(ctx context.Context, path string) string {
	pass, _ := ctx.Value(pagePass{}).(string)
	parts := strings.Split(path, "/")
	n := Proxied(parts[1:])
	if pass == "" || n == 0 {
		return path
	}
	return strings.Join(slices.Insert(parts, n+1, pass), "/")
}
