package cluster

// Occupy runs f as one more part of a replica.
func Occupy(r *Cluster, f func()) { r.running.Go(f) }
