// Package policy has PodDisruptionBudget.
package policy
