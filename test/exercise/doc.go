// Package exercise runs a mixed load on a fleet of replicas, and checks everything that happened by
// the log (see package history) and by the clients' answers. The caller disturbs the fleet
// meanwhile: soak kills, campaign injects all other faults.
package exercise
