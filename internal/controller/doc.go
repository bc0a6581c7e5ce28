// Package controller has the controllers: what each is called, what it locks, what it reads and how that becomes the snapshot
// from which its reconciler, a pure function below internal/reconcile, makes a plan. Package engine runs them. The list of all is
// Controllers.
package controller
