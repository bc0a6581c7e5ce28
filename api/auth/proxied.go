package auth

// Proxied is how many of a path's parts come before those that a proxy passes on to a Pod, a Service or a node: up to and with
// "proxy", behind a fork's address too. It is 0 for a path that is no proxy's. What is passed on may be any text.
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
