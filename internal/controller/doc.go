// Package controller lists the controllers, and creates what a cluster begins with. The packages
// below it declare them by area: for each what wakes it, what it locks, what it reads, and how that
// becomes the snapshot from which its reconciler, a pure function below internal/reconcile, makes a
// plan. Package engine runs them.
package controller
