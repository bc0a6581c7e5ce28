// Package exercise puts a mixed load on a fleet of replicas, and judges everything that happened by the log (see package history) and by
// what clients were told. What is done to the fleet meanwhile is its caller's: soak kills, campaign does whatever else may happen.
package exercise
