// Package policy defines PodDisruptionBudget.
package policy
