// Package controller defines the controllers: for each its name, what it locks, what it reads, and
// how that becomes the snapshot from which its reconciler, a pure function below
// internal/reconcile, makes a plan. Package engine runs them. Controllers lists all.
package controller
